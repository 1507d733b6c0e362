/** Runs at most `max` tasks at a time; the others wait in order. */
export function limitConcurrency(max: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running >= max) await new Promise<void>((start) => waiting.push(start))
    else running++
    try {
      return await work()
    } finally {
      // Pass the slot on without freeing it, so that a new task cannot overtake the queue.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
