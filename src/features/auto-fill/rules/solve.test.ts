import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { overlaps } from '#platform/time-span.ts'
import { largeProblem } from '#test/support/fill-problem.ts'
import { relax } from './bound.ts'
import { solveExactly } from './exact.ts'
import { type FillAssignment, type FillProblem, type FillShift, indexProblem, Plan } from './problem.ts'
import { fillGreedily, solve } from './solve.ts'

const HOUR_MS = 3_600_000
const at = (hour: number): Date => new Date(Date.UTC(2030, 0, 7) + hour * HOUR_MS)

/** No two shifts at the same time, and at most `hours` hours in all. */
const compatibleUpTo =
  (hours: number) =>
  (_: number, shifts: readonly FillShift[]): boolean =>
    shifts.every((a, index) => shifts.slice(index + 1).every((b) => !overlaps(a, b))) &&
    shifts.reduce((sum, { start, end }) => sum + (end.getTime() - start.getTime()) / HOUR_MS, 0) <= hours

const smallProblem = fc
  .record({
    shifts: fc.array(fc.record({ start: fc.nat(12), hours: fc.integer({ min: 1, max: 6 }) }), { minLength: 1, maxLength: 3 }),
    places: fc.array(fc.record({ shift: fc.nat(2), count: fc.integer({ min: 0, max: 2 }), value: fc.constantFrom(100, 1000) }), {
      maxLength: 4,
    }),
    options: fc.array(fc.record({ person: fc.nat(3), place: fc.nat(3), cost: fc.integer({ min: -50, max: 150 }) }), {
      maxLength: 14,
    }),
    repeatCost: fc.constantFrom(0, 20, 400),
    hours: fc.constantFrom(4, 8, 20),
  })
  .map(({ shifts, places, options, repeatCost, hours }): FillProblem => {
    const made = shifts.map(({ start, hours: length }, index) => ({ id: index + 1, start: at(start), end: at(start + length) }))
    const madePlaces = places.map(({ shift, count, value }, index) => ({
      id: `p${index}`,
      shiftId: (shift % made.length) + 1,
      count,
      value,
    }))
    const unique = new Map(options.map((one) => [`${one.person} ${one.place}`, one]))
    return {
      shifts: made,
      places: madePlaces,
      options: [...unique.values()]
        .filter(({ place }) => place < madePlaces.length)
        .map(({ person, place, cost }) => ({ personId: person + 1, placeId: `p${place}`, cost })),
      repeatCost,
      isCompatible: compatibleUpTo(hours),
    }
  })

/** What an assignment is worth, computed from its definition; undefined if it breaks a rule. */
function worth(problem: FillProblem, assignments: readonly FillAssignment[]): number | undefined {
  const placeOf = new Map(problem.places.map((place) => [place.id, place]))
  const shiftOf = new Map(problem.shifts.map((shift) => [shift.id, shift]))
  let total = 0
  for (const [placeId, list] of Map.groupBy(assignments, (one) => one.placeId)) {
    const place = placeOf.get(placeId)!
    if (list.length > place.count) return undefined
    for (const { personId } of list) {
      const option = problem.options.find((one) => one.personId === personId && one.placeId === placeId)
      if (!option) return undefined
      total += place.value - option.cost
    }
  }
  for (const [personId, list] of Map.groupBy(assignments, (one) => one.personId)) {
    const shifts = list.map(({ placeId }) => shiftOf.get(placeOf.get(placeId)!.shiftId)!)
    if (new Set(shifts).size < shifts.length || !problem.isCompatible(personId, shifts)) return undefined
    total -= (problem.repeatCost * list.length * (list.length - 1)) / 2
  }
  return total
}

/** The best total of all sets of options. */
function bruteForce(problem: FillProblem): number {
  let best = 0
  const tried: FillAssignment[] = []
  const visit = (index: number): void => {
    const found = worth(problem, tried)
    if (found === undefined) return
    best = Math.max(best, found)
    for (let next = index; next < problem.options.length; next++) {
      const { personId, placeId } = problem.options[next]!
      tried.push({ personId, placeId })
      visit(next + 1)
      tried.pop()
    }
  }
  visit(0)
  return best
}

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

  test('have a bound that no assignment exceeds', () => {
    fc.assert(
      fc.property(smallProblem, (problem) => {
        assert.ok(relax(indexProblem(problem), problem).bound >= bruteForce(problem))
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

/** Problems in which only shifts at the same time exclude each other, which the bound keeps. */
const simpleProblem = smallProblem.map(
  (problem): FillProblem => ({
    ...problem,
    shifts: problem.shifts.map(({ id }) => ({ id, start: at(id * 10), end: at(id * 10 + 4) })),
    isCompatible: () => true,
  }),
)

describe('the bound', () => {
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
})

describe('the exact search', () => {
  const search = (problem: FillProblem) => {
    const indexed = indexProblem(problem)
    return solveExactly(indexed, new Plan(indexed))
  }
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

  /** `places` places of one shift for the same people. */
  const crowded = ({ places, people }: { places: number; people: number }): FillProblem => {
    const ids = Array.from({ length: places }, (_, index) => `p${index}`)
    return {
      shifts: [{ id: 1, start: at(0), end: at(4) }],
      places: ids.map((id) => ({ id, shiftId: 1, count: 1, value: 100 })),
      options: ids.flatMap((placeId) => Array.from({ length: people }, (_, personId) => ({ personId, placeId, cost: 0 }))),
      repeatCost: 0,
      isCompatible: () => true,
    }
  }
  test('tries up to fourteen places', () => {
    const [fourteen, fifteen] = [14, 15].map((places) => search(crowded({ places, people: places })))
    assert.deepEqual([fourteen!.plan.total, fourteen!.isComplete], [1400, true])
    assert.deepEqual([fifteen!.plan.total, fifteen!.isComplete], [0, false])
  })
  test('ends after many steps without a proof', () => {
    const { plan, isComplete } = search(crowded({ places: 14, people: 7 }))
    assert.deepEqual([plan.total, isComplete], [700, false])
  })
  test('counts a place that takes several people once for each, and no more often than people can take it', () => {
    const problem = crowded({ places: 1, people: 3 })
    const places = [{ ...problem.places[0]!, count: 20 }]
    const { plan, isComplete } = search({ ...problem, places })
    assert.deepEqual([plan.total, isComplete], [300, true])
  })
})

describe('the greedy plan', () => {
  const shifts = [1, 2].map((id) => ({ id, start: at(0), end: at(4) }))
  const place = (id: string, shiftId: number, facts: { count?: number; value?: number } = {}) => ({
    id,
    shiftId,
    count: 1,
    value: 1000,
    ...facts,
  })
  const option = (text: string, cost = 0) => ({ personId: Number(text.split(' ')[0]), placeId: text.split(' ')[1]!, cost })
  const CASES: [what: string, places: FillProblem['places'], options: FillProblem['options'], expected: string[]][] = [
    ['takes the person with the lowest cost', [place('a', 1)], [option('1 a', 5), option('2 a', 4)], ['2 a']],
    ['takes the first of equal people', [place('a', 1)], [option('2 a'), option('1 a')], ['1 a']],
    [
      'fills the place that is worth more first',
      [place('a', 1, { value: 300 }), place('b', 2)],
      [option('1 a'), option('1 b')],
      ['1 b'],
    ],
    [
      'then the place that fewer people can take',
      [place('a', 1), place('b', 2)],
      [option('1 a'), option('2 a', 9), option('1 b')],
      ['2 a', '1 b'],
    ],
    [
      'compares people with the number of places',
      [place('a', 1), place('b', 2, { count: 3 })],
      [option('1 a'), option('4 a', 9), option('1 b', 1), option('2 b', 2), option('3 b', 3)],
      ['4 a', '1 b', '2 b', '3 b'],
    ],
    ['then the first place', [place('a', 1), place('b', 2)], [option('1 a'), option('1 b')], ['1 a']],
    ['leaves a place open that is worth nothing', [place('a', 1)], [option('1 a', 1000)], []],
    ['fills a place that is worth little', [place('a', 1)], [option('1 a', 999)], ['1 a']],
    ['fills all of a place', [place('a', 1, { count: 2 })], [option('1 a'), option('2 a'), option('3 a')], ['1 a', '2 a']],
  ]
  for (const [what, places, options, expected] of CASES)
    test(what, () => {
      const plan = fillGreedily(indexProblem({ shifts, places, options, repeatCost: 0, isCompatible: compatibleUpTo(24) }))
      assert.deepEqual(
        plan.assignments().map(({ personId, placeId }) => `${personId} ${placeId}`),
        expected,
      )
    })
})

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
