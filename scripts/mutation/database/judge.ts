import { findImportingTests } from '../find-tests.ts'
import type { MutantId } from './active-mutant.ts'
import { type Coverage, chooseLoading, chooseReaching, DOCUMENT_TEST, isReachedByLoading, type Reaching } from './coverage.ts'
import type { DatabaseMutant } from './mutated-modules.ts'
import { DatabaseWorker, type Run } from './worker.ts'
import type { Part } from './worker-main.ts'

/** `unreached`: no test reaches it. `invalid`: PostgreSQL did not understand the statement, so nobody would write it. */
export type Outcome = 'passed' | 'failed' | 'too slow' | 'unreached' | 'invalid'
/** `by`: the file of tests that noticed it, or all that did not. `isLimited`: some of them did not run. */
export type Verdict = { mutant: DatabaseMutant; outcome: Outcome; by: string[]; isLimited: boolean }
export type Job = { worker: DatabaseWorker; server: string }
/** `mostMs`: of all tests of a mutant. `patienceMs`: how much longer than ten times as long as before a test may take. */
export type JudgeOptions = { isConfirmed: boolean; mostMs: number; patienceMs: number }
/** Files of tests that may notice mutants of a file. `known`: what they reach, as far as they ran. `cover`: runs them twice to find it. */
export type NearTests = {
  of: (file: string) => readonly string[]
  known: (test: string) => Coverage | undefined
  keep: (test: string, parts: readonly Part[], active: readonly DatabaseMutant[]) => Coverage
  cover: (test: string, worker: DatabaseWorker) => Promise<Coverage>
}
/** After so many mutants, tests that noticed one run without a mutant. */
const CHUNK_SIZE = 10

/** How often a file of tests noticed mutants of a file. */
const kills = new Map<string, number>()
export const idOf = ({ file, index }: DatabaseMutant): MutantId => ({ file, index })
const keyOf = (test: string, file: string): string => `${test} ${file}`

const importing = new Map<string, Set<string>>()
function imports(test: string, file: string): boolean {
  if (!importing.has(file)) importing.set(file, new Set(findImportingTests([file])))
  return importing.get(file)!.has(test)
}

/**
 * How many folders two files have in common; more if the test imports the file, much more if it has its name. The test of the document
 * takes no time, so it never waits for the limit of others.
 */
export function nearness(test: string, file: string): number {
  if (test === file.replace(/\.ts$/, '.test.ts')) return 100
  if (test === DOCUMENT_TEST) return 150
  const [a, b] = [test.split('/'), file.split('/')]
  return a.findIndex((part, index) => part !== b[index]) + (imports(test, file) ? 3 : 0)
}

/** Tests that noticed other mutants of the file first, then near ones. */
function orderTests(tests: readonly string[], file: string): string[] {
  const weigh = (test: string) => (kills.get(keyOf(test, file)) ?? 0) * 5 + nearness(test, file)
  return tests.toSorted((a, b) => weigh(b) - weigh(a))
}

type Attempt = { outcome: Outcome; killer?: Reaching }

async function tryTest(mutant: DatabaseMutant, reaching: Reaching, worker: DatabaseWorker, limitMs: number): Promise<Attempt> {
  const { ms: _, ...which } = reaching
  return judgeRun(mutant, reaching, await worker.run({ ...which, mutants: [idOf(mutant)] }, limitMs))
}

function judgeRun(mutant: DatabaseMutant, killer: Reaching, { outcome, answer }: Run): Attempt {
  if (outcome === 'passed') return { outcome }
  kills.set(keyOf(killer.test, mutant.file), (kills.get(keyOf(killer.test, mutant.file)) ?? 0) + 1)
  const isInvalid = mutant.isSql && answer?.isInvalid === true
  return { outcome: isInvalid ? 'invalid' : outcome, killer }
}

/** `tried`: how many files of tests ran. `isLimited`: the time was over before the last. */
type Search = Attempt & { tried: number; isLimited: boolean }
type Chooser = (coverage: Coverage, mutant: MutantId) => Reaching | undefined

/** How long a test may take if it is not known how long it takes without a mutant. */
export const FIRST_RUN_MS = 120_000

/**
 * Runs tests, the nearest first, until one notices the mutant. A file whose reach is not known runs as a whole, with the mutant: most
 * mutants are noticed by the first file, and then its reach need not be known. `isCovered`: only with tests that pass without it.
 */
async function search(
  mutant: DatabaseMutant,
  choose: Chooser,
  worker: DatabaseWorker,
  { tests, job, mostMs, patienceMs, isCovered }: JudgeOptions & { tests: NearTests; job: Job; isCovered: boolean },
): Promise<Search> {
  let tried = 0
  let sum = 0
  for (const test of orderTests(tests.of(mutant.file), mutant.file)) {
    if (!isCovered && !tests.known(test)) {
      const run = await worker.run({ test, isRecorded: true, mutants: [idOf(mutant)] }, patienceMs + FIRST_RUN_MS)
      const parts = run.answer?.parts ?? []
      const ms = parts.reduce((all, part) => all + part.ms, 0)
      const attempt = judgeRun(mutant, { test, ms: ms + FIRST_RUN_MS / 10 }, run)
      if (attempt.outcome !== 'passed') return { ...attempt, tried: tried + 1, isLimited: false }
      const reaching = choose(tests.keep(test, parts, [mutant]), mutant)
      if (reaching) tried++
      sum += ms
      if (sum > mostMs) return { outcome: 'passed', tried, isLimited: true }
      continue
    }
    const coverage = await tests.cover(test, job.worker)
    const reaching = coverage.obstacle === undefined ? choose(coverage, mutant) : undefined
    if (!reaching) continue
    sum += reaching.ms
    if (tried > 0 && sum > mostMs) return { outcome: 'passed', tried, isLimited: true }
    tried++
    const attempt = await tryTest(mutant, reaching, worker, patienceMs + 10 * reaching.ms)
    if (attempt.outcome !== 'passed') return { ...attempt, tried, isLimited: false }
  }
  return { outcome: 'passed', tried, isLimited: false }
}

type Judged = Omit<Verdict, 'by'> & Attempt

/** `isAlone`: in a process that loads everything with the mutant, also if the mutant has an effect without it. */
async function judge(
  mutant: DatabaseMutant,
  tests: NearTests,
  job: Job,
  { isAlone = false, ...options }: JudgeOptions & { isAlone?: boolean },
): Promise<Judged> {
  const setting = { ...options, tests, job, isCovered: isAlone }
  const searchAlone = async (choose: Chooser): Promise<Search> => {
    const worker = new DatabaseWorker(job.server, [idOf(mutant)])
    try {
      return await search(mutant, choose, worker, setting)
    } finally {
      await worker.stop()
    }
  }
  const finish = ({ tried, ...attempt }: Search): Judged =>
    tried === 0 && !attempt.isLimited ? { mutant, outcome: 'unreached', isLimited: false } : { mutant, ...attempt }
  if (mutant.isStatic) return finish(await searchAlone(chooseLoading))
  const first = isAlone ? await searchAlone(chooseReaching) : await search(mutant, chooseReaching, job.worker, setting)
  if (first.outcome === 'passed' && first.isLimited) return finish(first)
  if (first.tried === 0) {
    const all = await Promise.all(tests.of(mutant.file).map((test) => tests.cover(test, job.worker)))
    const isLoaded = all.some((coverage) => isReachedByLoading(coverage, mutant))
    return finish(isLoaded ? await searchAlone(chooseLoading) : first)
  }
  // Something may be kept from before the mutant was active.
  if (first.outcome === 'passed' && options.isConfirmed && !isAlone) return finish(await searchAlone(chooseReaching))
  return finish(first)
}

/** Whether tests that noticed mutants pass without one: a mutant may leave something in the process. */
async function passUnchanged(killers: readonly Reaching[], worker: DatabaseWorker, patienceMs: number): Promise<boolean> {
  const last = new Map(killers.map((killer) => [killer.test, killer]))
  for (const { ms, ...which } of last.values())
    if ((await worker.run(which, patienceMs + 10 * ms)).outcome !== 'passed') return false
  return true
}

/** Verdicts about mutants, in chunks. */
export async function* judgeMutants(
  next: () => DatabaseMutant | undefined,
  tests: NearTests,
  job: Job,
  options: JudgeOptions,
): AsyncGenerator<Verdict> {
  for (;;) {
    const chunk: Judged[] = []
    for (let mutant = next(); mutant; mutant = chunk.length < CHUNK_SIZE ? next() : undefined)
      chunk.push(await judge(mutant, tests, job, options))
    if (chunk.length === 0) return
    const killers = chunk.flatMap(({ killer, outcome }) => (killer && outcome === 'failed' ? [killer] : []))
    const isTrusted = await passUnchanged(killers, job.worker, options.patienceMs)
    if (!isTrusted) await job.worker.stop()
    for (const judged of chunk) {
      const { mutant, killer } = judged
      const isValid = isTrusted || !killer || mutant.isStatic
      const final = isValid ? judged : await judge(mutant, tests, job, { ...options, isAlone: true })
      const { outcome, isLimited } = final
      yield { mutant, outcome, isLimited, by: final.killer ? [final.killer.test] : [...tests.of(mutant.file)] }
    }
  }
}
