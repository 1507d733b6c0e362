/** Direct inclusions. Keys are ids or uuids. */
export type Edges<K> = ReadonlyMap<K, readonly K[]>

/** The shortest path including both ends; undefined if there is none. */
export function findPath<K>(edges: Edges<K>, from: K, to: K): K[] | undefined {
  const cameFrom = new Map<K, K | undefined>([[from, undefined]])
  for (const here of cameFrom.keys()) {
    if (here === to) {
      const path: K[] = []
      for (let step: K | undefined = here; step !== undefined; step = cameFrom.get(step)) path.unshift(step)
      return path
    }
    for (const next of edges.get(here) ?? []) if (!cameFrom.has(next)) cameFrom.set(next, here)
  }
  return undefined
}

/** The cycle that exists if `one` includes `included`; it begins and ends with `one`. */
export function findCycle<K>(edges: Edges<K>, one: K, included: readonly K[]): K[] | undefined {
  for (const next of included) {
    const back = findPath(edges, next, one)
    if (back) return [one, ...back]
  }
  return undefined
}

export function findAnyCycle<K>(edges: Edges<K>): K[] | undefined {
  for (const [one, included] of edges) {
    const cycle = findCycle(edges, one, included)
    if (cycle) return cycle
  }
  return undefined
}

/** Every key that can be reached from `from`. */
export function findReachable<K>(edges: Edges<K>, from: K): Set<K> {
  const found = new Set<K>(edges.get(from) ?? [])
  // Iterating over a set also visits values that are added meanwhile.
  for (const here of found) for (const next of edges.get(here) ?? []) found.add(next)
  found.delete(from)
  return found
}

/** Removes keys; inclusions through removed keys become direct. */
export function skipRemoved<K>(edges: Edges<K>, isKept: (key: K) => boolean): Map<K, K[]> {
  const through = (key: K, seen: Set<K>): K[] =>
    (edges.get(key) ?? []).flatMap((next) => {
      if (seen.has(next)) return []
      seen.add(next)
      return isKept(next) ? [next] : through(next, seen)
    })
  return new Map([...edges.keys()].filter(isKept).map((key) => [key, through(key, new Set([key]))]))
}
