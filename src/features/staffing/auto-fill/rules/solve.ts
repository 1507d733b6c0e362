import { relax } from './bound.ts'
import { solveExactly } from './exact.ts'
import { fillGreedily } from './greedy.ts'
import { improve } from './improve.ts'
import { type FillAssignment, type FillProblem, indexProblem, Plan } from './problem.ts'

export type FillSolution = {
  assignments: readonly FillAssignment[]
  total: number
  /** No assignment is worth more than this. */
  bound: number
  /** Proven: no assignment is worth more than `total`. */
  isOptimal: boolean
}

/**
 * Assigns people to places. The result keeps `isCompatible`, is never worth less than that of `fillGreedily`, and depends only on the
 * problem. Small problems are solved exactly. `onFirst` gets the improved greedy plan before the long search.
 */
export function solve(problem: FillProblem, onFirst?: (first: FillSolution) => void): FillSolution {
  const indexed = indexProblem(problem)
  const greedy = improve(fillGreedily(indexed))
  onFirst?.({ assignments: greedy.assignments(), total: greedy.total, bound: Number.POSITIVE_INFINITY, isOptimal: false })
  const { bound, chosen } = relax(indexed, problem)
  const guided = new Plan(indexed)
  for (const { person, place } of chosen) if (guided.canTake(person, place)) guided.add(person, place)
  const best = [improve(guided), greedy].sort((a, b) => b.total - a.total)[0]!
  const exact = best.total < bound ? solveExactly(indexed, best) : { plan: best, isComplete: true }
  return {
    assignments: exact.plan.assignments(),
    total: exact.plan.total,
    bound: exact.isComplete ? exact.plan.total : bound,
    isOptimal: exact.isComplete,
  }
}
