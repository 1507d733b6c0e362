// `npm run check:mutation`: changes the source in small ways, one at a time, and expects a test to fail for each.
//   -- --group moving --group federation   only these groups
//   -- --file src/features/moving/rules/values.ts
//   -- --near                              only tests that need no database, which takes a tenth of the time
//   -- --max 40                            a sample of this size per group; --seed 7 chooses another one
// Survivors are printed. One that no test can notice belongs in scripts/mutation/equivalents.json, with the reason.
// It mutates by itself instead of by Stryker, which would add 176 packages and copy the project for each worker.
import { spawn } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { startTestServer } from '#test/support/postgres-server.ts'
import { findMutants, type Mutant } from './mutation/mutants.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
process.chdir(root)

/** `tests` run after those that import the file, if all of these pass. */
type Group = { files: string[]; tests: string[] }
const GROUPS: Record<string, Group> = {
  moving: { files: ['src/features/moving/rules/*.ts'], tests: ['src/features/moving/**/*.test.ts'] },
  federation: {
    files: ['src/features/federation/partner.ts', 'src/features/federation/rules/*.ts'],
    tests: ['src/features/federation/hostile.test.ts'],
  },
  access: {
    files: ['src/features/*/access.ts'],
    tests: ['src/features/participations/commands/visitors.test.ts', 'test/contract/{visibility,privacy}.test.ts'],
  },
  ...Object.fromEntries(
    [
      'staffing',
      'eligibility',
      'participations',
      'disposition',
      'shift-forms',
      'planning',
      'series',
      'templates',
      'events',
      'users',
      'notifications',
      'messages',
      'sign-in',
      'finding',
    ].map((feature) => [
      feature,
      {
        files: [`src/features/${feature}/rules/*.ts`, `src/features/${feature}/rules.ts`],
        tests: [`src/features/${feature}/**/*.test.ts`],
      },
    ]),
  ),
}
const LEAST_SCORE = 85
/** A mutant that loops forever is noticed by this: a multiple of the time without a mutant, because other programs may need the processor. */
const TIMEOUT_FACTOR = 5
const LEAST_TIMEOUT_MS = 20_000
const UNCHANGED_TIMEOUT_MS = 15 * 60_000

const { values } = parseArgs({
  options: {
    group: { type: 'string', multiple: true },
    file: { type: 'string', multiple: true },
    max: { type: 'string' },
    near: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: String(Math.max(1, Math.floor(availableParallelism() / 2))) },
  },
})

type Equivalent = { file: string; code: string; from: string; to: string; reason: string }
const equivalents: Equivalent[] = JSON.parse(readFileSync('scripts/mutation/equivalents.json', 'utf8'))
type Placed = Mutant & { file: string }
const isEquivalent = (mutant: Placed): boolean =>
  equivalents.some(({ file, code, from, to }) =>
    [file === mutant.file, code === mutant.code, from === mutant.from, to === mutant.to].every(Boolean),
  )

/** Journeys drive a browser. */
const isSlow = (file: string): boolean => file.endsWith('journey.test.ts')
const isTest = (file: string): boolean => file.endsWith('.test.ts')
const allTests = globSync('src/**/*.test.ts').sort()
const sources = new Map(allTests.map((test) => [test, readFileSync(test, 'utf8')]))

/** Files of the project that a file imports, each read once. */
const imported = new Map<string, string[]>()
function importsOf(file: string): string[] {
  const known = imported.get(file)
  if (known) return known
  const source = sources.get(file) ?? readFileSync(file, 'utf8')
  const found = [...source.matchAll(/^(?:import|export|\}) (?!type ).*from '([^']+\.ts)'/gm)].map(([, target]) =>
    target!.startsWith('.')
      ? relative(root, resolve(dirname(file), target!))
      : target!.replace(/^#(?=features|platform)/, 'src/').replace(/^#/, ''),
  )
  imported.set(file, found)
  return found
}

function loads(test: string, file: string, seen = new Set([test])): boolean {
  return importsOf(test).some(
    (each) => each === file || (!seen.has(each) && existsSync(each) && loads(each, file, seen.add(each))),
  )
}

const pure = new Map<string, boolean>()
/** The test needs no PostgreSQL. */
function isPure(test: string): boolean {
  if (!pure.has(test)) pure.set(test, !loads(test, 'test/support/database.ts'))
  return pure.get(test)!
}

/** The test with the name of the file, then the other tests that import it, then those of its feature that load it without a database. */
function findDirectTests(file: string): string[] {
  const own = file.replace(/\.ts$/, '.test.ts')
  const feature = file.split('/').slice(0, 3).join('/')
  const importing = allTests.filter((test) => importsOf(test).includes(file))
  const loading = allTests.filter((test) => test.startsWith(`${feature}/`) && isPure(test) && loads(test, file))
  return [...new Set([...allTests.filter((test) => test === own), ...importing, ...loading])].filter((test) => !isSlow(test))
}

/** In the order in which they run: tests that load the file and need no database, others that import it, those of the group. */
function findTests(file: string, { tests }: Group): string[][] {
  const direct = findDirectTests(file)
  const near = direct.filter(isPure)
  if (values.near) return [near]
  const rest = tests.flatMap((pattern) => globSync(pattern).sort()).filter((test) => !isSlow(test) && !direct.includes(test))
  // All files of a process are loaded before the first test, so those that load the application wait.
  const [small, large] = [true, false].map((isSmall) =>
    direct.filter((test) => !isPure(test) && !sources.get(test)!.includes('openWorld') === isSmall),
  )
  return [near, small!, large!, rest]
}

/** Numbers from 0 to 1, the same for the same seed. */
function* randomNumbers(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    yield state / 2 ** 32
  }
}

function sample(mutants: Placed[], max: number): Placed[] {
  const random = randomNumbers(Number(values.seed))
  const weighted = mutants.map((mutant) => ({ mutant, weight: random.next().value! }))
  return weighted
    .sort((a, b) => a.weight - b.weight)
    .slice(0, max)
    .map(({ mutant }) => mutant)
}

type Outcome = 'passed' | 'failed' | 'too slow'

/** Ends the tests that run now. */
const running = new Set<() => void>()
const folder = mkdtempSync(join(tmpdir(), 'turnout-mutation-'))
let fileCount = 0

/** All tests in one process, because most of the time is needed to start it. It ends at the first failure. */
function runTests(mutant: Placed | undefined, tests: readonly string[], server: string, timeoutMs: number): Promise<Outcome> {
  const group = join(folder, `${++fileCount}.test.mjs`)
  const module = new URL('../test/support/file-group.ts', import.meta.url).href
  const files = tests.map((test) => join(root, test))
  writeFileSync(group, `import { declareFiles } from '${module}'\ndeclareFiles('${root}', ${JSON.stringify(files)})\n`)
  const env: NodeJS.ProcessEnv = { ...process.env, TURNOUT_TEST_SERVER: server }
  if (mutant) {
    const { start, end, to } = mutant
    env.MUTANT = JSON.stringify({ path: join(root, mutant.file), start, end, to })
  }
  const imports = ['./scripts/compile-cache.mjs', './scripts/mutation/load-mutant.mjs'].flatMap((file) => ['--import', file])
  const options = ['--test-force-exit', '--test-reporter=./scripts/mutation/first-failure.mjs']
  // A process group of its own: processes that a test started would outlive it.
  const child = spawn(process.execPath, [...imports, ...options, group], { env, stdio: 'ignore', detached: true })
  let isTooSlow = false
  const endGroup = () => process.kill(-child.pid!, 'SIGKILL')
  const timer = setTimeout(() => {
    isTooSlow = true
    endGroup()
  }, timeoutMs)
  running.add(endGroup)
  return new Promise((done) => {
    child.on('exit', (code) => {
      clearTimeout(timer)
      running.delete(endGroup)
      rmSync(group)
      if (code === 0) done('passed')
      else done(isTooSlow ? 'too slow' : 'failed')
    })
  })
}

/** How long tests take without a mutant. If they fail without one, they would notice every mutant. */
const durations = new Map<string, Promise<number>>()
async function measure(tests: readonly string[], server: string): Promise<number> {
  const started = performance.now()
  const outcome = await runTests(undefined, tests, server, UNCHANGED_TIMEOUT_MS)
  if (outcome !== 'passed') throw new Error(`without a mutant, these tests are ${outcome}: ${tests.join(' ')}`)
  return performance.now() - started
}

async function runChanged(mutant: Placed, tests: readonly string[], server: string): Promise<Outcome> {
  if (tests.length === 0) return 'passed'
  const key = tests.join(' ')
  if (!durations.has(key)) durations.set(key, measure(tests, server))
  const unchanged = await durations.get(key)!
  const outcome = await runTests(mutant, tests, server, Math.max(LEAST_TIMEOUT_MS, TIMEOUT_FACTOR * unchanged))
  // Tests that were ended leave their databases, which would fill the memory.
  if (outcome !== 'passed' && !tests.every(isNear)) await dropDatabases(server)
  return outcome
}

const isNear = (test: string): boolean => sources.has(test) && isPure(test)

async function dropDatabases(server: string): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      `select datname as name from pg_database where not datistemplate and datname <> 'postgres' and datname <> current_database()`,
    )
    // A database that PostgreSQL still works on is dropped after the next mutant.
    for (const { name } of rows) await client.query(`drop database if exists "${name}" with (force)`).catch(() => {})
  } finally {
    await client.end()
  }
}

async function judge(mutant: Placed, group: Group, server: string): Promise<Outcome> {
  for (const tests of findTests(mutant.file, group)) {
    const outcome = await runChanged(mutant, tests, server)
    if (outcome !== 'passed') return outcome
  }
  return 'passed'
}

async function checkGroup(name: string, group: Group, servers: readonly string[]): Promise<number> {
  const files = group.files
    .flatMap((pattern) => globSync(pattern))
    .filter((file) => !isTest(file) && (!values.file || values.file.includes(file)))
    .sort()
  const all = files.flatMap((file) => findMutants(readFileSync(file, 'utf8')).map((mutant): Placed => ({ ...mutant, file })))
  const chosen = values.max ? sample(all, Number(values.max)) : all
  const counted = chosen.filter((mutant) => !isEquivalent(mutant))
  if (counted.length === 0) return 100
  console.log(`${name}: ${counted.length} mutants`)
  const survivors: Placed[] = []
  let slow = 0
  const queue = [...counted]
  const work = async (server: string) => {
    for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
      const outcome = await judge(mutant, group, server)
      if (outcome === 'too slow') slow++
      if (outcome !== 'passed') continue
      const { file, line, from, to, code } = mutant
      console.log(`survived: ${file}:${line} ${from} → ${to || '(nothing)'}   in: ${code}`)
      survivors.push(mutant)
    }
  }
  await Promise.all(servers.map(work))
  const score = (100 * (counted.length - survivors.length)) / counted.length
  const noticed = `${counted.length - survivors.length} of ${counted.length} mutants noticed, ${slow} of them by the time limit`
  const rest = `${all.length} in ${files.length} files, ${chosen.length - counted.length} equivalent`
  console.log(`${name}: ${score.toFixed(1)} % (${noticed}; ${rest})`)
  return score
}

const names = values.group ?? Object.keys(GROUPS)
const unknown = names.filter((name) => !GROUPS[name])
if (unknown.length > 0) throw new Error(`unknown group ${unknown.join(', ')}; groups: ${Object.keys(GROUPS).join(', ')}`)
// One per job: databases of other jobs must not be dropped.
const servers = await Promise.all(
  Array.from({ length: Number(values.jobs) }, () => (values.near ? { url: '', stop: async () => {} } : startTestServer())),
)
const stop = async () => {
  for (const endGroup of running) endGroup()
  await Promise.all(servers.map((server) => server.stop()))
  rmSync(folder, { recursive: true, force: true })
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop().finally(() => process.exit(1)))
try {
  const scores: number[] = []
  const urls = servers.map(({ url }) => url)
  for (const name of names) scores.push(await checkGroup(name, GROUPS[name]!, urls))
  if (scores.some((score) => score < LEAST_SCORE)) {
    console.log(`${basename(import.meta.filename)}: a group is below ${LEAST_SCORE} %`)
    process.exitCode = 1
  }
} finally {
  await stop()
}
