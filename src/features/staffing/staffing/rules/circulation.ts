/**
 * Circulation (flow without source and sink) that is optimised level by level. `maximise` keeps the optimum of all earlier calls: it
 * fixes arcs with a reduced cost other than 0, whose flow is the same in all best solutions, and later calls change only the others.
 * Levels are not combined into one weighted sum, so no number of people can make a lower level outweigh a higher one.
 *
 * Arc `a` is stored as two edges: 2a forward, 2a + 1 backward, each with its residual capacity.
 */
export class Circulation {
  /** Number of visited edges, the measure of work. */
  visits = 0
  readonly #leaving: number[][] = []
  readonly #target: number[] = []
  readonly #room: number[] = []
  readonly #loose: boolean[] = []

  get nodes(): number {
    return this.#leaving.length
  }

  get arcs(): number {
    return this.#loose.length
  }

  addNode(): number {
    return this.#leaving.push([]) - 1
  }

  addArc(from: number, to: number, capacity: number): number {
    const arc = this.#loose.push(true) - 1
    this.#leaving[from]!.push(2 * arc)
    this.#leaving[to]!.push(2 * arc + 1)
    this.#target.push(to, from)
    this.#room.push(capacity, 0)
    return arc
  }

  flow(arc: number): number {
    return this.#room[2 * arc + 1]!
  }

  /** Maximises the sum of flow × worth (integers) among the solutions that are optimal for all earlier calls. */
  maximise(worth: (arc: number) => number): void {
    const cost: number[] = []
    const excess = new Array<number>(this.nodes).fill(0)
    for (const [arc, isLoose] of this.#loose.entries()) {
      const gain = isLoose ? worth(arc) : 0
      cost.push(-gain, gain)
      if (gain === 0) continue
      // Start with every profitable edge saturated, then send the excess back along the cheapest paths.
      const edge = gain > 0 ? 2 * arc : 2 * arc + 1
      const amount = this.#room[edge]!
      this.#push(edge, amount)
      excess[this.#target[edge]!]! += amount
      excess[this.#target[edge ^ 1]!]! -= amount
    }
    const potential = new Array<number>(this.nodes).fill(0)
    const reduced = (edge: number) => cost[edge]! + potential[this.#target[edge ^ 1]!]! - potential[this.#target[edge]!]!
    while (excess.some((e) => e > 0)) {
      this.#raise(potential, excess, reduced)
      while (this.#lead(excess, (edge) => reduced(edge) === 0));
    }
    for (const arc of this.#loose.keys()) if (reduced(2 * arc) !== 0) this.#loose[arc] = false
  }

  /**
   * Removes one unit of flow along a closed cycle of arcs, which visits a node once. Returns true if a best solution contains such a unit;
   * the remaining flow is then a best solution of the remaining network. Returns false and changes nothing otherwise.
   */
  removeUnit(cycle: readonly number[]): boolean {
    const empty = cycle.filter((arc) => this.flow(arc) === 0)
    if (!empty.every((arc) => this.#open(2 * arc))) return false
    const used = cycle.map((arc) => (this.flow(arc) > 0 ? 2 * arc + 1 : 2 * arc))
    for (const edge of used) this.#room[edge]!--
    // An empty arc has no unit to remove: one too many arrives at its end, and one is missing at its beginning.
    const ends = empty.map((arc) => this.#target[2 * arc]!)
    const beginnings = empty.map((arc) => this.#target[2 * arc + 1]!)
    const missing = new Set(beginnings.filter((node) => !ends.includes(node)))
    const routes: number[][] = []
    for (const start of ends.filter((node) => !beginnings.includes(node))) {
      const route = this.#routeTo(start, missing)
      if (!route) {
        for (const edge of routes.flat()) this.#push(edge ^ 1, 1)
        for (const edge of used) this.#room[edge]!++
        return false
      }
      for (const edge of route) this.#push(edge, 1)
      missing.delete(this.#target[route.at(-1)!]!)
      routes.push(route)
    }
    return true
  }

  #push(edge: number, amount: number): void {
    this.#room[edge]! -= amount
    this.#room[edge ^ 1]! += amount
  }

  #open(edge: number): boolean {
    this.visits++
    return this.#room[edge]! > 0 && this.#loose[edge >> 1]!
  }

  /** Adds the shortest distances from all nodes with excess, up to the nearest deficit, to the potentials (Dijkstra). */
  #raise(potential: number[], excess: readonly number[], reduced: (edge: number) => number): void {
    const distance = new Array<number>(this.nodes).fill(Infinity)
    // Distances are integers, of few different values, so buckets replace a heap. A node is in a bucket for each distance that was found.
    const buckets: number[][] = [[]]
    excess.forEach((amount, node) => {
      if (amount <= 0) return
      distance[node] = 0
      buckets[0]!.push(node)
    })
    let reach = 0
    search: for (; reach < buckets.length; reach++) {
      for (const node of buckets[reach] ?? []) {
        if (distance[node] !== reach) continue
        if (excess[node]! < 0) break search
        for (const edge of this.#leaving[node]!) {
          if (!this.#open(edge)) continue
          const next = this.#target[edge]!
          const length = reach + reduced(edge)
          if (length >= distance[next]!) continue
          distance[next] = length
          buckets[length] ??= []
          buckets[length].push(next)
        }
      }
    }
    for (const node of potential.keys()) potential[node]! += Math.min(distance[node]!, reach)
  }

  /** One phase of Dinic's algorithm: pushes excess along shortest paths of admissible edges; false if nothing moved. */
  #lead(excess: number[], usable: (edge: number) => boolean): boolean {
    const layer = new Array<number>(this.nodes).fill(-1)
    const queue: number[] = []
    excess.forEach((amount, node) => {
      if (amount <= 0) return
      layer[node] = 0
      queue.push(node)
    })
    const starts = queue.length
    for (const node of queue) {
      for (const edge of this.#leaving[node]!) {
        const next = this.#target[edge]!
        if (layer[next] !== -1 || !this.#open(edge) || !usable(edge)) continue
        layer[next] = layer[node]! + 1
        queue.push(next)
      }
    }
    const tried = new Array<number>(this.nodes).fill(0)
    let moved = false
    for (const start of queue.slice(0, starts)) {
      while (excess[start]! > 0) {
        const route = this.#descend(start, layer, tried, excess, usable)
        if (!route) break
        const end = this.#target[route.at(-1)!]!
        let amount = Math.min(excess[start]!, -excess[end]!)
        for (const edge of route) amount = Math.min(amount, this.#room[edge]!)
        for (const edge of route) this.#push(edge, amount)
        excess[start]! -= amount
        excess[end]! += amount
        moved = true
      }
    }
    return moved
  }

  #descend(start: number, layer: number[], tried: number[], excess: number[], usable: (edge: number) => boolean) {
    const route: number[] = []
    let node = start
    while (excess[node]! >= 0) {
      const edge = this.#leaving[node]![tried[node]!]
      if (edge === undefined) {
        const back = route.pop()
        if (back === undefined) return undefined
        node = this.#target[back ^ 1]!
        tried[node]!++
      } else if (layer[this.#target[edge]!] === layer[node]! + 1 && this.#open(edge) && usable(edge)) {
        route.push(edge)
        node = this.#target[edge]!
      } else tried[node]!++
    }
    return route
  }

  #routeTo(start: number, ends: ReadonlySet<number>): number[] | undefined {
    const cameBy = new Map<number, number>([[start, -1]])
    for (const [node] of cameBy) {
      if (ends.has(node)) {
        const route: number[] = []
        for (let edge = cameBy.get(node)!; edge !== -1; edge = cameBy.get(this.#target[edge ^ 1]!)!) route.unshift(edge)
        return route
      }
      for (const edge of this.#leaving[node]!) {
        const next = this.#target[edge]!
        if (!cameBy.has(next) && this.#open(edge)) cameBy.set(next, edge)
      }
    }
    return undefined
  }
}
