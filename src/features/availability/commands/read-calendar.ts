import { Worker } from 'node:worker_threads'
import type { CalendarContent, ReadOptions } from '../rules/busy-times.ts'

type ReadOutcome = CalendarContent | { ok: false; reason: 'too_complex' }
/** Reads the text of a calendar. */
export type ReadCalendar = (text: string, options: ReadOptions) => Promise<ReadOutcome>

const TIME_LIMIT_MS = 10_000
const MEMORY_LIMIT_MB = 256

/** Only one calendar at a time: a server has few cores, and requests come first. */
let queue: Promise<unknown> = Promise.resolve()

/**
 * In a thread that is ended after a time, because a calendar can contain rules that are never finished. Requests are served meanwhile.
 */
export const makeReadCalendar =
  ({ timeLimitMs = TIME_LIMIT_MS } = {}): ReadCalendar =>
  (text, options) => {
    const read = queue.then(() => readInThread(text, options, timeLimitMs))
    queue = read
    return read
  }

function readInThread(text: string, options: ReadOptions, timeLimitMs: number): Promise<ReadOutcome> {
  return new Promise((done) => {
    const thread = new Worker(new URL('./read-calendar-thread.ts', import.meta.url), {
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
    // Out of memory, or a mistake that the parser did not expect. Its message may quote the calendar, so it goes nowhere.
    thread.on('error', () => finish({ ok: false, reason: 'too_complex' }))
  })
}
