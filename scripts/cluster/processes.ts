import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'

type Start = { program: string; args: string[]; log: string; env?: Record<string, string> }

/** A program that this check starts, kills and starts again, as a supervisor does. */
export class Part {
  readonly #start: Start
  #child: ChildProcess | undefined
  #isRetired = false

  constructor(start: Start) {
    this.#start = start
  }

  start(): void {
    if (this.#isRetired) return
    const { program, args, log, env } = this.#start
    const out = openSync(log, 'a')
    this.#child = spawn(program, args, { stdio: ['ignore', out, out], env: { PATH: process.env.PATH!, ...env } })
  }

  get pid(): number | undefined {
    return this.isRunning ? this.#child!.pid : undefined
  }

  get isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** Ends it for good. */
  async retire(): Promise<void> {
    this.#isRetired = true
    await this.end('SIGKILL')
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    if (!this.isRunning) return
    const exited = once(this.#child!, 'exit')
    this.#child!.kill(signal)
    await exited
  }
}

export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {
      // it has ended meanwhile
    }
  }
}
