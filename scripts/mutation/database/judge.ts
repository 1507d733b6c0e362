import type { MutantId } from './active-mutant.ts'
import { type Coverage, chooseLoading, chooseReaching, isReachedByLoading, type Reaching } from './coverage.ts'
import type { DatabaseMutant } from './mutated-modules.ts'
import { DatabaseWorker } from './worker.ts'

/** `unreached`: no test reaches it. `invalid`: PostgreSQL did not understand the statement, so nobody would write it. */
export type Outcome = 'passed' | 'failed' | 'too slow' | 'unreached' | 'invalid'
/** `by`: the file of tests that noticed it, or all that did not. `isLimited`: some of them did not run. */
export type Verdict = { mutant: DatabaseMutant; outcome: Outcome; by: string[]; isLimited: boolean }
export type Job = { worker: DatabaseWorker; server: string }
export type JudgeOptions = { isConfirmed: boolean; mostMs: number }

/** How long a test may take: more than other programs delay it. */
const limitOf = (ms: number): number => 30_000 + 10 * ms
/** After so many mutants, tests that noticed one run without a mutant. */
const CHUNK_SIZE = 20

/** How often a file of tests noticed mutants of a file. */
const kills = new Map<string, number>()
const keyOf = (test: string, file: string): string => `${test} ${file}`

/** How many folders two files have in common; most if the test has the name of the file. */
function nearness(test: string, file: string): number {
  if (test === file.replace(/\.ts$/, '.test.ts')) return 100
  const [a, b] = [test.split('/'), file.split('/')]
  return a.findIndex((part, index) => part !== b[index])
}

/** Tests that noticed other mutants of the file first, then near ones, then short ones. */
function orderTests(reaching: readonly Reaching[], { file }: MutantId): Reaching[] {
  const weigh = ({ test }: Reaching) => (kills.get(keyOf(test, file)) ?? 0) * 5 + nearness(test, file)
  return reaching.toSorted((a, b) => weigh(b) - weigh(a) || a.ms - b.ms)
}

/** As many as fit into the time, and at least one. */
function within(reaching: readonly Reaching[], mostMs: number): Reaching[] {
  let sum = 0
  return reaching.filter(({ ms }, index) => {
    sum += ms
    return index === 0 || sum <= mostMs
  })
}

type Attempt = { outcome: Outcome; killer?: Reaching }

async function tryTests(mutant: DatabaseMutant, tests: readonly Reaching[], worker: DatabaseWorker): Promise<Attempt> {
  const id = { file: mutant.file, index: mutant.index }
  for (const reaching of tests) {
    const { test, chosen, ms } = reaching
    const { outcome, answer } = await worker.run({ test, chosen, mutant: id }, limitOf(ms))
    if (outcome === 'passed') continue
    kills.set(keyOf(test, mutant.file), (kills.get(keyOf(test, mutant.file)) ?? 0) + 1)
    const isInvalid = mutant.isSql && answer?.isInvalid === true
    return { outcome: isInvalid ? 'invalid' : outcome, killer: reaching }
  }
  return { outcome: 'passed' }
}

/** In a process that loads everything with the mutant. */
async function tryFromStart(mutant: DatabaseMutant, tests: readonly Reaching[], server: string): Promise<Attempt> {
  const worker = new DatabaseWorker(server, { file: mutant.file, index: mutant.index })
  try {
    return await tryTests(mutant, tests, worker)
  } finally {
    await worker.stop()
  }
}

type Judged = Omit<Verdict, 'by'> & Attempt

/** `isAlone`: in a process that loads everything with the mutant, also if the mutant has an effect without it. */
async function judge(
  mutant: DatabaseMutant,
  coverages: readonly Coverage[],
  job: Job,
  { isConfirmed, mostMs, isAlone = false }: JudgeOptions & { isAlone?: boolean },
): Promise<Judged> {
  const findTests = (choose: typeof chooseReaching) =>
    orderTests(
      coverages.flatMap((coverage) => choose(coverage, mutant) ?? []),
      mutant,
    )
  const reaching = mutant.isStatic ? [] : findTests(chooseReaching)
  const isStatic =
    mutant.isStatic || (reaching.length === 0 && coverages.some((coverage) => isReachedByLoading(coverage, mutant)))
  const all = isStatic ? findTests(chooseLoading) : reaching
  if (all.length === 0) return { mutant, outcome: 'unreached', isLimited: false }
  const tests = within(all, mostMs)
  const isLimited = tests.length < all.length
  if (!isStatic && !isAlone) {
    const attempt = await tryTests(mutant, tests, job.worker)
    if (attempt.outcome !== 'passed' || !isConfirmed) return { mutant, isLimited, ...attempt }
    // Something may be kept from before the mutant was active.
  }
  return { mutant, isLimited, ...(await tryFromStart(mutant, tests, job.server)) }
}

/** Whether tests that noticed mutants pass without one: a mutant may leave something in the process. */
async function passUnchanged(killers: readonly Reaching[], worker: DatabaseWorker): Promise<boolean> {
  const last = new Map(killers.map((killer) => [killer.test, killer]))
  for (const { test, chosen, ms } of last.values())
    if ((await worker.run({ test, chosen }, limitOf(ms))).outcome !== 'passed') return false
  return true
}

/** Verdicts about mutants, in chunks. */
export async function* judgeMutants(
  next: () => DatabaseMutant | undefined,
  coverages: readonly Coverage[],
  job: Job,
  options: JudgeOptions,
): AsyncGenerator<Verdict> {
  for (;;) {
    const chunk: Judged[] = []
    for (let mutant = next(); mutant; mutant = chunk.length < CHUNK_SIZE ? next() : undefined)
      chunk.push(await judge(mutant, coverages, job, options))
    if (chunk.length === 0) return
    const killers = chunk.flatMap(({ killer, outcome }) => (killer && outcome === 'failed' ? [killer] : []))
    const isTrusted = await passUnchanged(killers, job.worker)
    if (!isTrusted) await job.worker.stop()
    for (const judged of chunk) {
      const { mutant, killer } = judged
      const isValid = isTrusted || !killer || mutant.isStatic
      const final = isValid ? judged : await judge(mutant, coverages, job, { ...options, isAlone: true })
      const { outcome, isLimited } = final
      yield { mutant, outcome, isLimited, by: final.killer ? [final.killer.test] : coverages.map(({ test }) => test) }
    }
  }
}
