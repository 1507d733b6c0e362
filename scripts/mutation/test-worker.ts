import { type ChildProcess, fork } from 'node:child_process'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { processorMs } from '#test/support/process/processor-time.ts'
import type { Mutant } from './mutants.ts'
import type { Outcome } from './test-process.ts'
import type { Answer, Findings, Progress, Request } from './worker-main.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
/** Copies of modules are never freed. */
const MOST_MEMORY_BYTES = 1_000_000_000
/** Limits for one file of tests: a multiple of its time without a mutant, and the first time. */
const TIMEOUT_FACTOR = 5
const LEAST_TIMEOUT_MS = 3_000
const FIRST_TIMEOUT_MS = 5 * 60_000
/** Limits are for the time on the processor. A mutant may also wait for something forever; other programs may need the processor. */
const WAITING_FACTOR = 10

/** Calls back when a process used up its time. Returns how to stop watching. */
function watchTime(pid: number, limitMs: number, giveUp: () => void): () => void {
  const [usedBefore, started] = [processorMs(pid), performance.now()]
  const check = () => {
    const used = processorMs(pid)
    const passed = performance.now() - started
    const spent = used === undefined || usedBefore === undefined ? passed : Math.max(used - usedBefore, passed / WAITING_FACTOR)
    if (spent >= limitMs) giveUp()
    else timer = setTimeout(check, Math.max(100, limitMs - spent))
  }
  let timer = setTimeout(check, limitMs)
  return () => clearTimeout(timer)
}

export type WorkerRun = { outcome: Outcome; count: number; failure?: string }

/** Runs tests with a mutant in a process that stays, which is faster than a process for each mutant. */
export class TestWorker {
  #child: ChildProcess | undefined
  /** Tests that ran without a mutant, so it is known which modules they import. */
  readonly #known = new Set<string>()
  /** For the next process: it need not run these tests without a mutant again, if one loops forever and its process is ended. */
  #findings: Findings | undefined

  #start(): ChildProcess {
    const child = fork(fileURLToPath(new URL('./worker-main.ts', import.meta.url)), {
      cwd: root,
      execArgv: ['--disable-warning=ExperimentalWarning', '--max-old-space-size=2048'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    this.#child = child
    return child
  }

  stop(): void {
    this.#child?.kill('SIGKILL')
    this.#child = undefined
  }

  /** Runs the tests of a file, with a mutant or without. */
  async run(file: string, tests: readonly string[], mutant?: Mutant): Promise<WorkerRun> {
    const absolute = tests.map((test) => resolve(root, test))
    const key = tests.join(' ')
    if (!this.#known.has(key)) {
      const first = await this.#ask({ tests: absolute })
      if (first.outcome !== 'passed') return first
      this.#known.add(key)
    }
    const request: Request = { file: resolve(root, file), tests: absolute }
    if (mutant) request.change = { start: mutant.start, end: mutant.end, to: mutant.to }
    return this.#ask(request)
  }

  #ask(request: Request): Promise<WorkerRun> {
    const isNew = !this.#child
    const child = this.#child ?? this.#start()
    return new Promise((done) => {
      const finish = (run: WorkerRun, isUsable: boolean) => {
        stopWatching()
        child.removeAllListeners()
        if (!isUsable) this.stop()
        done(run)
      }
      const giveUp = () => finish({ outcome: 'too slow', count: 0 }, false)
      let stopWatching = watchTime(child.pid!, FIRST_TIMEOUT_MS, giveUp)
      child.on('exit', () => finish({ outcome: 'failed', count: 0, failure: 'the process ended' }, false))
      child.on('message', (message: Progress | Answer) => {
        if (message.kind === 'progress') {
          const { unchangedMs } = message
          const limitMs = unchangedMs === undefined ? FIRST_TIMEOUT_MS : Math.max(LEAST_TIMEOUT_MS, TIMEOUT_FACTOR * unchangedMs)
          stopWatching()
          stopWatching = watchTime(child.pid!, limitMs, giveUp)
          return
        }
        const { failure, count, memoryBytes, findings } = message
        if (findings) this.#findings = findings
        const isUsable = memoryBytes < MOST_MEMORY_BYTES
        if (failure === undefined) finish({ outcome: 'passed', count }, isUsable)
        else finish({ outcome: 'failed', count, failure }, isUsable)
      })
      child.send(isNew && this.#findings ? { ...request, findings: this.#findings } : request)
    })
  }
}
