import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { readServerPid, stopLeftoverServer } from '#platform/db/embedded/embedded.ts'
import { ask } from './http-client.ts'

// Starts the try-out, the server and the commands as real processes.

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
/** Only guards against hanging; it does not limit how slow a machine may be. */
const HANG_TIMEOUT_MS = 10 * 60_000

export type Settings = Record<string, string | undefined>
export type Ended = { code: number | null; signal: NodeJS.Signals | null }

export type Running = {
  child: ChildProcess
  pid: number
  stdout: () => string
  stderr: () => string
  exited: Promise<Ended>
  /** Waits until the process has printed this; fails if it ends before. */
  says: (pattern: RegExp) => Promise<RegExpExecArray>
  /** Sends SIGTERM unless another signal is given; resolves to the exit code. */
  stop: (signal?: NodeJS.Signals) => Promise<number | null>
  /** Sends SIGKILL. */
  kill: () => Promise<void>
}

export type Server = Running & { port: number; origin: string; dataDir: string }

const children = new Set<ChildProcess>()
const groups = new WeakSet<ChildProcess>()
const directories = new Set<string>()

/** For `after`: ends all processes that still run, and the databases that crashed servers left. */
export async function endAll(): Promise<void> {
  await Promise.all(
    [...children].map(async (child) => {
      const closed = once(child, 'close')
      if (groups.has(child)) process.kill(-child.pid!, 'SIGKILL')
      else child.kill('SIGKILL')
      await closed
    }),
  )
  for (const dir of directories) {
    await stopLeftoverServer(dir)
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
  }
  directories.clear()
}

export function newDataDir(): string {
  const dir = mkdtempSync(join(process.env.TURNOUT_TEST_DATA_DIRS ?? tmpdir(), 'process-test-'))
  directories.add(dir)
  return dir
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

export async function until(what: string, isSo: () => unknown | Promise<unknown>, everyMs = 20): Promise<void> {
  const end = Date.now() + HANG_TIMEOUT_MS
  while (!(await isSo())) {
    assert.ok(Date.now() < end, `waited in vain until ${what}`)
    await sleep(everyMs)
  }
}

/** Fails after a timeout instead of hanging. */
export async function within<T>(what: string, work: Promise<T>, ms = HANG_TIMEOUT_MS): Promise<T> {
  const guard = new AbortController()
  const late = sleep(ms, undefined, { signal: guard.signal }).then(
    () => assert.fail(`timed out waiting for ${what}`),
    () => undefined as never, // the work was done in time
  )
  try {
    return await Promise.race([work, late])
  } finally {
    guard.abort()
  }
}

/** Without the settings of the calling environment and of the test runner. */
function surroundings(settings: Settings): Record<string, string> {
  const { PATH, HOME, TMPDIR } = process.env
  // Compiling takes most of the start; all processes of a run share the compile cache.
  const NODE_COMPILE_CACHE = process.env.NODE_COMPILE_CACHE ?? join(tmpdir(), 'process-test-compiled')
  const all = { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE, ...settings }
  return Object.fromEntries(Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined))
}

/** As all ways to start the product from its sources do it. */
const PRELOADED = ['--import', new URL('../../../scripts/compile-cache.mjs', import.meta.url).href]

export type Launch = {
  program?: string
  args: string[]
  settings?: Settings
  input?: string
  /** Default: a folder without anything of Turnout. */
  cwd?: string
  /** For a program that starts another one: signals go to the process group. */
  ownGroup?: boolean
}

export function launch({ program, args, settings = {}, input, cwd = tmpdir(), ownGroup = false }: Launch): Running {
  const preloaded = !program && args[0]?.endsWith('.ts') ? PRELOADED : []
  const child = spawn(program ?? process.execPath, [...preloaded, ...args], {
    cwd,
    env: surroundings(settings),
    detached: ownGroup,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  })
  children.add(child)
  if (ownGroup) groups.add(child)
  child.stdin?.on('error', () => {}) // it may end without reading
  child.stdin?.end(input)
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]!.setEncoding('utf8').on('data', (text: string) => {
      said[name] += text
    })
  }
  const exited = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code, signal }))
  }).finally(() => children.delete(child))
  exited.catch(() => {}) // callers await `exited`
  const isOver = () => child.exitCode !== null || child.signalCode !== null
  return {
    child,
    pid: child.pid!,
    stdout: () => said.stdout,
    stderr: () => said.stderr,
    exited,
    says: async (pattern) => {
      const find = () => pattern.exec(said.stdout) ?? pattern.exec(said.stderr)
      await until(`${args[0]} says ${pattern}: ${said.stdout}${said.stderr}`, () => find() || isOver())
      const found = find()
      assert.ok(found, `it ended without saying ${pattern}:\n${said.stdout}${said.stderr}`)
      return found
    },
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal)
      return (await within('the end of a stopped process', exited)).code
    },
    kill: async () => {
      child.kill('SIGKILL')
      await exited
    },
  }
}

export type Outcome = { code: number | null; stdout: string; stderr: string }

/** Runs a command until it ends. */
export async function run(options: Launch): Promise<Outcome> {
  const running = launch(options)
  const { code } = await within(`the end of ${options.args.join(' ')}`, running.exited)
  return { code, stdout: running.stdout(), stderr: running.stderr() }
}

export const turnout = (args: string[], settings: Settings = {}, input?: string): Promise<Outcome> =>
  run({ args: [join(ROOT, 'src/cli.ts'), ...args], settings, ...(input === undefined ? {} : { input }) })

export async function isReady(origin: string): Promise<boolean> {
  try {
    return (await ask(`${origin}/readyz`)).status === 200
  } catch {
    return false // does not listen (yet)
  }
}

async function startServer(args: string[], settings: Settings, lastWords: RegExp): Promise<Server> {
  const port = Number(settings.PORT ?? (await freePort()))
  const dataDir = settings.DATA_DIR ?? newDataDir()
  const running = launch({ args, settings: { ...settings, PORT: String(port), DATA_DIR: dataDir } })
  const server = { ...running, port, origin: `http://127.0.0.1:${port}`, dataDir }
  await running.says(lastWords)
  await until('it is ready', () => isReady(server.origin))
  return server
}

export const startTryOut = (settings: Settings = {}): Promise<Server> =>
  startServer([join(ROOT, 'src/main.ts')], settings, /Ctrl\+C stops Turnout/)

/** Settings of a process that executes this module first. */
export const preloading = (source: string): Settings => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(source)}`,
})

export const SECRET_KEY = 'a key for tests, long enough for all of them'

/** SITE_URL defaults to the address that the server listens on. */
export async function startServe(settings: Settings = {}): Promise<Server> {
  const PORT = settings.PORT ?? String(await freePort())
  const all = { SITE_URL: `http://127.0.0.1:${PORT}`, SECRET_KEY, ...settings, PORT }
  return startServer([join(ROOT, 'src/cli.ts'), 'serve'], all, /Turnout listens on/)
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !existsSync('/proc/self/status') || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** The process id of the PostgreSQL that runs on a data directory, or undefined. */
export function databasePid(dataDir: string): number | undefined {
  const pid = readServerPid(dataDir)
  return pid && isAlive(pid) ? pid : undefined
}
