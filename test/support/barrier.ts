/** Waits until this many callers have passed their checks, so that the twin of a race is certain on any machine. */
export function makeBarrier(size: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let arrived = 0
  return () => {
    if (++arrived === size) resolve()
    return promise
  }
}
