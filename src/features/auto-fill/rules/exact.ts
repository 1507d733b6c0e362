import { type Indexed, Plan } from './problem.ts'

/** More places are not searched: the search would not end. */
const MAX_PLACES = 14
const MAX_STEPS = 50_000

/** Depth-first search over all assignments that can be worth more than the best one known. `isComplete`: the result is optimal. */
export function solveExactly(problem: Indexed, known: Plan): { plan: Plan; isComplete: boolean } {
  const units = unitsOf(problem)
  if (units.length > MAX_PLACES) return { plan: known, isComplete: false }
  const bestRest = boundsOfRest(problem, units)
  const plan = new Plan(problem)
  let best = known
  let steps = 0
  /** `after`: equal places are filled in the order of people, so that each set of people is tried once. */
  const search = (index: number, after: number): void => {
    if (plan.total > best.total) best = plan.copy()
    if (index === units.length || plan.total + bestRest[index]! <= best.total) return
    if (++steps > MAX_STEPS) return
    const place = units[index]!
    const isSameNext = units[index + 1] === place
    const options = problem.optionsOf[place]!
    for (const [position, { person }] of options.entries()) {
      if (position <= after || plan.gain(person, place) <= 0 || !plan.canTake(person, place)) continue
      plan.add(person, place)
      search(index + 1, isSameNext ? position : -1)
      plan.remove(person, place)
    }
    // Leaves this place open, and with it the equal ones that follow.
    let following = index + 1
    while (units[following] === place) following++
    search(following, -1)
  }
  search(0, -1)
  return { plan: best, isComplete: steps <= MAX_STEPS }
}

/** Each place once per person it takes, those with few options first; equal ones are neighbours. */
function unitsOf({ places, optionsOf }: Indexed): number[] {
  const order = places.map((_, place) => place)
  order.sort((a, b) => optionsOf[a]!.length - optionsOf[b]!.length || a - b)
  return order.flatMap((place) => Array<number>(Math.min(places[place]!.count, optionsOf[place]!.length)).fill(place))
}

/** At most this much can be added by the units from an index on. */
function boundsOfRest({ places, optionsOf }: Indexed, units: readonly number[]): number[] {
  const bounds = [0]
  let position = 0
  const most = units.map((place, index) => {
    position = units[index - 1] === place ? position + 1 : 0
    return Math.max(0, places[place]!.value - optionsOf[place]![position]!.cost)
  })
  for (const value of most.reverse()) bounds.unshift(bounds[0]! + value)
  return bounds
}
