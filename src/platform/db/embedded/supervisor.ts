import { setTimeout as sleep } from 'node:timers/promises'
import { type Launch, launchPostmaster } from './postmaster.ts'

const SHORTEST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 5_000
const CALM_AFTER_MS = 60_000

/** Keeps a server running: whenever it dies it is started again, with pauses that grow while it keeps dying, until `stop`. */
export async function supervise(launch: Launch): Promise<{ pid(): number; stop(): Promise<void> }> {
  const { log } = launch
  let current = await launchPostmaster(launch)
  const stopping = new AbortController()
  let pauseMs = SHORTEST_PAUSE_MS

  const startAgain = async () => {
    while (!stopping.signal.aborted) {
      await sleep(pauseMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {})
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
      if (stopping.signal.aborted) return
      try {
        current = await launchPostmaster(launch)
        log('PostgreSQL runs again')
        return
      } catch (error) {
        log(`PostgreSQL could not be started again, next try in ${pauseMs} ms: ${(error as Error).message}`)
      }
    }
  }
  const keepRunning = async () => {
    while (!stopping.signal.aborted) {
      const calm = setTimeout(() => {
        pauseMs = SHORTEST_PAUSE_MS
      }, CALM_AFTER_MS).unref()
      const reason = await current.exited
      clearTimeout(calm)
      if (stopping.signal.aborted) return
      log(`PostgreSQL ended unexpectedly (${reason}); starting it again`)
      await startAgain()
    }
  }
  const kept = keepRunning()

  return {
    pid: () => current.pid,
    stop: async () => {
      const before = current
      stopping.abort()
      await before.stop()
      await kept
      await current.stop() // a start that was under way when we were told to stop
    },
  }
}
