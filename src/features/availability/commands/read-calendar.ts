import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { CalendarContent, ReadOptions } from '../rules/busy-times.ts'

export type ReadOutcome = CalendarContent | { ok: false; reason: 'too_complex' }
/** Reads the text of a calendar. */
export type ReadCalendar = (text: string, options: ReadOptions) => Promise<ReadOutcome>

const TIME_LIMIT_MS = 12_000
const MEMORY_LIMIT_MB = 256

/** An installed package has JavaScript instead of TypeScript. */
const THREAD = new URL(`./read-calendar-thread${extname(import.meta.filename)}`, import.meta.url)

/** Only one calendar at a time: a server has few cores, and requests come first. */
let queue: Promise<unknown> = Promise.resolve()

/**
 * In a thread that is ended after a time, because a calendar can contain rules that are never finished. Requests are served meanwhile.
 */
export const makeReadCalendar =
  ({ timeLimitMs = TIME_LIMIT_MS } = {}): ReadCalendar =>
  (text, options) => {
    const read = queue.then(() => readInThread(text, options, timeLimitMs))
    queue = read.catch(() => {})
    return read
  }

function readInThread(text: string, options: ReadOptions, timeLimitMs: number): Promise<ReadOutcome> {
  return new Promise((done, fail) => {
    const thread = new Worker(THREAD, {
      // Not the options of the process, some of which are only for its own program.
      execArgv: [],
      workerData: { text, options },
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT_MB },
    })
    const finish = (outcome: ReadOutcome) => {
      clearTimeout(timer)
      done(outcome)
      void thread.terminate()
    }
    const timer = setTimeout(() => finish({ ok: false, reason: 'too_complex' }), timeLimitMs)
    thread.on('message', finish)
    thread.on('error', (error: Error & { code?: string }) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') return finish({ ok: false, reason: 'too_complex' })
      clearTimeout(timer)
      fail(error)
    })
  })
}
