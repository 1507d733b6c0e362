/** Lets at most so many pieces of work run at a time; the others wait in the order in which they came. */
export function limitConcurrency(max: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running >= max) await new Promise<void>((go) => waiting.push(go))
    else running++
    try {
      return await work()
    } finally {
      // The lane is handed over, never free in between: nobody can push in.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
