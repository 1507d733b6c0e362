import type { FillProblem, FillShift, Indexed } from './problem.ts'
import { repeated } from './problem.ts'

const HOUR_MS = 3_600_000

/** `chosen`: pairs of person and place in the best solution of the relaxed problem, which may break limits. */
type Relaxed = { bound: number; chosen: { person: number; place: number }[] }

/**
 * An upper bound of the best total, by a minimum-cost flow. It keeps that a person takes one of several shifts at the same time, and the
 * rising cost of repetition, and leaves out all other limits.
 */
export function relax(problem: Indexed, { shifts, restHours = 0 }: Pick<FillProblem, 'shifts' | 'restHours'>): Relaxed {
  const groupOf = groupSimultaneous(shifts, restHours * HOUR_MS)
  const { places, people, optionsOf } = problem
  const network = new Network()
  const source = network.addNode()
  const sink = network.addNode()
  const personNodes = people.map(() => network.addNode())
  const groupNodes = new Map<string, number>()
  const groupsOf = people.map(() => 0)
  const arcs: { arc: number; person: number; place: number }[] = []
  const groupNode = (person: number, group: number) => {
    const key = `${person} ${group}`
    const known = groupNodes.get(key)
    if (known !== undefined) return known
    const node = network.addNode()
    groupNodes.set(key, node)
    network.addArc(node, personNodes[person]!, 1, 0)
    groupsOf[person]!++
    return node
  }
  for (const [place, { count, value, shift }] of places.entries()) {
    const placeNode = network.addNode()
    network.addArc(source, placeNode, count, -value)
    for (const { person, cost } of optionsOf[place]!)
      arcs.push({ arc: network.addArc(placeNode, groupNode(person, groupOf.get(shift.id)!), 1, cost), person, place })
  }
  for (const [person, node] of personNodes.entries())
    for (let count = 0; count < groupsOf[person]!; count++) network.addArc(node, sink, 1, repeated(problem, count))
  const cost = network.minimizeCost(source, sink)
  return { bound: -cost, chosen: arcs.filter(({ arc }) => network.flowOn(arc) > 0) }
}

/** Groups of shifts that have a moment in common, rest included, so that a person can take at most one of each group. */
function groupSimultaneous(shifts: readonly FillShift[], restMs: number): ReadonlyMap<number, number> {
  const groups = new Map<number, number>()
  let group = -1
  let earliestEnd = Number.NEGATIVE_INFINITY
  for (const { id, start, end } of [...shifts].sort((a, b) => a.start.getTime() - b.start.getTime() || a.id - b.id)) {
    const from = start.getTime()
    const until = Math.max(end.getTime(), from) + restMs
    // A shift of no length is in no conflict with another that begins in the same moment.
    const joins = from < earliestEnd && until > from
    if (joins) earliestEnd = Math.min(earliestEnd, until)
    else {
      group++
      earliestEnd = until
    }
    groups.set(id, group)
  }
  return groups
}

/** Minimum-cost flow by successive shortest paths with potentials. The graph must have no cycle before the first unit flows. */
class Network {
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
      const unit = potentials[sink]! - potentials[source]!
      if (!arcs || unit >= 0) return cost
      for (const arc of arcs) {
        this.capacities[arc]!--
        this.capacities[arc ^ 1]!++
      }
      cost += unit
    }
  }

  /** Distances by repeated relaxation; few rounds, because the longest path has four arcs. */
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
    // A node that is not reached stays unreachable: paths only reverse arcs between reached nodes.
    return distances.map((distance) => (Number.isFinite(distance) ? distance : 0))
  }

  /** Arcs of a shortest path, and potentials that make its reduced cost zero; undefined if there is none. */
  private shortestPath(source: number, sink: number, potentials: Float64Array): number[] | undefined {
    const { heads, next, targets, capacities, costs } = this
    const distances = new Float64Array(heads.length).fill(Number.POSITIVE_INFINITY)
    const arrivedBy = new Int32Array(heads.length).fill(-1)
    const isSettled = new Uint8Array(heads.length)
    const queue = new Queue()
    distances[source] = 0
    queue.push(source, 0)
    for (let node = queue.pop(); node !== -1; node = queue.pop()) {
      if (isSettled[node]) continue
      isSettled[node] = 1
      if (node === sink) break
      for (let arc = heads[node]!; arc !== -1; arc = next[arc]!) {
        if (capacities[arc]! <= 0) continue
        const to = targets[arc]!
        const distance = distances[node]! + costs[arc]! + potentials[node]! - potentials[to]!
        if (distance >= distances[to]! || isSettled[to]) continue
        distances[to] = distance
        arrivedBy[to] = arc
        queue.push(to, distance)
      }
    }
    if (!isSettled[sink]) return undefined
    const length = distances[sink]!
    for (let node = 0; node < heads.length; node++) potentials[node]! += isSettled[node] ? distances[node]! : length
    const path: number[] = []
    for (let node = sink; node !== source; node = targets[arrivedBy[node]! ^ 1]!) path.push(arrivedBy[node]!)
    return path
  }
}

/** Binary heap of nodes by distance; a node can be in it several times. */
class Queue {
  private readonly nodes: number[] = []
  private readonly keys: number[] = []

  push(node: number, key: number): void {
    const { nodes, keys } = this
    let index = nodes.push(node) - 1
    keys.push(key)
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (keys[parent]! <= key) break
      nodes[index] = nodes[parent]!
      keys[index] = keys[parent]!
      index = parent
    }
    nodes[index] = node
    keys[index] = key
  }

  /** -1 if it is empty. */
  pop(): number {
    const { nodes, keys } = this
    if (nodes.length === 0) return -1
    const first = nodes[0]!
    const node = nodes.pop()!
    const key = keys.pop()!
    const size = nodes.length
    if (size === 0) return first
    let index = 0
    for (;;) {
      let child = 2 * index + 1
      if (child >= size) break
      if (child + 1 < size && keys[child + 1]! < keys[child]!) child++
      if (keys[child]! >= key) break
      nodes[index] = nodes[child]!
      keys[index] = keys[child]!
      index = child
    }
    nodes[index] = node
    keys[index] = key
    return first
  }
}
