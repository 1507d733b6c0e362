import { findNearTests } from './find-tests.ts'
import type { Placed } from './mutants.ts'
import { type Outcome, runInProcess } from './test-process.ts'
import type { TestWorker } from './test-worker.ts'

/** A mutant that loops forever is noticed by this: a multiple of the time without a mutant, because other programs may need the processor. */
const TIMEOUT_FACTOR = 5
const LEAST_TIMEOUT_MS = 20_000
const UNCHANGED_TIMEOUT_MS = 15 * 60_000

export type Options = { isConfirmed: boolean; isByProcess: boolean }
export type Verdict = { mutant: Placed; outcome: Outcome }

type Measured = { ms: number; count: number }
/** How long tests take in a process without a mutant, and how many there are. */
const unchanged = new Map<string, Promise<Measured>>()
function measureInProcess(tests: readonly string[]): Promise<Measured> {
  const key = tests.join(' ')
  const measureOnce = async (): Promise<Measured> => {
    const started = performance.now()
    const { outcome, count } = await runInProcess(undefined, tests, UNCHANGED_TIMEOUT_MS)
    // They would notice every mutant.
    if (outcome !== 'passed') throw new Error(`without a mutant, these tests are ${outcome}: ${key}`)
    return { ms: performance.now() - started, count }
  }
  if (!unchanged.has(key)) unchanged.set(key, measureOnce())
  return unchanged.get(key)!
}

async function judgeInProcess(mutant: Placed, tests: readonly string[]): Promise<Outcome> {
  const { ms } = await measureInProcess(tests)
  return (await runInProcess(mutant, tests, Math.max(LEAST_TIMEOUT_MS, TIMEOUT_FACTOR * ms))).outcome
}

/** Why the tests of a file cannot run in the worker. */
async function findObstacle(file: string, tests: readonly string[], worker: TestWorker): Promise<string | undefined> {
  const { outcome, count, failure } = await worker.run(file, tests)
  if (outcome !== 'passed') return `the unchanged tests are ${outcome}: ${failure?.split('\n')[0]}`
  const inProcess = await measureInProcess(tests)
  return count === inProcess.count ? undefined : `${count} of ${inProcess.count} tests run`
}

/** Files whose tests cannot run in the worker. */
const refused = new Set<string>()
/**
 * The verdicts of the worker, or undefined if these mutants must run in processes: if the tests fail there without a mutant, before the
 * first mutant or after the last one, their failures say nothing.
 */
async function judgeInWorker(
  file: string,
  mutants: readonly Placed[],
  worker: TestWorker,
): Promise<Map<Placed, Outcome> | undefined> {
  const tests = findNearTests(file)
  if (tests.length === 0 || refused.has(file)) return undefined
  const refuse = (reason: string) => {
    refused.add(file)
    console.log(`${file}: the tests run in a process for each mutant, because in the worker ${reason}`)
    return undefined
  }
  const obstacle = await findObstacle(file, tests, worker)
  if (obstacle) return refuse(obstacle)
  const verdicts = new Map<Placed, Outcome>()
  for (const mutant of mutants) verdicts.set(mutant, (await worker.run(file, tests, mutant)).outcome)
  const { outcome } = await worker.run(file, tests)
  if (outcome === 'passed') return verdicts
  worker.stop()
  return refuse(`the unchanged tests are ${outcome} after mutants`)
}

/** Verdicts about mutants of one file, one after another. A mutant that passes in the worker runs in a process, too. */
export async function* judgeMutants(
  file: string,
  mutants: readonly Placed[],
  worker: TestWorker,
  options: Options,
): AsyncGenerator<Verdict> {
  const inWorker = options.isByProcess ? undefined : await judgeInWorker(file, mutants, worker)
  for (const mutant of mutants) {
    const first = inWorker?.get(mutant)
    const isFinal = first !== undefined && (first !== 'passed' || !options.isConfirmed)
    yield { mutant, outcome: isFinal ? first : await judgeInProcess(mutant, findNearTests(file)) }
  }
}
