import { NodeQueue } from './node-queue.ts'

/** Minimum-cost flow by successive shortest paths with potentials. The graph must have no cycle before the first unit flows. */
export class FlowNetwork {
  private readonly heads: number[] = []
  private readonly targets: number[] = []
  private readonly next: number[] = []
  private readonly capacities: number[] = []
  private readonly costs: number[] = []

  addNode(): number {
    return this.heads.push(-1) - 1
  }

  /** The reverse arc has the next number. */
  addArc(from: number, to: number, capacity: number, cost: number): number {
    const arc = this.targets.length
    for (const [tail, head, room, price] of [
      [from, to, capacity, cost],
      [to, from, 0, -cost],
    ] as const) {
      this.next.push(this.heads[tail]!)
      this.heads[tail] = this.targets.push(head) - 1
      this.capacities.push(room)
      this.costs.push(price)
    }
    return arc
  }

  flowOn(arc: number): number {
    return this.capacities[arc + 1]!
  }

  /** Sends units as long as each lowers the cost. */
  minimizeCost(source: number, sink: number): number {
    const potentials = this.firstPotentials(source)
    let cost = 0
    for (;;) {
      const arcs = this.shortestPath(source, sink, potentials)
      const unit = potentials[sink]!
      if (!arcs || unit >= 0) return cost
      for (const arc of arcs) {
        this.capacities[arc]!--
        this.capacities[arc ^ 1]!++
      }
      cost += unit
    }
  }

  /** Distances by repeated relaxation, one round for each arc of the longest path. A node that is not reached is never used. */
  private firstPotentials(source: number): Float64Array {
    const distances = new Float64Array(this.heads.length).fill(Number.POSITIVE_INFINITY)
    distances[source] = 0
    let level = [source]
    while (level.length > 0) {
      const reached = new Set<number>()
      for (const node of level)
        for (let arc = this.heads[node]!; arc !== -1; arc = this.next[arc]!) {
          const to = this.targets[arc]!
          const distance = distances[node]! + this.costs[arc]!
          if (this.capacities[arc]! <= 0 || distance >= distances[to]!) continue
          distances[to] = distance
          reached.add(to)
        }
      level = [...reached]
    }
    return distances
  }

  /**
   * Arcs of a shortest path; undefined if there is none. The potentials become the costs of the shortest paths to the nodes, at most
   * that of the path to the sink.
   */
  private shortestPath(source: number, sink: number, potentials: Float64Array): number[] | undefined {
    const { heads, next, targets, capacities, costs } = this
    const distances = new Float64Array(heads.length).fill(Number.POSITIVE_INFINITY)
    const arrivedBy = new Int32Array(heads.length)
    const isSettled = new Uint8Array(heads.length)
    const queue = new NodeQueue()
    distances[source] = 0
    queue.push(source, distances[source])
    for (let node = queue.pop(); node !== -1; node = queue.pop()) {
      if (isSettled[node]) continue
      isSettled[node] = 1
      if (node === sink) break
      for (let arc = heads[node]!; arc !== -1; arc = next[arc]!) {
        const to = targets[arc]!
        if (capacities[arc]! <= 0 || isSettled[to]) continue
        const distance = distances[node]! + costs[arc]! + potentials[node]! - potentials[to]!
        if (distance >= distances[to]!) continue
        distances[to] = distance
        arrivedBy[to] = arc
        queue.push(to, distance)
      }
    }
    if (!isSettled[sink]) return undefined
    const length = distances[sink]!
    for (const node of heads.keys()) potentials[node]! += isSettled[node] ? distances[node]! : length
    const path: number[] = []
    for (let node = sink; node !== source; node = targets[arrivedBy[node]! ^ 1]!) path.push(arrivedBy[node]!)
    return path
  }
}
