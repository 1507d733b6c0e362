import { startTestServer } from '#test/support/postgres-server.ts'
import { describeMutant, isEquivalent, takeSample } from '../sampling.ts'
import { type Coverage, getKnownCoverage, keepCoverage, recordCoverage } from './coverage.ts'
import { DATABASE_GROUPS, type DatabaseGroup, FEATURE_GROUPS } from './groups.ts'
import { type Job, type JudgeOptions, judgeMutants, type NearTests, type Verdict } from './judge.ts'
import { type DatabaseMutant, findMutants } from './mutated-modules.ts'
import { Results } from './results.ts'
import { judgeTogether } from './together.ts'
import { DatabaseWorker } from './worker.ts'

export type DatabaseOptions = JudgeOptions & {
  groups: readonly string[] | undefined
  files: readonly string[] | undefined
  max: number | undefined
  seed: number
  jobs: number
  isFresh: boolean
  isListed: boolean
  /** No mutant is begun after so many milliseconds. */
  budgetMs: number
}

/** What files of tests reach. A line names tests that cannot run here. */
function makeNearTests(of: NearTests['of']): NearTests {
  const covered = new Map<string, Coverage>()
  const note = (test: string, coverage: Coverage | undefined) => {
    if (coverage?.obstacle && !covered.has(test)) console.log(`left out: ${test}, ${coverage.obstacle}`)
    if (coverage) covered.set(test, coverage)
    return coverage
  }
  const known = (test: string) => covered.get(test) ?? note(test, getKnownCoverage(test))
  return {
    of,
    known,
    keep: (test, parts, active) => note(test, keepCoverage(test, parts, active))!,
    cover: async (test, worker) => known(test) ?? note(test, await recordCoverage(test, worker))!,
  }
}

const countOf = (verdicts: readonly Verdict[], ...outcomes: Verdict['outcome'][]): number =>
  verdicts.filter(({ outcome }) => outcomes.includes(outcome)).length

function describeScore(verdicts: readonly Verdict[]): { score: number; text: string } {
  const noticed = countOf(verdicts, 'failed', 'too slow')
  const counted = verdicts.length - countOf(verdicts, 'invalid')
  const score = counted === 0 ? 100 : (100 * noticed) / counted
  const slow = countOf(verdicts, 'too slow')
  const limited = verdicts.filter(({ outcome, isLimited }) => outcome === 'passed' && isLimited).length
  const survivors = `${countOf(verdicts, 'unreached')} of the others reached by no test, ${limited} not tried with all tests`
  return { score, text: `${score.toFixed(1)} % (${noticed} of ${counted} noticed, ${slow} by the time limit; ${survivors}` }
}

type Setting = { jobs: readonly Job[]; results: Results; until: number }

async function checkGroup(name: string, group: DatabaseGroup, options: DatabaseOptions, setting: Setting): Promise<boolean> {
  const files = group.files.filter((file) => !options.files || options.files.includes(file))
  const all = findMutants(files)
  const chosen = options.max ? takeSample(all, options.max, options.seed) : all
  const counted = chosen.filter((mutant) => !isEquivalent(mutant))
  if (counted.length === 0) return true
  const tests = makeNearTests(group.testsOf)
  const nearby = new Set(counted.flatMap(({ file }) => group.testsOf(file)))
  console.log(`${name}: ${counted.length} mutants, ${nearby.size} files of tests`)
  const verdicts: Verdict[] = []
  const note = (verdict: Verdict) => {
    verdicts.push(verdict)
    const { outcome, mutant } = verdict
    if (outcome === 'passed' || outcome === 'unreached')
      console.log(`${outcome === 'passed' ? 'survived' : 'unreached'}: ${describeMutant(mutant)}`)
    else if (options.isListed) console.log(`${outcome}: ${describeMutant(mutant)}   by: ${verdict.by.join()}`)
  }
  const queue: DatabaseMutant[] = []
  for (const mutant of counted) {
    const known = setting.results.get(mutant, group.testsOf(mutant.file))
    if (known) note(known)
    else queue.push(mutant)
  }
  // Mutants of one file follow each other: the tests that noticed one are tried first for the next.
  queue.sort((a, b) => a.file.localeCompare(b.file) || a.index - b.index)
  const next = () => (performance.now() < setting.until ? queue.shift() : undefined)
  const open: DatabaseMutant[] = []
  const decide = (verdict: Verdict) => {
    setting.results.add(verdict)
    note(verdict)
  }
  const work = async (job: Job) => {
    for await (const verdict of judgeMutants(next, tests, job, options)) {
      if (verdict.outcome === 'passed' && verdict.isLimited) open.push(verdict.mutant)
      else decide(verdict)
    }
  }
  await Promise.all(setting.jobs.map(work))
  if (open.length > 0) console.log(`${name}: ${open.length} passed the nearest tests and are tried together with the others`)
  const together = { tests, job: setting.jobs[0]!, options, isOver: () => performance.now() >= setting.until }
  for await (const verdict of judgeTogether(open, together)) decide(verdict)
  const { score, text } = describeScore(verdicts)
  const untried = queue.length > 0 ? `, ${queue.length} not tried because the time was over` : ''
  const size = chosen.length < all.length ? `a sample of ${chosen.length} of ${all.length}` : `all ${all.length}`
  const rest = `${countOf(verdicts, 'invalid')} no valid statement, ${chosen.length - counted.length} equivalent${untried}`
  console.log(`${name}: ${text}; ${size} in ${files.length} files, ${rest}); at least ${group.least} %`)
  return score >= group.least
}

/** Returns the names of groups that are below their score. */
export async function checkWithDatabase(options: DatabaseOptions): Promise<string[]> {
  const names = options.groups ?? Object.keys(DATABASE_GROUPS)
  const selectable = { ...FEATURE_GROUPS, ...DATABASE_GROUPS }
  const unknown = names.filter((name) => !selectable[name])
  if (unknown.length > 0)
    throw new Error(`unknown group ${unknown.join(', ')}; groups: ${Object.keys(DATABASE_GROUPS).join(', ')}, and each feature`)
  // One server per job: databases of other jobs must not be dropped.
  const servers = await Promise.all(Array.from({ length: options.jobs }, startTestServer))
  const jobs = servers.map(({ url }): Job => ({ worker: new DatabaseWorker(url), server: url }))
  const stop = async () => {
    await Promise.all(jobs.map(({ worker }) => worker.stop()))
    await Promise.all(servers.map((server) => server.stop()))
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop().finally(() => process.exit(1)))
  try {
    const setting = { jobs, results: new Results(options.isFresh), until: performance.now() + options.budgetMs }
    const below: string[] = []
    for (const name of names) if (!(await checkGroup(name, selectable[name]!(), options, setting))) below.push(name)
    return below
  } finally {
    await stop()
  }
}
