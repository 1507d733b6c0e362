import { readFileSync } from 'node:fs'
import type { Placed } from './mutants.ts'

/** Numbers from 0 to 1, the same for the same seed. */
function* randomNumbers(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    yield state / 2 ** 32
  }
}

export function takeSample<T>(all: readonly T[], max: number, seed: number): T[] {
  const random = randomNumbers(seed)
  const weighted = all.map((each) => ({ each, weight: random.next().value! }))
  return weighted
    .sort((a, b) => a.weight - b.weight)
    .slice(0, max)
    .map(({ each }) => each)
}

type Equivalent = { file: string; code: string; from: string; to: string; reason: string }
const equivalents: Equivalent[] = JSON.parse(readFileSync(new URL('./equivalents.json', import.meta.url), 'utf8'))

/** No test can notice it; the list has the reason. */
export const isEquivalent = (mutant: Placed): boolean =>
  equivalents.some(({ file, code, from, to }) =>
    [file === mutant.file, code === mutant.code, from === mutant.from, to === mutant.to].every(Boolean),
  )

export const describeMutant = ({ file, line, from, to, code }: Placed): string =>
  `${file}:${line} ${from} → ${to || '(nothing)'}   in: ${code}`
