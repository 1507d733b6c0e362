// `npm test`: type check, lint, and every test file, all on one PostgreSQL server. A run of many files puts short ones together
// into processes, because loading the application takes longer than most tests.
//   scripts/test.ts                               everything
//   scripts/test.ts 'src/features/**/*.test.ts'   only these files, without type check and lint
//   scripts/test.ts test/contract                 the tests in this folder
//   scripts/test.ts --name 'refuses'              only tests whose name matches
//   scripts/test.ts --quick                       without browsers, processes, pages of features and long tests
//   scripts/test.ts --changed [--base main]       what concerns the changes since the branch left main
//   scripts/test.ts --exhaustive                  only tests that have a usual and a full size, in their full size
//   scripts/test.ts --reads 'src/…'               also compare the row types of the reads that these files execute
import { spawn, spawnSync } from 'node:child_process'
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { delimiter, join, relative, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { checkReads } from '#test/reads/check.ts'
import { chooseFolder, copyTemplate, FOLDER_PREFIX, startTestServer } from '#test/support/postgres-server.ts'
import { findChanged, readTree, selectTests } from './testing/changed.ts'
import { findTests, hasSizes, isQuick, NEEDS_BROWSER, NEEDS_OWN_PROCESS, secondsOf } from './testing/files.ts'

/** A guard against tests that hang, not a measure: a loaded machine must not reach it. */
const TEST_TIMEOUT_MS = 30 * 60_000
const APT_TIMEOUT_MS = 60 * 60_000
/** More failed files than this have a reason that a second run does not change. */
const MAX_REPEATED_FILES = 4
const SLOWEST_SHOWN = 10
/** More than the number of cores: files also wait for the database, a browser or a starting process, some most of their time. */
const CONCURRENCY = availableParallelism() + 4
/** Fewer files are not worth a group. */
const GROUPED_FROM = 10
/** In seconds. Groups become smaller, so that no process works alone for long at the end; each loads the application, for 3 s. */
const LARGEST_GROUP = 80
const SMALLEST_GROUP = 30
/** In seconds. Browsers leave little of the processor to others, so these files are spread evenly. */
const BROWSER_GROUP = 100

type Count = { passed: number; failed: number; skipped: number }

const root = fileURLToPath(new URL('../', import.meta.url))
process.chdir(root)
process.env.PATH = [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter)
// `npm test` has done it already. Without npm, a changed lock file would fail tests with errors that do not name the reason.
spawnSync(process.execPath, ['scripts/ensure.mjs'], { stdio: 'inherit' })

const interruption = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    // The second Ctrl-C must end a run whose clean-up hangs.
    if (interruption.signal.aborted) process.exit(1)
    interruption.abort(new Error(`interrupted by ${signal}`))
  })
}

const { values, positionals } = parseArgs({
  options: {
    name: { type: 'string', multiple: true },
    reads: { type: 'boolean' },
    quick: { type: 'boolean' },
    exhaustive: { type: 'boolean' },
    changed: { type: 'boolean' },
    base: { type: 'string' },
  },
  allowPositionals: true,
})
const isSelection = positionals.length > 0 || values.name !== undefined || values.exhaustive === true
const isWhole = !isSelection && !values.quick && !values.changed
const areReadsChecked = isWhole || values.reads === true
if (values.exhaustive) process.env.TURNOUT_EXHAUSTIVE = '1'
const files = chooseFiles()
  .map((file) => resolve(file))
  .sort((a, b) => secondsFor(b) - secondsFor(a))
// Compiling the imports of a file takes longer than most tests; all processes of this and later runs share the result.
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/turnout')

const total: Count = { passed: 0, failed: 0, skipped: 0 }
/** They run beside the first tests, which wait for starting processes; their results are printed after the tests. */
const checks: Promise<{ isPassed: boolean; report: string }>[] = []
try {
  if (isWhole) ensureChromium()
  if (!isSelection) {
    // Checkers on several threads each work out the same types: together they need twice the processor time.
    checks.push(check('tsc', ['--noEmit', '--singleThreaded']), check('biome', ['check', '.']))
  }
  interruption.signal.throwIfAborted()
  if (files.length > 0) add(total, await runTests())
  else console.error(values.changed ? 'Nothing has changed.' : 'No test file matches.')
} catch (error) {
  console.error(interruption.signal.aborted ? `Stopped: ${(interruption.signal.reason as Error).message}` : error)
  total.failed++
}
for (const { isPassed, report } of await Promise.all(checks)) {
  total[isPassed ? 'passed' : 'failed']++
  console.log(report)
}
showProcessorTime()
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : ''
console.log(`\n${total.passed} passed, ${total.failed} failed${skipped}`)
if (total.failed > 0 || total.passed === 0) process.exitCode = 1

function chooseFiles(): string[] {
  const found = findTests(positionals.length > 0 ? positionals : undefined)
  if (values.quick) return found.filter(isQuick)
  if (values.exhaustive) return found.filter(hasSizes)
  if (values.changed) return chooseChanged(found)
  return found
}

function chooseChanged(found: readonly string[]): string[] {
  const selection = selectTests(readTree(), findChanged(values.base))
  const chosen = found.filter((file) => selection.has(file))
  console.log(`${chosen.length} of ${found.length} test files concern the changes:`)
  for (const file of chosen) console.log(`  ${file} ${selection.get(file)}`)
  return chosen
}

function secondsFor(file: string): number {
  return secondsOf(relative(root, file))
}

function sumOf(chosen: readonly string[]): number {
  return chosen.reduce((sum, file) => sum + secondsFor(file), 0)
}

function add(sum: Count, more: Count): void {
  sum.passed += more.passed
  sum.failed += more.failed
  sum.skipped += more.skipped
}

/** Without a browser the journeys are reported as skipped, so a failed installation does not end the run. */
function ensureChromium(): void {
  const isThere =
    process.env.CHROMIUM || (isOnPath('chromium') && isOnPath('chromium-headless-shell')) || isOnPath('google-chrome')
  if (isThere || !process.env.CI || process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', 'chromium', 'chromium-headless-shell']]) {
    console.log(`No Chromium for the browser tests: apt-get ${args.join(' ')}`)
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const { status } = spawnSync('apt-get', args, { stdio: ['ignore', 'inherit', 'inherit'], env, timeout: APT_TIMEOUT_MS })
    if (status !== 0) {
      console.log('The installation failed; the browser tests will be skipped.')
      return
    }
  }
}

function isOnPath(program: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((dir) => {
    try {
      accessSync(join(dir, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

async function check(program: string, args: string[]): Promise<{ isPassed: boolean; report: string }> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], signal: interruption.signal })
  const ended = new Promise<string | undefined>((done) => {
    child.once('error', (error) => done(error.message))
    child.once('close', (code, signal) => done(code === 0 ? undefined : `ended with ${signal ?? code}`))
  })
  const [failure, ...output] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
  const title = `${failure ? '✖' : '✔'} ${program} ${args.join(' ')}`
  return { isPassed: failure === undefined, report: failure ? `${title}\n${output.join('')}${program} ${failure}` : title }
}

async function runTests(): Promise<Count> {
  // Files of interrupted tests are deleted with this directory. Writable for all users, like the directory that it replaces.
  const temporary = mkdtempSync(join(tmpdir(), 'turnout-run-'))
  chmodSync(temporary, 0o1777)
  process.env.TMPDIR = temporary
  // Test instances write their databases to disk as in production; in memory they do not wait for it.
  const dataDirs = mkdtempSync(join(chooseFolder(), `${FOLDER_PREFIX}data-`))
  chmodSync(dataDirs, 0o1777)
  process.env.TURNOUT_TEST_DATA_DIRS = dataDirs
  try {
    const server = await startTestServer()
    process.env.TURNOUT_TEST_SERVER = server.url
    const recordings = join(temporary, 'reads')
    mkdirSync(recordings)
    process.env.TURNOUT_RECORDED_READS = recordings
    process.env.TURNOUT_READABLE_STYLES = join(temporary, 'readable-styles')
    try {
      const groups = files.length > GROUPED_FROM && !values.name ? makeGroups(temporary) : []
      const grouped = new Set(groups.flatMap(({ members }) => members))
      const single = files.filter((file) => !grouped.has(file)).map((file) => ({ file, seconds: secondsFor(file) }))
      const together = groups.map(({ file, members }) => ({ file, seconds: sumOf(members) }))
      const started = [...single, ...together].sort((a, b) => b.seconds - a.seconds).map(({ file }) => file)
      const count = await runAndRepeat(started, groups)
      if (areReadsChecked) add(count, await checkRecordedReads(server.url, recordings))
      return count
    } finally {
      await server.stop()
    }
  } finally {
    for (const folder of [temporary, dataDirs]) rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  }
}

type Group = { file: string; members: string[] }

/** Writes one file per group, which declares the tests of its members. */
function makeGroups(folder: string): Group[] {
  const members = files.filter((file) => !NEEDS_OWN_PROCESS.test(relative(root, file)))
  const [journeys, short] = [true, false].map((isJourney) =>
    members.filter((file) => NEEDS_BROWSER.test(relative(root, file)) === isJourney),
  ) as [string[], string[]]
  const parts = [...split(journeys, () => BROWSER_GROUP), ...split(short, secondsOfNextGroup)]
  return parts.map((chosen, n) => {
    const file = join(folder, `group-${n + 1}.test.mjs`)
    const module = JSON.stringify(new URL('../test/support/file-group.ts', import.meta.url).href)
    writeFileSync(
      file,
      `import { declareFiles } from ${module}\ndeclareFiles(${JSON.stringify(root)}, ${JSON.stringify(chosen, undefined, 2)})\n`,
    )
    return { file, members: chosen }
  })
}

/** Files in their order. `limitOfNext` gets the seconds of all files that are left, and returns how many seconds a part may take. */
function split(all: readonly string[], limitOfNext: (left: number) => number): string[][] {
  const parts: string[][] = []
  let left = sumOf(all)
  let room = 0
  for (const file of all) {
    const seconds = secondsFor(file)
    if (parts.length === 0 || seconds > room) {
      parts.push([])
      room = limitOfNext(left)
    }
    parts.at(-1)!.push(file)
    room -= seconds
    left -= seconds
  }
  return parts
}

/** Large groups first: each process loads the application once. */
function secondsOfNextGroup(left: number): number {
  return Math.min(LARGEST_GROUP, Math.max(SMALLEST_GROUP, Math.ceil(left / (1.5 * CONCURRENCY))))
}

/**
 * Files that fail in a complete run are run once more, alone: on a loaded machine a browser or a process can be too slow for its own
 * limits. A file that passes then is named in the output, because a race can be the reason as well.
 */
async function runAndRepeat(started: string[], groups: Group[]): Promise<Count> {
  const { count, failed: failures } = await runFiles(started, groups, CONCURRENCY)
  if (!isWhole || failures.length === 0 || failures.length > MAX_REPEATED_FILES) return count
  const failed = [...new Set(failures.flat())]
  const names = failed.map((file) => `  ${relative(root, file)}`).join('\n')
  console.log(`\nRepeated alone, because they failed:\n${names}`)
  const second = await runFiles(failed, [], 1)
  if (second.count.failed > 0) return count
  console.log(`\nUNSTABLE: these files failed and passed when they were repeated alone. Find the reason.\n${names}`)
  return { ...count, passed: count.passed + count.failed, failed: 0 }
}

/** `failed`: files by reason; a process that ended early is one reason for all of its files. */
async function runFiles(started: string[], groups: Group[], concurrency: number): Promise<{ count: Count; failed: string[][] }> {
  const count: Count = { passed: 0, failed: 0, skipped: 0 }
  const skips: string[] = []
  const durations: { file: string; seconds: number }[] = []
  const failed = new Map<string, string[]>()
  let filesWithoutTests = 0
  const stream = run({
    files: started,
    concurrency,
    timeout: TEST_TIMEOUT_MS,
    signal: interruption.signal,
    execArgv: [
      // Tests make much that is garbage at once. With more room for it from the beginning, the collector copies less. Its helper
      // threads would take the processor from other test processes.
      '--min-semi-space-size=64',
      '--max-semi-space-size=64',
      '--single-threaded-gc',
      ...['scripts/compile-cache.mjs', 'test/support/test-context.ts', 'test/support/hang-guard.ts'].flatMap(importOption),
      ...(areReadsChecked ? importOption('test/reads/recorder.ts') : []),
      // Suites without a test of this name open a database all the same, and their `after` hooks do not run.
      ...(values.name ? ['--test-force-exit'] : []),
    ],
    ...(values.name ? { testNamePatterns: values.name } : {}),
  })
  const memberOf = new Map(groups.flatMap(({ members }) => members.map((file) => [relative(root, file), file])))
  const note = ({ name, nesting, details }: { name: string; nesting: number; details: { duration_ms: number } }) => {
    if (nesting === 0 && memberOf.has(name)) durations.push({ file: name, seconds: details.duration_ms / 1000 })
  }
  stream.on('test:fail', (event) => {
    note(event)
    const group = groups.find(({ file }) => file === event.name)
    if (group) console.log(`The process of these files ended early:\n  ${group.members.join('\n  ')}`)
    if (event.nesting > 0) return
    const member = memberOf.get(event.name)
    const file = member ?? event.file ?? event.name
    if (group) failed.set(group.file, group.members)
    else failed.set(file, [file])
  })
  stream.on('test:pass', (event) => {
    note(event)
    const { name, file, skip, todo } = event
    const reason = skip ?? todo
    if (reason !== undefined)
      skips.push(`${relative(root, file ?? '')}: ${name}: ${reason === true ? 'no reason given' : reason}`)
    // node:test reports a file in which no test ran as one test of that name.
    if (file !== undefined && resolve(name) === file) filesWithoutTests++
  })
  stream.on('test:summary', ({ file, counts, success, duration_ms }) => {
    // The summary over all files has no file.
    if (file !== undefined) {
      if (!groups.some((group) => group.file === file))
        durations.push({ file: relative(root, file), seconds: duration_ms / 1000 })
      return
    }
    count.passed = counts.passed - filesWithoutTests
    // A hook that fails after its tests makes the run unsuccessful without being counted.
    count.failed = Math.max(counts.tests - counts.passed - counts.skipped - counts.todo, success ? 0 : 1)
    count.skipped = counts.skipped + counts.todo
  })
  await pipeline(stream.compose(spec), process.stdout, { end: false })
  interruption.signal.throwIfAborted()
  showSlowest(durations)
  if (skips.length > 0) console.log(`\nSkipped:\n${skips.map((line) => `  ${line}`).join('\n')}`)
  return { count, failed: [...failed.values()] }
}

function importOption(file: string): [string, string] {
  return ['--import', fileURLToPath(new URL(`../${file}`, import.meta.url))]
}

function showSlowest(durations: { file: string; seconds: number }[]): void {
  const slowest = durations.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST_SHOWN)
  console.log(`\nSlowest of ${durations.length} files:`)
  for (const { file, seconds } of slowest) console.log(`${seconds.toFixed(1).padStart(8)} s  ${file}`)
}

/** What `time` reports: of this process and of all that ended before their parents. A browser leaves some of its own behind. */
function showProcessorTime(): void {
  if (process.platform !== 'linux') return
  // The second field is the name, in parentheses. Then 12 to 15 of the rest are hundredths of seconds (proc_pid_stat(5)).
  const [user, system, childUser, childSystem] = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
    .slice(11, 15)
    .map((ticks) => Number(ticks) / 100) as [number, number, number, number]
  const format = (seconds: number) => `${(seconds / 60).toFixed(1)} min`
  console.log(`\nProcessor time: ${format(user + childUser)} in programs, ${format(system + childSystem)} in the system`)
}

/** Compares the row types of raw statements with the results that the tests received. */
async function checkRecordedReads(server: string, recordings: string): Promise<Count> {
  const databaseUrl = await copyTemplate(server, 'recorded_reads')
  const started = performance.now()
  const { checked, mistakes } = await checkReads({ root, recordings, databaseUrl, isComplete: isWhole })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`\n${mistakes.length ? '✖' : '✔'} row types of ${checked} reads (${seconds} s)`)
  for (const mistake of mistakes) console.log(`  ${mistake}`)
  return { passed: mistakes.length ? 0 : 1, failed: mistakes.length ? 1 : 0, skipped: 0 }
}
