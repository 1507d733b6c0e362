import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { CalendarContent, ReadOptions } from '../rules/busy-times.ts'

export type ReadOutcome = CalendarContent | { ok: false; reason: 'too_complex' }
/** Reads the text of a calendar. */
export type ReadCalendar = (text: string, options: ReadOptions) => Promise<ReadOutcome>

/** Of the processor: a busy server must not make a calendar too complex. */
const CPU_LIMIT_MS = 8_000
/** Nobody waits longer than this. */
const WAIT_LIMIT_MS = 90_000
const CHECK_MS = 250
const MEMORY_LIMIT_MB = 256

/** An installed package has JavaScript instead of TypeScript. */
const THREAD = new URL(`./read-calendar-thread${extname(import.meta.filename)}`, import.meta.url)

/** Only one calendar at a time: a server has few cores, and requests come first. */
let queue: Promise<unknown> = Promise.resolve()

/**
 * In a thread that may use the processor for a limited time, because a calendar can contain rules that are never finished. Requests are
 * served meanwhile.
 */
export const makeReadCalendar =
  ({ cpuLimitMs = CPU_LIMIT_MS } = {}): ReadCalendar =>
  (text, options) => {
    const read = queue.then(() => readInThread(text, options, cpuLimitMs))
    queue = read.catch(() => {})
    return read
  }

function readInThread(text: string, options: ReadOptions, cpuLimitMs: number): Promise<ReadOutcome> {
  return new Promise((done, fail) => {
    const thread = new Worker(THREAD, {
      // Not the options of the process, some of which are only for its own program.
      execArgv: [],
      workerData: { text, options },
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT_MB },
    })
    const finish = (outcome: ReadOutcome) => {
      stopChecking()
      done(outcome)
      void thread.terminate()
    }
    const giveUp = () => finish({ ok: false, reason: 'too_complex' })
    const limit = setTimeout(giveUp, WAIT_LIMIT_MS)
    const check = setInterval(async () => {
      // A thread that has just ended has no use of the processor.
      const used = await thread.cpuUsage().catch(() => undefined)
      if (used && (used.user + used.system) / 1000 > cpuLimitMs) giveUp()
    }, CHECK_MS)
    const stopChecking = () => {
      clearTimeout(limit)
      clearInterval(check)
    }
    thread.on('message', finish)
    thread.on('error', (error: Error & { code?: string }) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') return finish({ ok: false, reason: 'too_complex' })
      stopChecking()
      fail(error)
    })
  })
}
