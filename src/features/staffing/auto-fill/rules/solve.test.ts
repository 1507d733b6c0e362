import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  at,
  bruteForce,
  compatibleUpTo,
  crowdedProblem,
  describeAssignments,
  problemOf,
  smallProblem,
  worth,
} from '#test/support/small-fill-problem.ts'
import type { FillProblem } from './problem.ts'
import { solve } from './solve.ts'

describe('small problems', () => {
  test('are solved as well as by trying everything', () => {
    fc.assert(
      fc.property(smallProblem, (problem) => {
        const solution = solve(problem)
        assert.equal(worth(problem, solution.assignments), solution.total, 'total')
        assert.equal(solution.total, bruteForce(problem), 'optimum')
        assert.ok(solution.isOptimal)
      }),
      { numRuns: 400 },
    )
  })

  test('have the same solution whatever the order of people and options', () => {
    fc.assert(
      fc.property(smallProblem, (problem) => {
        const reversed = { ...problem, options: [...problem.options].reverse() }
        assert.deepEqual(solve(reversed), solve(problem))
      }),
      { numRuns: 200 },
    )
  })
})

describe('repairing', () => {
  const shifts = [1, 2].map((id) => ({ id, start: at(id * 10), end: at(id * 10 + 4) }))

  test('moves a person to the place that only they can fill', () => {
    const problem: FillProblem = {
      shifts: [shifts[0]!],
      places: [
        { id: 'helper', shiftId: 1, count: 1, value: 1000 },
        { id: 'medic', shiftId: 1, count: 1, value: 1000 },
      ],
      options: [
        { personId: 1, placeId: 'helper', cost: 0 },
        { personId: 1, placeId: 'medic', cost: 90 },
        { personId: 2, placeId: 'helper', cost: 100 },
      ],
      repeatCost: 0,
      isCompatible: compatibleUpTo(24),
    }
    assert.deepEqual(solve(problem).assignments, [
      { personId: 2, placeId: 'helper' },
      { personId: 1, placeId: 'medic' },
    ])
  })

  test('prefers a second person to a second shift of the same person', () => {
    const problem: FillProblem = {
      shifts,
      places: shifts.map(({ id }) => ({ id: `s${id}`, shiftId: id, count: 1, value: 1000 })),
      options: shifts.flatMap(({ id }) => [1, 2].map((personId) => ({ personId, placeId: `s${id}`, cost: personId }))),
      repeatCost: 20,
      isCompatible: compatibleUpTo(24),
    }
    assert.deepEqual(new Set(solve(problem).assignments.map(({ personId }) => personId)), new Set([1, 2]))
  })
})

describe('a problem with more places than the exact search tries', () => {
  /** Eleven places that do not matter: each of eleven people takes one. */
  const others = { f: { shift: 6, count: 11 } }
  const optionsOfOthers = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`${100 + index} f`, 0]))
  const shifts = { 1: [0, 4], 2: [0, 4], 3: [0, 4], 4: [0, 4], 5: [8, 12], 6: [0, 4] } as const

  test('is proven to be solved if the total reaches the bound', () => {
    const { total, bound, isOptimal } = solve(crowdedProblem({ places: 15, people: 15 }))
    assert.deepEqual({ total, bound, isOptimal }, { total: 1500, bound: 1500, isOptimal: true })
  })

  test('is not proven to be solved if limits keep the total below the bound', () => {
    const { total, bound, isOptimal } = solve({ ...crowdedProblem({ places: 15, people: 15 }), isCompatible: () => false })
    assert.deepEqual({ total, bound, isOptimal }, { total: 0, bound: 1500, isOptimal: false })
  })

  test('is solved by the flow if the greedy plan cannot be repaired', () => {
    const problem = problemOf({
      shifts,
      places: { a: { value: 101 }, b: { shift: 2, value: 101 }, c: { shift: 3, value: 101 }, d: { shift: 4 }, ...others },
      options: { '1 a': 0, '2 a': 10, '2 b': 0, '3 b': 10, '3 c': 0, '4 c': 10, '1 d': 0, ...optionsOfOthers },
    })
    const { assignments, isOptimal } = solve(problem)
    assert.deepEqual([describeAssignments(assignments).slice(0, 4), isOptimal], [['2 a', '3 b', '4 c', '1 d'], true])
  })

  test('is solved by the greedy plan if the flow breaks a limit that cannot be repaired', () => {
    const problem = problemOf({
      shifts,
      places: {
        d: { shift: 4 },
        a: {},
        b: { shift: 2 },
        c: { shift: 3 },
        e: { shift: 5, value: 1000 },
        ...others,
      },
      options: {
        '1 a': 0,
        '2 a': 10,
        '2 b': 0,
        '3 b': 10,
        '3 c': 0,
        '4 c': 10,
        '1 d': 0,
        '5 d': 0,
        '5 e': 0,
        ...optionsOfOthers,
      },
      hours: 4,
    })
    const { assignments, isOptimal } = solve(problem)
    const expected = ['1 d', '2 a', '3 b', '4 c', '5 e']
    assert.deepEqual([describeAssignments(assignments).slice(0, 5), isOptimal], [expected, false])
  })
})
