// `npm run check:mutation`: changes the source in small ways, one at a time, and expects a test to fail for each.
//   -- --group moving --group federation   only these groups
//   -- --file src/features/moving/rules/values.ts
//   -- --near                              only tests that need no database, which takes a tenth of the time
//   -- --max 40                            a sample of this size per group; --seed 7 chooses another one
// Survivors are printed. One that no test can notice belongs in scripts/mutation/equivalents.json, with the reason.
// It mutates by itself instead of by Stryker, which would add 176 packages and copy the project for each worker.
import { spawn } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startTestServer } from '#test/support/postgres-server.ts'
import { findMutants, type Mutant } from './mutation/mutants.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
process.chdir(root)

/** `tests` run after the tests beside the file and those that import it, if all of these pass. */
type Group = { files: string[]; tests: string[] }
const GROUPS: Record<string, Group> = {
  moving: { files: ['src/features/moving/rules/*.ts'], tests: ['src/features/moving/import*.test.ts'] },
  federation: {
    files: ['src/features/federation/partner.ts', 'src/features/federation/rules/*.ts'],
    tests: ['src/features/federation/hostile.test.ts'],
  },
  access: {
    files: ['src/features/*/access.ts'],
    tests: ['test/contract/{access,visibility,privacy}.test.ts', 'src/features/participations/commands/visitors.test.ts'],
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
/** A mutant that loops forever is noticed by this. Tests without a database take a second, on a busy machine ten. */
const MUTANT_TIMEOUT_MS = 3 * 60_000
const NEAR_TIMEOUT_MS = 60_000

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

/** The test with the name of the file, then those of the same feature that import it. Only tests that need no database. */
function findNearTests(file: string): string[] {
  const own = file.replace(/\.ts$/, '.test.ts')
  const feature = file.split('/').slice(0, 3).join('/')
  const importing = allTests.filter((test) => {
    const source = sources.get(test)!
    const isPure = !/openWorld|openInstance|freshDatabase/.test(source)
    return isPure && test.startsWith(feature) && test !== own && importsFile(source, test, file)
  })
  return [...(existsSync(own) ? [own] : []), ...importing]
}

function importsFile(source: string, test: string, file: string): boolean {
  return [...source.matchAll(/from '([^']+)'/g)].some(([, target]) => {
    if (target!.startsWith('.')) return relative(root, resolve(dirname(test), target!)) === file
    return target!.replace('#features/', 'src/features/') === file
  })
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

type Run = { server: string; timeoutMs: number }

/** Ends the tests that run now. */
const running = new Set<() => void>()

/** True if a test fails. */
function isKilled(mutant: Placed, tests: readonly string[], { server, timeoutMs }: Run): Promise<boolean> {
  const { start, end, to } = mutant
  const env = {
    ...process.env,
    MUTANT: JSON.stringify({ path: join(root, mutant.file), start, end, to }),
    TURNOUT_TEST_SERVER: server,
  }
  const args = ['--import', './scripts/mutation/load-mutant.mjs', '--test', '--test-force-exit', '--test-reporter=dot', ...tests]
  // A group of its own: each test file runs in a process below this one, and one that loops would outlive its parent.
  const child = spawn(process.execPath, args, { env, stdio: 'ignore', detached: true })
  const endGroup = () => process.kill(-child.pid!, 'SIGKILL')
  const timer = setTimeout(endGroup, timeoutMs)
  running.add(endGroup)
  return new Promise((done) => {
    child.on('exit', (code) => {
      clearTimeout(timer)
      running.delete(endGroup)
      done(code !== 0)
    })
  })
}

async function isNoticed(mutant: Placed, { tests }: Group, server: string): Promise<boolean> {
  const near = findNearTests(mutant.file)
  if (near.length > 0 && (await isKilled(mutant, near, { server, timeoutMs: NEAR_TIMEOUT_MS }))) return true
  const far = values.near
    ? []
    : tests.flatMap((pattern) => globSync(pattern)).filter((test) => !isSlow(test) && !near.includes(test))
  return far.length > 0 && isKilled(mutant, far, { server, timeoutMs: MUTANT_TIMEOUT_MS })
}

async function checkGroup(name: string, group: Group, server: string): Promise<number> {
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
  const queue = [...counted]
  const work = async () => {
    for (let mutant = queue.shift(); mutant; mutant = queue.shift())
      if (!(await isNoticed(mutant, group, server))) survivors.push(mutant)
  }
  await Promise.all(Array.from({ length: Number(values.jobs) }, work))
  for (const { file, line, from, to, code } of survivors.sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line))
    console.log(`survived: ${file}:${line} ${from} → ${to || '(nothing)'}   in: ${code}`)
  const score = (100 * (counted.length - survivors.length)) / counted.length
  const noticed = `${counted.length - survivors.length} of ${counted.length} mutants noticed`
  const rest = `${all.length} in ${files.length} files, ${chosen.length - counted.length} equivalent`
  console.log(`${name}: ${score.toFixed(1)} % (${noticed}; ${rest})`)
  return score
}

const names = values.group ?? Object.keys(GROUPS)
const unknown = names.filter((name) => !GROUPS[name])
if (unknown.length > 0) throw new Error(`unknown group ${unknown.join(', ')}; groups: ${Object.keys(GROUPS).join(', ')}`)
const server = await startTestServer()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    for (const endGroup of running) endGroup()
    void server.stop().finally(() => process.exit(1))
  })
try {
  const scores: number[] = []
  for (const name of names) scores.push(await checkGroup(name, GROUPS[name]!, server.url))
  if (scores.some((score) => score < LEAST_SCORE)) {
    console.log(`${basename(import.meta.filename)}: a group is below ${LEAST_SCORE} %`)
    process.exitCode = 1
  }
} finally {
  await server.stop()
}
