import { type Indexed, Plan } from './problem.ts'

/** More places are not searched: the search would not end. */
const MAX_PLACES = 14
const MAX_STEPS = 50_000

/** Depth-first search over all assignments that can be worth more than the best one known. `isComplete`: the result is optimal. */
export function solveExactly(problem: Indexed, known: Plan, maxSteps = MAX_STEPS): { plan: Plan; isComplete: boolean } {
  const units = unitsOf(problem)
  if (units.length > MAX_PLACES) return { plan: known, isComplete: false }
  const bestRest = boundsOfRest(problem, units)
  const plan = new Plan(problem)
  let best = known
  let steps = 0
  /** `first`: equal places are filled in the order of people, so that each set of people is tried once. */
  const search = (index: number, first: number): void => {
    if (plan.total > best.total) best = plan.copy()
    // Also after the last place, where nothing can be added.
    if (plan.total + bestRest[index]! <= best.total) return
    if (++steps > maxSteps) return
    const place = units[index]!
    const isSameNext = units[index + 1] === place
    const options = problem.optionsOf[place]!
    for (let position = first; position < options.length; position++) {
      const { person } = options[position]!
      if (plan.gain(person, place) <= 0 || !plan.canTake(person, place)) continue
      plan.add(person, place)
      search(index + 1, isSameNext ? position + 1 : 0)
      plan.remove(person, place)
    }
    // Leaves this place open, and with it the equal ones that follow.
    search(units.lastIndexOf(place) + 1, 0)
  }
  search(0, 0)
  return { plan: best, isComplete: steps <= maxSteps }
}

/** Each place once per person it takes, those with few options first; equal ones are neighbours. */
function unitsOf({ places, optionsOf }: Indexed): number[] {
  const order = [...places.keys()].sort((a, b) => optionsOf[a]!.length - optionsOf[b]!.length)
  return order.flatMap((place) => Array<number>(Math.min(places[place]!.count, optionsOf[place]!.length)).fill(place))
}

/** At most this much can be added by the units from an index on. */
function boundsOfRest({ places, optionsOf }: Indexed, units: readonly number[]): number[] {
  const bounds = [0]
  const most = units.map((place, index) => {
    const cheapest = optionsOf[place]![index - units.indexOf(place)]!
    return Math.max(0, places[place]!.value - cheapest.cost)
  })
  for (const value of most.reverse()) bounds.unshift(bounds[0]! + value)
  return bounds
}
