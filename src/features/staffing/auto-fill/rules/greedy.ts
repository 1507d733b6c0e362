import { type Indexed, Plan } from './problem.ts'

/** Fills the places with the fewest possible people first, each with the person that is worth most at that moment. */
export function fillGreedily(problem: Indexed): Plan {
  const plan = new Plan(problem)
  const { places, optionsOf } = problem
  const scarcity = (place: number) => optionsOf[place]!.length / places[place]!.count
  const order = [...places.keys()].sort((a, b) => places[b]!.value - places[a]!.value || scarcity(a) - scarcity(b))
  for (const place of order)
    while (plan.isOpen(place)) {
      const best = bestOption(plan, place)
      if (!best) break
      plan.add(best.person, place)
    }
  return plan
}

type Choice = { person: number; gain: number }

/** The possible person who is worth most, if any is worth more than the minimum. */
export function bestOption(plan: Plan, place: number, minimum = 0): Choice | undefined {
  let best: Choice | undefined
  for (const { person, cost } of plan.problem.optionsOf[place]!) {
    const gain = plan.gain(person, place, cost)
    if (gain > (best?.gain ?? minimum) && plan.canTake(person, place)) best = { person, gain }
  }
  return best
}
