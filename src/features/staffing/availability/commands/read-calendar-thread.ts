import { parentPort, workerData } from 'node:worker_threads'
import type { ThreadMessage } from '#platform/thread.ts'
import { type ReadOptions, readBusyTimes } from '../rules/busy-times.ts'
import type { ReadOutcome } from './read-calendar.ts'

const { text, options } = workerData as { text: string; options: ReadOptions }

/** The message of an error may quote the calendar, so it goes nowhere. */
function read(): ReadOutcome {
  try {
    return readBusyTimes(text, options)
  } catch {
    return { ok: false, reason: 'too_complex' }
  }
}

parentPort!.postMessage({ isFinal: true, value: read() } satisfies ThreadMessage<ReadOutcome>)
