import { setTimeout as sleep } from 'node:timers/promises'
import { type LaunchOptions, launchPostmaster } from './postmaster.ts'

const MIN_RESTART_DELAY_MS = 50
const MAX_RESTART_DELAY_MS = 3_000
const STABLE_AFTER_MS = 60_000

/** Restarts the server whenever it exits, until `stop`. The delay doubles while it keeps exiting. */
export async function supervise(launch: LaunchOptions): Promise<{ pid(): number; stop(): Promise<void> }> {
  const { log } = launch
  let current = await launchPostmaster(launch)
  const stopping = new AbortController()
  let delayMs = MIN_RESTART_DELAY_MS

  const restart = async () => {
    while (!stopping.signal.aborted) {
      await sleep(delayMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {})
      delayMs = Math.min(delayMs * 2, MAX_RESTART_DELAY_MS)
      if (stopping.signal.aborted) return
      try {
        current = await launchPostmaster(launch)
        log('PostgreSQL is running again')
        return
      } catch (error) {
        log(`PostgreSQL could not be restarted, next attempt in ${delayMs} ms: ${(error as Error).message}`)
      }
    }
  }
  const keepRunning = async () => {
    while (!stopping.signal.aborted) {
      const stable = setTimeout(() => {
        delayMs = MIN_RESTART_DELAY_MS
      }, STABLE_AFTER_MS).unref()
      const reason = await current.exited
      clearTimeout(stable)
      if (stopping.signal.aborted) return
      log(`PostgreSQL exited unexpectedly (${reason}); restarting it`)
      await restart()
    }
  }
  const supervision = keepRunning()

  return {
    pid: () => current.pid,
    stop: async () => {
      const before = current
      stopping.abort()
      await before.stop()
      await supervision
      await current.stop() // a restart may have been in progress
    },
  }
}
