import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { MutantId } from './active-mutant.ts'
import type { Answer, Message, Request } from './worker-main.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
/** Copies of tests are never freed. */
const MOST_MEMORY_BYTES = 1_500_000_000
/** A process that does not clean up in this time is ended. */
const CLEANING_MS = 20_000

export type Run = { outcome: 'passed' | 'failed' | 'too slow'; answer?: Answer }

/** Runs files of tests in a process that stays, on a PostgreSQL server that no other worker uses. */
export class DatabaseWorker {
  readonly #server: string
  /** Mutants that are active from the start, when files are loaded. */
  readonly #initial: readonly MutantId[]
  #child: ChildProcess | undefined
  /** The process has cleaned up after the run before. */
  #ready: Promise<boolean> = Promise.resolve(true)

  constructor(server: string, initial: readonly MutantId[] = []) {
    this.#server = server
    this.#initial = initial
  }

  #start(): ChildProcess {
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const imports = ['--import', './scripts/compile-cache.mjs']
    this.#child = fork(fileURLToPath(new URL('./worker-main.ts', import.meta.url)), {
      cwd: root,
      execArgv: ['--disable-warning=ExperimentalWarning', '--max-old-space-size=2048', ...imports],
      env: {
        ...env,
        TURNOUT_TEST_SERVER: this.#server,
        TURNOUT_MUTANTS: JSON.stringify(this.#initial),
      },
      stdio: ['ignore', 'ignore', process.env.TURNOUT_MUTATION_OUTPUT ? 'inherit' : 'ignore', 'ipc'],
    })
    return this.#child
  }

  /** Ends the process. Databases of tests that were ended would fill the memory. */
  async stop(): Promise<void> {
    const child = this.#child
    this.#child = undefined
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((done) => child.once('exit', done))
    child.kill('SIGKILL')
    await ended
    if (this.#server) await dropDatabases(this.#server)
  }

  /** `limitMs`: how long a test may take, or the loading of the file. */
  async run(request: Request, limitMs: number): Promise<Run> {
    if (!(await this.#ready)) await this.stop()
    const child = this.#child ?? this.#start()
    let tellReady: (isReady: boolean) => void = () => {}
    this.#ready = new Promise((done) => {
      tellReady = done
    })
    return new Promise((done) => {
      let timer: NodeJS.Timeout
      let isAnswered = false
      const finish = (run: Run) => {
        isAnswered = true
        done(run)
      }
      const end = (isReady: boolean, run: Run) => {
        clearTimeout(timer)
        child.off('message', receive)
        child.off('exit', lose)
        tellReady(isReady)
        if (!isAnswered) finish(run)
      }
      const watch = (ms: number) => {
        clearTimeout(timer)
        timer = setTimeout(() => end(false, { outcome: 'too slow' }), ms)
      }
      const lose = () => end(false, { outcome: 'failed' })
      const receive = (message: Message) => {
        if (message.kind === 'progress') watch(limitMs)
        else if (message.kind === 'ready') end(message.memoryBytes < MOST_MEMORY_BYTES, { outcome: 'failed' })
        else {
          watch(CLEANING_MS)
          finish({ outcome: message.failure === undefined ? 'passed' : 'failed', answer: message })
        }
      }
      watch(limitMs)
      child.on('exit', lose)
      child.on('message', receive)
      child.send(request)
    })
  }
}

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
