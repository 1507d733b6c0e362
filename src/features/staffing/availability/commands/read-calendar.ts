import { runThread } from '#platform/thread.ts'
import type { CalendarContent, ReadOptions } from '../rules/busy-times.ts'

export type ReadOutcome = CalendarContent | { ok: false; reason: 'too_complex' }
/** Reads the text of a calendar. */
export type ReadCalendar = (text: string, options: ReadOptions) => Promise<ReadOutcome>

/** Of the processor: a busy server must not make a calendar too complex. */
const CPU_LIMIT_MS = 8_000
const MEMORY_LIMIT_MB = 256

const THREAD = new URL('./read-calendar-thread', import.meta.url)

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

async function readInThread(text: string, options: ReadOptions, cpuLimitMs: number): Promise<ReadOutcome> {
  const read = await runThread<ReadOutcome>({
    module: THREAD,
    workerData: { text, options },
    cpuLimitMs,
    memoryLimitMb: MEMORY_LIMIT_MB,
  })
  return read?.value ?? { ok: false, reason: 'too_complex' }
}
