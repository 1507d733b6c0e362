import { existsSync } from 'node:fs'
import { hashOfTest } from './coverage.ts'
import type { Outcome, Verdict } from './judge.ts'
import { type DatabaseMutant, readCached, writeCached } from './mutated-modules.ts'

type Stored = { outcome: Outcome; isLimited: boolean; by: Record<string, string> }

/** Verdicts of earlier runs, for a run that was interrupted and for figures of several groups. */
export class Results {
  readonly #stored: Record<string, Stored>

  constructor(isFresh: boolean) {
    this.#stored = isFresh ? {} : (readCached<Record<string, Stored>>('results.json') ?? {})
  }

  /** The verdict, if neither the file of the mutant nor the tests that led to it were changed. `tests`: those that could reach it. */
  get(mutant: DatabaseMutant, tests: readonly string[]): Verdict | undefined {
    const stored = this.#stored[keyOf(mutant)]
    if (!stored) return undefined
    const { outcome, isLimited, by } = stored
    // Other programs may have been the cause.
    if (outcome === 'too slow' || isLimited) return undefined
    const isNoticed = outcome === 'failed' || outcome === 'invalid'
    const isCurrent = Object.entries(by).every(([test, hash]) => existsSync(test) && hashOfTest(test) === hash)
    // A test that was added since may notice it.
    const isComplete = isNoticed || tests.every((test) => by[test] !== undefined)
    return isCurrent && isComplete ? { mutant, outcome, isLimited, by: Object.keys(by) } : undefined
  }

  add({ mutant, outcome, isLimited, by }: Verdict): void {
    const stored = { outcome, isLimited, by: Object.fromEntries(by.map((test) => [test, hashOfTest(test)])) }
    this.#stored[keyOf(mutant)] = stored
    // Another run may have written since.
    writeCached('results.json', { ...readCached<Record<string, Stored>>('results.json'), [keyOf(mutant)]: stored })
  }
}

const keyOf = ({ hash, index }: DatabaseMutant): string => `${hash} ${index}`
