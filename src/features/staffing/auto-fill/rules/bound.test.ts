import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { at, bruteForce, problemOf, type Sketch, smallProblem, worth } from '#test/support/small-fill-problem.ts'
import { relax } from './bound.ts'
import { type FillProblem, indexProblem } from './problem.ts'

/** Problems in which only shifts at the same time exclude each other, which the bound keeps. */
const simpleProblem = smallProblem.map(
  (problem): FillProblem => ({
    ...problem,
    shifts: problem.shifts.map(({ id }) => ({ id, start: at(id * 10), end: at(id * 10 + 4) })),
    isCompatible: () => true,
  }),
)

describe('the bound', () => {
  test('is exceeded by no assignment', () => {
    fc.assert(
      fc.property(smallProblem, (problem) => {
        assert.ok(relax(indexProblem(problem), problem).bound >= bruteForce(problem))
      }),
      { numRuns: 400 },
    )
  })

  test('is the best total if people have no limits', () => {
    fc.assert(
      fc.property(simpleProblem, (problem) => {
        const indexed = indexProblem(problem)
        const { bound, chosen } = relax(indexed, problem)
        assert.ok(bound === bruteForce(problem), `${bound}`)
        const assignments = chosen.map(({ person, place }) => ({
          personId: indexed.people[person]!,
          placeId: problem.places[place]!.id,
        }))
        assert.ok(worth(problem, assignments) === bound)
      }),
      { numRuns: 300 },
    )
  })

  /** One person, a place of 1000 on each shift; each further shift costs 10. `groups`: how many shifts the person can take. */
  const CASES: [what: string, shifts: [from: number, until: number][], restHours: number | undefined, groups: number][] = [
    [
      'one after the other',
      [
        [0, 4],
        [4, 8],
      ],
      undefined,
      2,
    ],
    [
      'at the same time',
      [
        [0, 4],
        [3, 8],
      ],
      undefined,
      1,
    ],
    [
      'one within the other',
      [
        [0, 9],
        [3, 4],
      ],
      undefined,
      1,
    ],
    [
      'three with a common moment',
      [
        [0, 9],
        [3, 9],
        [8, 10],
      ],
      undefined,
      1,
    ],
    [
      'a chain without a common moment',
      [
        [0, 4],
        [3, 8],
        [7, 9],
      ],
      undefined,
      2,
    ],
    [
      'the third begins when the shortest ends',
      [
        [0, 9],
        [1, 3],
        [3, 5],
      ],
      undefined,
      2,
    ],
    [
      'in any order',
      [
        [7, 9],
        [3, 8],
        [0, 4],
      ],
      undefined,
      2,
    ],
    [
      'with less than the rest between them',
      [
        [0, 4],
        [14, 18],
      ],
      11,
      1,
    ],
    [
      'with the rest between them',
      [
        [0, 4],
        [15, 18],
      ],
      11,
      2,
    ],
    [
      'a moment within another',
      [
        [0, 4],
        [2, 2],
      ],
      undefined,
      1,
    ],
    [
      'a moment when two others begin',
      [
        [0, 4],
        [0, 0],
        [0, 3],
      ],
      undefined,
      2,
    ],
    [
      'with less than the rest after the shortest of three',
      [
        [0, 9],
        [0, 1],
        [11, 12],
      ],
      11,
      1,
    ],
    [
      'one and a moment at its beginning',
      [
        [0, 4],
        [0, 0],
      ],
      undefined,
      2,
    ],
    [
      'a moment at the beginning of another',
      [
        [0, 0],
        [0, 4],
      ],
      undefined,
      2,
    ],
  ]
  for (const [what, times, restHours, groups] of CASES)
    test(`counts shifts that a person can take: ${what}`, () => {
      const shifts = times.map(([from, until], index) => ({ id: index + 1, start: at(from), end: at(until) }))
      const places = shifts.map(({ id }) => ({ id: `s${id}`, shiftId: id, count: 1, value: 1000 }))
      const options = places.map(({ id }) => ({ personId: 5, placeId: id, cost: 0 }))
      const problem: FillProblem = { shifts, places, options, repeatCost: 10, restHours, isCompatible: () => true }
      const { bound, chosen } = relax(indexProblem(problem), problem)
      assert.equal(bound, 1000 * groups - (10 * groups * (groups - 1)) / 2)
      assert.equal(chosen.length, groups)
    })

  const SKETCHES: [what: string, sketch: Sketch, bound: number, chosen: string[]][] = [
    ['takes the person with the lowest cost', { places: { a: {} }, options: { '1 a': 5, '2 a': 4 } }, 96, ['2 a']],
    [
      'takes as many people as a place',
      { places: { a: { count: 2 } }, options: { '1 a': 5, '2 a': 4, '3 a': 3 } },
      193,
      ['3 a', '2 a'],
    ],
    ['leaves a place open that is worth nothing', { places: { a: {} }, options: { '1 a': 100 } }, 0, []],
    ['is zero without options', { places: { a: {} }, options: {} }, 0, []],
    [
      'takes a person once for places of the same shift',
      { places: { a: {}, b: { value: 70 } }, options: { '1 a': 0, '1 b': 0, '2 b': 60 } },
      110,
      ['1 a', '2 b'],
    ],
    [
      'takes one of two shifts at the same time, and one at another time',
      {
        shifts: { 1: [0, 4], 2: [2, 6], 3: [6, 8] },
        places: { a: {}, b: { shift: 2 }, c: { shift: 3, value: 50 } },
        options: { '1 a': 0, '1 b': 1, '1 c': 0 },
      },
      150,
      ['1 a', '1 c'],
    ],
    [
      'leaves out the limit of hours',
      { shifts: { 1: [0, 4], 2: [4, 8] }, places: { a: {}, b: { shift: 2 } }, options: { '1 a': 0, '1 b': 0 }, hours: 4 },
      200,
      ['1 a', '1 b'],
    ],
    [
      'counts the third shift of a person twice as much as the second',
      {
        shifts: { 1: [0, 4], 2: [4, 8], 3: [8, 12], 4: [12, 16] },
        places: { a: {}, b: { shift: 2 }, c: { shift: 3 }, d: { shift: 4, value: 80 } },
        options: { '1 a': 0, '1 b': 0, '1 c': 0, '1 d': 0 },
        repeatCost: 30,
      },
      210,
      ['1 a', '1 b', '1 c'],
    ],
  ]
  for (const [what, sketch, expected, pairs] of SKETCHES)
    test(what, () => {
      const problem = problemOf(sketch)
      const indexed = indexProblem(problem)
      const { bound, chosen } = relax(indexed, problem)
      const taken = chosen.map(({ person, place }) => `${indexed.people[person]} ${indexed.places[place]!.id}`)
      assert.deepEqual({ bound: bound + 0, taken }, { bound: expected, taken: pairs })
    })
})
