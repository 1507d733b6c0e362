/** Pseudo-random numbers: the same seed gives the same sequence. Not for secrets. */
export type Random = {
  /** 0 ≤ x < 1 */
  next: () => number
  /** An integer, both bounds included. */
  between: (least: number, most: number) => number
  chance: (probability: number) => boolean
  pick: <T>(from: readonly T[]) => T
  shuffled: <T>(from: readonly T[]) => T[]
  uuid: () => string
  /** A separate sequence for one part of the data, so that a change of that part does not affect others. */
  fork: (part: string) => Random
}

function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

/** mulberry32 */
export function makeRandom(seed: number | string): Random {
  let state = hashOf(String(seed))
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  const hex = (digits: number) => Array.from({ length: digits }, () => between(0, 15).toString(16)).join('')
  return {
    next,
    between,
    chance: (probability) => next() < probability,
    pick: (from) => from[between(0, from.length - 1)]!,
    shuffled: (from) => {
      const mixed = [...from]
      for (let i = mixed.length - 1; i > 0; i--) {
        const j = between(0, i)
        const held = mixed[i]!
        mixed[i] = mixed[j]!
        mixed[j] = held
      }
      return mixed
    },
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-${'89ab'[between(0, 3)]}${hex(3)}-${hex(12)}`,
    fork: (part) => makeRandom(`${seed}/${part}`),
  }
}
