import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Log } from '#platform/log.ts'
import type { WatchdogData } from './watchdog-thread.ts'

/** `.ts` in the source and `.js` in a package. */
const ENDING = extname(import.meta.filename)
const BEAT_MS = 100

type WatchdogOptions = Omit<WatchdogData, 'beats'> & { log: Log }

/** Ends the process if an extension keeps it from serving. Only a process with extensions has this thread. */
export function startWatchdog({ log, ...data }: WatchdogOptions): { stop: () => Promise<void> } {
  const beats = new SharedArrayBuffer(4)
  const counter = new Int32Array(beats)
  const beat = setInterval(() => Atomics.add(counter, 0, 1), BEAT_MS)
  const workerData: WatchdogData = { beats, ...data }
  const thread = new Worker(new URL(`./watchdog-thread${ENDING}`, import.meta.url), { execArgv: [], workerData })
  thread.on('error', (err) => log.error({ err }, 'the watchdog of extensions has ended'))
  beat.unref()
  thread.unref()
  return {
    stop: async () => {
      clearInterval(beat)
      await thread.terminate()
    },
  }
}
