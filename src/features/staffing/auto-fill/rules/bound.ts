import { Circulation } from '#features/staffing/staffing/rules/circulation.ts'
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
  const network = new Circulation()
  const costs: number[] = []
  const addArc = (from: number, to: number, capacity: number, cost: number) => {
    costs.push(cost)
    return network.addArc(from, to, capacity)
  }
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
    addArc(node, personNodes[person]!, 1, 0)
    addArc(personNodes[person]!, sink, 1, repeated(problem, groupsOf[person]!++))
    return node
  }
  for (const [place, { count, value, shift }] of places.entries()) {
    const placeNode = network.addNode()
    addArc(source, placeNode, count, -value)
    for (const { person, cost } of optionsOf[place]!)
      arcs.push({ arc: addArc(placeNode, groupNode(person, groupOf.get(shift.id)!), 1, cost), person, place })
  }
  const filled = addArc(
    sink,
    source,
    places.reduce((sum, { count }) => sum + count, 0),
    0,
  )
  network.maximise((arc) => -costs[arc]!)
  // Nobody takes a place that is worth no more than it costs.
  network.maximise((arc) => (arc === filled ? -1 : 0))
  const bound = costs.reduce((sum, cost, arc) => sum - cost * network.flow(arc), 0)
  return { bound, chosen: arcs.filter(({ arc }) => network.flow(arc) > 0) }
}

/**
 * Groups of shifts that have a moment in common, rest included, so that a person can take at most one of each group. A group is named by
 * the id of its first shift.
 */
function groupSimultaneous(shifts: readonly FillShift[], restMs: number): ReadonlyMap<number, number> {
  const groups = new Map<number, number>()
  let group: { id: number; earliestEnd: number } | undefined
  // Of shifts that begin together, one of no length comes first: it is in no conflict with the others.
  const inOrder = [...shifts].sort((a, b) => a.start.getTime() - b.start.getTime() || a.end.getTime() - b.end.getTime())
  for (const { id, start, end } of inOrder) {
    const until = end.getTime() + restMs
    if (group && start.getTime() < group.earliestEnd) group.earliestEnd = Math.min(group.earliestEnd, until)
    else group = { id, earliestEnd: until }
    groups.set(id, group.id)
  }
  return groups
}
