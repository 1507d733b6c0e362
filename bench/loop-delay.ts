import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

/** A page, endpoint or job may keep the event loop busy this long at a time. */
export const MOST_BUSY_MS = 50
/** The histogram counts what exceeds this. */
const RESOLUTION_MS = 5

export type Busy<T> = { value: T; longestMs: number; longestCpuMs: number; seconds: number }

/** Returns, when stopped, the most processor time of this thread between two turns of a timer. */
function watchCpu(): () => number {
  let longest = 0
  let before = process.threadCpuUsage()
  const look = () => {
    const { user, system } = process.threadCpuUsage()
    longest = Math.max(longest, user + system - before.user - before.system)
    before = { user, system }
  }
  const timer = setInterval(look, 1)
  return () => {
    clearInterval(timer)
    look()
    return longest / 1000
  }
}

/**
 * The longest time that the event loop of this process was busy without a turn while the work went on, and the most
 * processor time without a turn: it is less where another program had the processor in between.
 */
export async function measureBusy<T>(work: () => Promise<T>): Promise<Busy<T>> {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  histogram.enable()
  const stopCpu = watchCpu()
  try {
    await sleep(2 * RESOLUTION_MS)
    histogram.reset()
    const since = performance.now()
    const value = await work()
    const seconds = (performance.now() - since) / 1000
    await sleep(2 * RESOLUTION_MS)
    return { value, longestMs: Math.max(0, histogram.max / 1e6 - RESOLUTION_MS), longestCpuMs: stopCpu(), seconds }
  } finally {
    histogram.disable()
    stopCpu()
  }
}
