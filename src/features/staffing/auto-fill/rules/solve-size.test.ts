import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { largeProblem } from '#test/support/fill-problem.ts'
import { worth } from '#test/support/small-fill-problem.ts'
import { fillGreedily } from './greedy.ts'
import { indexProblem } from './problem.ts'
import { solve } from './solve.ts'

describe('200 people and 100 shifts', () => {
  for (const seed of [1, 2, 3])
    test(`stays within 5 % of the bound and above the greedy plan (seed ${seed})`, () => {
      const problem = largeProblem(seed)
      const solution = solve(problem)
      assert.equal(worth(problem, solution.assignments), solution.total)
      const greedy = fillGreedily(indexProblem(problem)).total
      assert.ok(solution.total >= greedy, `${solution.total} < ${greedy}`)
      assert.ok(solution.total >= 0.95 * solution.bound, `${solution.total} of ${solution.bound}, greedy ${greedy}`)
    })
})
