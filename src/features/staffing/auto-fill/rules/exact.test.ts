import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  bruteForce,
  crowdedProblem,
  describeAssignments,
  planOf,
  problemOf,
  type Sketch,
  smallProblem,
  worth,
} from '#test/support/small-fill-problem.ts'
import { solveExactly } from './exact.ts'
import type { FillProblem } from './problem.ts'

/** Searches without a plan to start from. */
function search(problem: FillProblem, maxSteps?: number): ReturnType<typeof solveExactly> {
  const known = planOf(problem)
  return solveExactly(known.problem, known, maxSteps)
}

describe('the exact search', () => {
  test('finds the best assignment without a plan to start from', () => {
    fc.assert(
      fc.property(smallProblem, (problem) => {
        const { plan, isComplete } = search(problem)
        assert.ok(isComplete)
        assert.equal(plan.total, bruteForce(problem))
        assert.equal(worth(problem, plan.assignments()), plan.total)
      }),
      { numRuns: 300 },
    )
  })

  test('tries up to fourteen places', () => {
    const [fourteen, fifteen] = [14, 15].map((places) => search(crowdedProblem({ places, people: places })))
    assert.deepEqual([fourteen!.plan.total, fourteen!.isComplete], [1400, true])
    assert.deepEqual([fifteen!.plan.total, fifteen!.isComplete], [0, false])
  })

  test('ends after many steps without a proof', () => {
    const { plan, isComplete } = search(crowdedProblem({ places: 14, people: 7 }))
    assert.deepEqual([plan.total, isComplete], [700, false])
  })

  test('counts a place that takes several people once for each, and no more often than people can take it', () => {
    const problem = crowdedProblem({ places: 1, people: 3 })
    const places = [{ ...problem.places[0]!, count: 20 }]
    const { plan, isComplete } = search({ ...problem, places })
    assert.deepEqual([plan.total, isComplete], [300, true])
  })

  test('keeps the known plan if no other is worth more', () => {
    const problem = problemOf({ places: { a: {} }, options: { '1 a': 5, '2 a': 5 } })
    for (const assignments of [['1 a'], ['2 a']]) {
      const known = planOf(problem, assignments)
      assert.equal(solveExactly(known.problem, known).plan, known)
    }
    const nothing = planOf(problemOf({ places: { a: {} }, options: { '1 a': 100 } }))
    assert.equal(solveExactly(nothing.problem, nothing).plan, nothing)
  })
})

describe('the exact search finds', () => {
  const together: NonNullable<Sketch['shifts']> = { 1: [0, 4], 2: [0, 4] }
  const CASES: [what: string, sketch: Sketch, expected: string[]][] = [
    ['the person with the lowest cost', { places: { a: {} }, options: { '1 a': 5, '2 a': 4 } }, ['2 a']],
    ['nobody for a place that is worth nothing', { places: { a: {} }, options: { '1 a': 100 } }, []],
    ['somebody for a place that is worth little', { places: { a: {} }, options: { '1 a': 99 } }, ['1 a']],
    ['two people for a place of two', { places: { a: { count: 2 } }, options: { '1 a': 5, '2 a': 4, '3 a': 3 } }, ['2 a', '3 a']],
    [
      'the person who is left for each of two shifts at the same time',
      { shifts: together, places: { a: {}, b: { shift: 2 } }, options: { '1 a': 0, '2 a': 50, '1 b': 0 } },
      ['2 a', '1 b'],
    ],
    [
      'an open place between two that are filled',
      {
        shifts: { 1: [0, 4], 2: [0, 4], 3: [4, 8] },
        places: { a: {}, b: { shift: 2, value: 50 }, c: { shift: 3 } },
        options: { '1 a': 0, '1 b': 0, '1 c': 0 },
      },
      ['1 a', '1 c'],
    ],
    [
      'a second person, if a second shift of the first costs more',
      {
        shifts: { 1: [0, 4], 2: [4, 8] },
        places: { a: {}, b: { shift: 2 } },
        options: { '1 a': 0, '1 b': 0, '2 b': 19 },
        repeatCost: 20,
      },
      ['1 a', '2 b'],
    ],
    [
      'what is possible within the hours of a person',
      {
        shifts: { 1: [0, 4], 2: [4, 8] },
        places: { a: {}, b: { shift: 2, value: 200 } },
        options: { '1 a': 0, '1 b': 0 },
        hours: 4,
      },
      ['1 b'],
    ],
  ]
  for (const [what, sketch, expected] of CASES)
    test(what, () => {
      const { plan, isComplete } = search(problemOf(sketch))
      assert.deepEqual([describeAssignments(plan.assignments()), isComplete], [expected, true])
    })
})

describe('the number of steps of the exact search', () => {
  /** The lowest limit within which the search is complete. */
  function stepsOf(problem: FillProblem, assignments: readonly string[] = []): number {
    const known = planOf(problem, assignments)
    let steps = 0
    while (!solveExactly(known.problem, known, steps).isComplete) steps++
    return steps
  }
  const together: NonNullable<Sketch['shifts']> = { 1: [0, 4], 2: [0, 4] }
  const CASES: [what: string, sketch: Sketch, known: string[], steps: number][] = [
    ['is zero without places', { places: {}, options: {} }, [], 0],
    ['is zero if nobody can take a place', { places: { a: {} }, options: {} }, [], 0],
    ['is zero if nobody is worth something', { places: { a: {} }, options: { '1 a': 100, '2 a': 150 } }, [], 0],
    ['is zero if the known plan has the best person of each place', { places: { a: {} }, options: { '1 a': 7 } }, ['1 a'], 0],
    [
      'is zero if the known plan has the best people of a place of two',
      { places: { a: { count: 2 } }, options: { '1 a': 0, '2 a': 90, '3 a': 95 } },
      ['1 a', '2 a'],
      0,
    ],
    [
      'is one for each place if the first people are the best',
      { places: { a: { count: 3 } }, options: { '1 a': 1, '2 a': 2, '3 a': 3 } },
      [],
      3,
    ],
    [
      'grows with the sets of people for equal places, not with their orders',
      {
        shifts: together,
        places: { a: { count: 2 }, b: { shift: 2, count: 2 } },
        options: { '1 a': 0, '2 a': 0, '3 a': 0, '1 b': 0, '2 b': 0, '3 b': 0 },
      },
      [],
      10,
    ],
    [
      'is low if a place that one person can take is filled first',
      { shifts: together, places: { a: {}, b: { shift: 2 } }, options: { '1 a': 0, '2 a': 1, '3 a': 1, '4 a': 1, '1 b': 0 } },
      [],
      2,
    ],
    [
      'does not grow by people who are worth nothing',
      { shifts: together, places: { a: {}, b: { shift: 2 } }, options: { '1 a': 100, '1 b': 0, '2 b': 10 } },
      [],
      2,
    ],
  ]
  for (const [what, sketch, known, steps] of CASES) test(what, () => assert.equal(stepsOf(problemOf(sketch), known), steps))
})
