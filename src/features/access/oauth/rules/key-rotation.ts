const DAY = 24 * 3600 * 1000
/** A new key is published before it signs, so that clients with a cached key set know it by then. */
const SHOWN_FIRST = DAY
const USED_FOR = 90 * DAY
/** Longer than any token that it signed is valid. */
const SHOWN_AFTER = 14 * DAY

export type KeyTimes = { kid: string; createdAt: Date; retiredAt: Date | null }

/** Deterministic, so that all nodes decide the same. */
export function planKeyRotation(
  keys: readonly KeyTimes[],
  now: Date,
): { mustMake: boolean; retire: string[]; remove: string[]; inOrder: string[] } {
  const age = (since: Date) => now.getTime() - since.getTime()
  const newestFirst = keys.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.kid < b.kid ? -1 : 1))
  const live = newestFirst.filter(({ retiredAt }) => !retiredAt)
  const signing = live.find(({ createdAt }) => age(createdAt) >= SHOWN_FIRST) ?? live.at(-1)
  const remove = newestFirst.filter(({ retiredAt }) => retiredAt && age(retiredAt) >= SHOWN_AFTER)
  const shown = newestFirst.filter((key) => key !== signing && !remove.includes(key))
  return {
    mustMake: !live[0] || age(live[0].createdAt) >= USED_FOR - SHOWN_FIRST,
    retire: signing ? live.filter(({ createdAt }) => createdAt < signing.createdAt).map(({ kid }) => kid) : [],
    remove: remove.map(({ kid }) => kid),
    /** The first key signs, all are published. */
    inOrder: [...(signing ? [signing] : []), ...shown].map(({ kid }) => kid),
  }
}
