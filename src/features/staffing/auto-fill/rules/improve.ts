import { bestOption } from './greedy.ts'
import type { Plan } from './problem.ts'

/** How many people get a new place at most, to fill one that is open. */
const CHAIN_LENGTH = 3
/** People tried for one place in one step of a chain. */
const CHAIN_WIDTH = 16
const MAX_ROUNDS = 30

/** Repeats three kinds of steps until none of them improves the plan. */
export function improve(plan: Plan): Plan {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const before = plan.total
    fillOpenPlaces(plan)
    replacePeople(plan)
    exchangePlaces(plan)
    if (plan.total <= before) break
  }
  return plan
}

export function fillOpenPlaces(plan: Plan): void {
  for (const place of plan.problem.places.keys()) while (plan.isOpen(place) && fill(plan, place, CHAIN_LENGTH));
}

/**
 * Fills an open place, if needed with a person whose other place then is filled with another person. Undoes what does not add more than
 * the minimum to the total.
 */
function fill(plan: Plan, place: number, length: number, minimum = 0): boolean {
  const direct = bestOption(plan, place, minimum)
  if (direct) {
    plan.add(direct.person, place)
    return true
  }
  if (length <= 1) return false
  let tried = 0
  for (const { person } of plan.problem.optionsOf[place]!) {
    for (const left of [...plan.placesOf[person]!]) {
      if (!plan.canTake(person, place, left)) continue
      if (++tried > CHAIN_WIDTH) return false
      const before = plan.total
      plan.remove(person, left)
      plan.add(person, place)
      const owed = before + minimum - plan.total
      if (owed < 0 || fill(plan, left, length - 1, owed)) return true
      plan.remove(person, place)
      plan.add(person, left)
    }
  }
  return false
}

/** Replaces people by others who are worth more on the same place, and removes those who are worth nothing. */
export function replacePeople(plan: Plan): void {
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
export function exchangePlaces(plan: Plan): void {
  const costOf = (person: number, place: number) => plan.problem.costs[place]!.get(person) ?? Number.POSITIVE_INFINITY
  const pairs = plan.peopleOf.flatMap((people, place) => people.map((person) => ({ person, place })))
  for (const [index, a] of pairs.entries())
    for (let other = index + 1; other < pairs.length; other++) {
      const b = pairs[other]!
      const after = costOf(a.person, b.place) + costOf(b.person, a.place)
      if (after >= costOf(a.person, a.place) + costOf(b.person, b.place)) continue
      if (!plan.canTake(a.person, b.place, a.place) || !plan.canTake(b.person, a.place, b.place)) continue
      const before = plan.total
      swapPlaces(plan, a, b)
      // Cheaper, but a person may have less rest.
      if (plan.total <= before) swapPlaces(plan, a, b)
    }
}

function swapPlaces(plan: Plan, a: { person: number; place: number }, b: { person: number; place: number }): void {
  plan.remove(a.person, a.place)
  plan.remove(b.person, b.place)
  const { place } = a
  a.place = b.place
  b.place = place
  plan.add(a.person, a.place)
  plan.add(b.person, b.place)
}
