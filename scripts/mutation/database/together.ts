import type { MutantId } from './active-mutant.ts'
import { type Coverage, chooseLoading, chooseReaching, isReachedByLoading, type Reaching } from './coverage.ts'
import { FIRST_RUN_MS, idOf, type Job, type JudgeOptions, type NearTests, nearness, type Outcome, type Verdict } from './judge.ts'
import type { DatabaseMutant } from './mutated-modules.ts'
import { DatabaseWorker, type Run } from './worker.ts'

type Found = { mutant: DatabaseMutant; outcome: Outcome }
type Setting = { tests: NearTests; job: Job; options: JudgeOptions; isOver: () => boolean }

/** Tests that reach a mutant, those that only load it included if it has an effect then. */
function reachingOf(coverage: Coverage, mutant: DatabaseMutant): Reaching | undefined {
  const isLoaded = mutant.isStatic || isReachedByLoading(coverage, mutant)
  return (isLoaded ? undefined : chooseReaching(coverage, mutant)) ?? (isLoaded ? chooseLoading(coverage, mutant) : undefined)
}

const isReached = (parts: NonNullable<Run['answer']>['parts'], { file }: DatabaseMutant): boolean =>
  !parts || parts.some(({ reached }) => reached[file] !== undefined)

/** The failed test with those before it in its suite; the whole file if it is not known. */
function beforeAndIncluding(failed: string | undefined): { chosen?: string[] } {
  const numbers = failed?.split('.') ?? []
  const last = Number(numbers.pop())
  if (!failed || Number.isNaN(last)) return {}
  return { chosen: Array.from({ length: last + 1 }, (_, number) => [...numbers, number].join('.')) }
}

/** Which of the mutants make the test fail, by halves. */
async function findCulprits(
  mutants: readonly DatabaseMutant[],
  run: (mutants: readonly DatabaseMutant[]) => Promise<Run>,
): Promise<Found[]> {
  if (mutants.length === 0) return []
  const { outcome, answer } = await run(mutants)
  if (outcome === 'passed') return []
  if (mutants.length === 1) {
    const mutant = mutants[0]!
    return [{ mutant, outcome: mutant.isSql && answer?.isInvalid ? 'invalid' : outcome }]
  }
  const middle = Math.ceil(mutants.length / 2)
  return [...(await findCulprits(mutants.slice(0, middle), run)), ...(await findCulprits(mutants.slice(middle), run))]
}

const overlap = (a: DatabaseMutant, b: DatabaseMutant): boolean =>
  a.file === b.file && a.place.start < b.place.end && b.place.start < a.place.end

/** Of two mutants in one place, only one would have an effect. */
function inRounds(mutants: readonly DatabaseMutant[]): DatabaseMutant[][] {
  const rounds: DatabaseMutant[][] = []
  for (const mutant of mutants) {
    const round = rounds.find((each) => !each.some((other) => overlap(mutant, other)))
    if (round) round.push(mutant)
    else rounds.push([mutant])
  }
  return rounds
}

/**
 * Mutants that the nearest tests did not notice are active together, from the start of a process, while all other tests near them run.
 * When a test fails, those that make it fail are found and left out, and the file runs again.
 */
export async function* judgeTogether(open: readonly DatabaseMutant[], setting: Setting): AsyncGenerator<Verdict> {
  for (const round of inRounds(open)) yield* judgeRound(round, setting)
}

async function* judgeRound(open: readonly DatabaseMutant[], setting: Setting): AsyncGenerator<Verdict> {
  const { tests, job, options, isOver } = setting
  let rest = [...open]
  const ids = (mutants: readonly DatabaseMutant[]): MutantId[] => mutants.map(idOf)
  const near = new Map<string, number>()
  for (const { file } of open)
    for (const test of tests.of(file)) near.set(test, Math.max(near.get(test) ?? 0, nearness(test, file)))
  const ordered = [...near.keys()].sort((a, b) => near.get(b)! - near.get(a)!)
  let worker = new DatabaseWorker(job.server, ids(rest))
  const restart = async () => {
    await worker.stop()
    worker = new DatabaseWorker(job.server, ids(rest))
  }
  const runSome = async (mutants: readonly DatabaseMutant[], request: { test: string; chosen?: string[] }): Promise<Run> => {
    const limitMs = options.patienceMs + FIRST_RUN_MS
    if (!mutants.some(({ isStatic }) => isStatic)) return job.worker.run({ ...request, mutants: ids(mutants) }, limitMs)
    const own = new DatabaseWorker(job.server, ids(mutants))
    try {
      return await own.run(request, limitMs)
    } finally {
      await own.stop()
    }
  }
  let untried = 0
  const tried = new Set<DatabaseMutant>()
  try {
    for (const test of ordered) {
      if (rest.length === 0) break
      if (isOver()) {
        untried++
        continue
      }
      let hasFailed = false
      for (;;) {
        const nearby = rest.filter(({ file }) => tests.of(file).includes(test))
        const known = tests.known(test)
        const reaching = known && nearby.flatMap((mutant) => reachingOf(known, mutant) ?? [])
        if (nearby.length === 0 || known?.obstacle || reaching?.length === 0) break
        const chosen = reaching && [...new Set(reaching.flatMap((each) => each.chosen ?? []))]
        const request = { test, mutants: ids(nearby), ...(chosen ? { chosen } : { isRecorded: true }) }
        const { outcome, answer } = await worker.run(request, options.patienceMs + FIRST_RUN_MS)
        if (outcome === 'passed') {
          const coverage = known ?? tests.keep(test, answer?.parts ?? [], nearby)
          for (const mutant of nearby) if (reachingOf(coverage, mutant)) tried.add(mutant)
          break
        }
        const which = { test, ...beforeAndIncluding(answer?.failed) }
        const candidates = nearby.filter((mutant) => (known ? reachingOf(known, mutant) : isReached(answer?.parts, mutant)))
        const isSound = (await runSome([], which)).outcome === 'passed'
        const culprits = isSound ? await findCulprits(candidates, (mutants) => runSome(mutants, which)) : []
        for (const { mutant, outcome: found } of culprits) yield { mutant, outcome: found, by: [test], isLimited: false }
        rest = rest.filter((mutant) => !culprits.some((culprit) => culprit.mutant === mutant))
        if (!isSound || (culprits.length === 0 && hasFailed)) {
          console.log(`left out: ${test}, ${isSound ? 'no mutant alone makes it fail' : 'it fails without a mutant'}`)
          break
        }
        hasFailed = culprits.length === 0
        // The others have no effect any more, unless files were loaded with them.
        if (hasFailed || !answer || culprits.some(({ mutant }) => mutant.isStatic)) await restart()
      }
    }
  } finally {
    await worker.stop()
  }
  for (const mutant of rest) {
    const isUnreached = untried === 0 && !tried.has(mutant)
    yield { mutant, outcome: isUnreached ? 'unreached' : 'passed', by: [...tests.of(mutant.file)], isLimited: untried > 0 }
  }
}
