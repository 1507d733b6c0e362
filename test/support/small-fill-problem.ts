import fc from 'fast-check'
import {
  type FillAssignment,
  type FillProblem,
  type FillShift,
  indexProblem,
  Plan,
} from '#features/staffing/auto-fill/rules/problem.ts'
import { overlaps } from '#platform/time-span.ts'

const HOUR_MS = 3_600_000
export const at = (hour: number): Date => new Date(Date.UTC(2030, 0, 7) + hour * HOUR_MS)

/** No two shifts at the same time, and at most `hours` hours in all. */
export const compatibleUpTo =
  (hours: number) =>
  (_: number, shifts: readonly FillShift[]): boolean =>
    shifts.every((a, index) => shifts.slice(index + 1).every((b) => !overlaps(a, b))) &&
    shifts.reduce((sum, { start, end }) => sum + (end.getTime() - start.getTime()) / HOUR_MS, 0) <= hours

export const smallProblem = fc
  .record({
    shifts: fc.array(fc.record({ start: fc.nat(12), hours: fc.integer({ min: 1, max: 6 }) }), { minLength: 1, maxLength: 3 }),
    places: fc.array(fc.record({ shift: fc.nat(2), count: fc.integer({ min: 0, max: 2 }), value: fc.constantFrom(100, 1000) }), {
      maxLength: 4,
    }),
    options: fc.array(fc.record({ person: fc.nat(3), place: fc.nat(3), cost: fc.integer({ min: -50, max: 150 }) }), {
      maxLength: 14,
    }),
    repeatCost: fc.constantFrom(0, 20, 400),
    restCost: fc.constantFrom(0, 30, 400),
    hours: fc.constantFrom(4, 8, 20),
  })
  .map(({ shifts, places, options, repeatCost, restCost, hours }): FillProblem => {
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
      pairCost: (a, b) => (Math.abs(a.start.getTime() - b.start.getTime()) < 9 * HOUR_MS ? restCost : 0),
      isCompatible: compatibleUpTo(hours),
    }
  })

/** What an assignment is worth, computed from its definition; undefined if it breaks a rule. */
export function worth(problem: FillProblem, assignments: readonly FillAssignment[]): number | undefined {
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
    for (const [index, a] of shifts.entries()) for (const b of shifts.slice(index + 1)) total -= problem.pairCost?.(a, b) ?? 0
  }
  return total
}

/** The best total of all sets of options. */
export function bruteForce(problem: FillProblem): number {
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

/** `places` places of one shift, each for one of the same people. */
export function crowdedProblem({ places, people }: { places: number; people: number }): FillProblem {
  const ids = Array.from({ length: places }, (_, index) => `p${index}`)
  return {
    shifts: [{ id: 1, start: at(0), end: at(4) }],
    places: ids.map((id) => ({ id, shiftId: 1, count: 1, value: 100 })),
    options: ids.flatMap((placeId) => Array.from({ length: people }, (_, personId) => ({ personId, placeId, cost: 0 }))),
    repeatCost: 0,
    isCompatible: () => true,
  }
}

/** A problem in few words. */
export type Sketch = {
  /** Hours from and until, by id; one shift of four hours if absent. */
  shifts?: Record<number, readonly [from: number, until: number]>
  /** By id; on shift 1, for one person, worth 100, unless said otherwise. */
  places: Record<string, { shift?: number; count?: number; value?: number }>
  /** Costs, by person and place: `{ '1 a': 5 }`. */
  options: Record<string, number>
  repeatCost?: number
  /** Most hours of a person. */
  hours?: number
}

export function problemOf({ shifts = { 1: [0, 4] }, places, options, repeatCost = 0, hours = 24 }: Sketch): FillProblem {
  return {
    shifts: Object.entries(shifts).map(([id, [from, until]]) => ({ id: Number(id), start: at(from), end: at(until) })),
    places: Object.entries(places).map(([id, { shift = 1, count = 1, value = 100 }]) => ({ id, shiftId: shift, count, value })),
    options: Object.entries(options).map(([text, cost]) => ({ ...readAssignment(text), cost })),
    repeatCost,
    isCompatible: compatibleUpTo(hours),
  }
}

function readAssignment(text: string): FillAssignment {
  const [person, placeId] = text.split(' ')
  return { personId: Number(person), placeId: placeId! }
}

/** A plan with these people: `['1 a', '2 b']`. */
export function planOf(problem: FillProblem, assignments: readonly string[] = []): Plan {
  const indexed = indexProblem(problem)
  const plan = new Plan(indexed)
  for (const { personId, placeId } of assignments.map(readAssignment)) {
    const place = indexed.places.findIndex(({ id }) => id === placeId)
    plan.add(indexed.people.indexOf(personId), place)
  }
  return plan
}

export const describeAssignments = (assignments: readonly FillAssignment[]): string[] =>
  assignments.map(({ personId, placeId }) => `${personId} ${placeId}`)
