import { relax } from './bound.ts'
import { solveExactly } from './exact.ts'
import { type FillAssignment, type FillProblem, type Indexed, type IndexedOption, indexProblem, Plan } from './problem.ts'

export type FillSolution = {
  assignments: readonly FillAssignment[]
  total: number
  /** No assignment is worth more than this. */
  bound: number
  /** Proven: no assignment is worth more than `total`. */
  isOptimal: boolean
}

/** How many people are moved at most to free a person for an open place. */
const CHAIN_LENGTH = 3
/** People tried for one place in one step of a chain. */
const CHAIN_WIDTH = 16
const MAX_ROUNDS = 30

/**
 * Assigns people to places. The result keeps `isCompatible`, is never worth less than that of `fillGreedily`, and depends only on the
 * problem. Small problems are solved exactly.
 */
export function solve(problem: FillProblem): FillSolution {
  const indexed = indexProblem(problem)
  const { bound, chosen } = relax(indexed, problem)
  const greedy = fillGreedily(indexed)
  const guided = new Plan(indexed)
  for (const { person, place } of chosen) if (guided.canTake(person, place)) guided.add(person, place)
  const best = [guided, greedy].map(improve).sort((a, b) => b.total - a.total)[0]!
  const exact = best.total < bound ? solveExactly(indexed, best) : { plan: best, isComplete: true }
  return {
    assignments: exact.plan.assignments(),
    total: exact.plan.total,
    bound: exact.isComplete ? exact.plan.total : bound,
    isOptimal: exact.isComplete,
  }
}

/** Fills the places with the fewest possible people first, each with the person that is worth most at that moment. */
export function fillGreedily(problem: Indexed): Plan {
  const plan = new Plan(problem)
  const { places, optionsOf } = problem
  const scarcity = (place: number) => optionsOf[place]!.length / places[place]!.count
  const order = places.map((_, place) => place)
  order.sort((a, b) => places[b]!.value - places[a]!.value || scarcity(a) - scarcity(b) || a - b)
  for (const place of order)
    while (plan.isOpen(place)) {
      const best = bestOption(plan, place)
      if (!best) break
      plan.add(best.person, place)
    }
  return plan
}

/** The possible person who is worth most, if any is worth something. */
function bestOption(
  plan: Plan,
  place: number,
  minimum = 0,
  excluded?: ReadonlySet<number>,
): (IndexedOption & { gain: number }) | undefined {
  let best: (IndexedOption & { gain: number }) | undefined
  for (const { person, cost } of plan.problem.optionsOf[place]!) {
    const gain = plan.gain(person, place, cost)
    if (gain <= (best?.gain ?? minimum) || excluded?.has(person) || !plan.canTake(person, place)) continue
    best = { person, cost, gain }
  }
  return best
}

/** Repeats three kinds of steps until none of them improves the plan. */
function improve(plan: Plan): Plan {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const before = plan.total
    for (const place of plan.problem.places.keys()) while (plan.isOpen(place) && fill(plan, place, CHAIN_LENGTH, new Set()));
    replacePeople(plan)
    exchangePlaces(plan)
    if (plan.total <= before) break
  }
  return plan
}

/** Fills an open place, if needed with a person whose other place then is filled with another person. Undoes what does not pay. */
function fill(plan: Plan, place: number, length: number, moved: Set<number>, minimum = 0): boolean {
  const direct = bestOption(plan, place, minimum, moved)
  if (direct) {
    plan.add(direct.person, place)
    return true
  }
  if (length <= 1) return false
  let tried = 0
  for (const { person } of plan.problem.optionsOf[place]!) {
    if (moved.has(person)) continue
    for (const left of [...plan.placesOf[person]!]) {
      if (!plan.canTake(person, place, left)) continue
      if (++tried > CHAIN_WIDTH) return false
      const before = plan.total
      plan.remove(person, left)
      plan.add(person, place)
      moved.add(person)
      const owed = before + minimum - plan.total
      if (owed < 0 || (fill(plan, left, length - 1, moved, owed) && plan.total > before + minimum)) return true
      moved.delete(person)
      plan.remove(person, place)
      plan.add(person, left)
    }
  }
  return false
}

/** Replaces people by others who are worth more on the same place, and removes those who are worth nothing. */
function replacePeople(plan: Plan): void {
  for (const place of plan.problem.places.keys())
    for (const person of [...plan.peopleOf[place]!]) {
      const loss = plan.loss(person, place)
      plan.remove(person, place)
      const better = bestOption(plan, place, Math.max(loss, 0))
      if (better) plan.add(better.person, place)
      else if (loss > 0) plan.add(person, place)
    }
}

/** Two people exchange their places. */
function exchangePlaces(plan: Plan): void {
  const { costs } = plan.problem
  const pairs = plan.peopleOf.flatMap((people, place) => people.map((person) => ({ person, place })))
  for (const [index, a] of pairs.entries())
    for (let other = index + 1; other < pairs.length; other++) {
      const b = pairs[other]!
      if (a.person === b.person || a.place === b.place) continue
      const [ab, ba] = [costs[b.place]!.get(a.person), costs[a.place]!.get(b.person)]
      if (ab === undefined || ba === undefined) continue
      if (ab + ba >= costs[a.place]!.get(a.person)! + costs[b.place]!.get(b.person)!) continue
      if (!plan.canTake(a.person, b.place, a.place) || !plan.canTake(b.person, a.place, b.place)) continue
      plan.remove(a.person, a.place)
      plan.remove(b.person, b.place)
      plan.add(a.person, b.place)
      plan.add(b.person, a.place)
      const { place } = a
      a.place = b.place
      b.place = place
    }
}
