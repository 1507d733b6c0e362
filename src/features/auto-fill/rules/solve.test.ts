import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { overlaps } from '#platform/time-span.ts'
import { largeProblem } from '#test/support/fill-problem.ts'
import { relax } from './bound.ts'
import { type FillAssignment, type FillProblem, type FillShift, indexProblem } from './problem.ts'
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
