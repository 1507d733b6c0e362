import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

/** A page, endpoint or job may keep the event loop busy this long at a time. */
export const MOST_BUSY_MS = 50
/** The histogram counts what exceeds this. */
const RESOLUTION_MS = 5

/** The longest time that the event loop of this process was busy without a turn while the work went on. */
export async function measureBusy<T>(work: () => Promise<T>): Promise<{ value: T; longestMs: number; seconds: number }> {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  histogram.enable()
  try {
    await sleep(2 * RESOLUTION_MS)
    histogram.reset()
    const since = performance.now()
    const value = await work()
    const seconds = (performance.now() - since) / 1000
    await sleep(2 * RESOLUTION_MS)
    return { value, longestMs: Math.max(0, histogram.max / 1e6 - RESOLUTION_MS), seconds }
  } finally {
    histogram.disable()
  }
}
