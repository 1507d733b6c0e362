import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { computeCoverage, listShortages } from './coverage.ts'
import { match } from './matching.ts'
import type { Seat } from './model.ts'

const DRIVER = 1
const hour = (h: number) => new Date(Date.UTC(2031, 4, 4, h))
const shift = { start: hour(16), end: hour(22) }
const inclusions = new Map([[DRIVER, new Set([DRIVER])]])
const seat = (id: string, rank: number, needs: number[], required = true): Seat => ({
  place: id,
  label: { kind: 'team', title: id },
  isUnlimited: false,
  position: {
    id,
    rank,
    required,
    needs: [new Set(needs)],
    designatedFor: new Set(),
    designationOnly: false,
    real: true,
  },
})
const seats = [seat('drive', 0, [DRIVER]), seat('help', 1, [])]
const driver = (id: number) => ({ id, state: 'confirmed' as const, skills: new Set([DRIVER]) })
const helper = (id: number) => ({ id, state: 'confirmed' as const, skills: new Set<number>() })
const covered = (people: ReturnType<typeof driver>[], times: [number, number, number][]) =>
  computeCoverage({
    shift,
    people,
    seats,
    inclusions,
    presence: new Map(times.map(([id, from, until]) => [id, { start: hour(from), end: hour(until) }])),
  })
const told = (segments: ReturnType<typeof covered>) =>
  listShortages(segments).map(({ place, count, start, end, isWhole }) => [
    place,
    count,
    start.getUTCHours(),
    end.getUTCHours(),
    isWhole ? 'whole' : 'part',
  ])

describe('coverage of a shift', () => {
  test('a driver is missing from eighteen to twenty', () => {
    const segments = covered(
      [driver(1), driver(2), helper(3)],
      [
        [1, 16, 18],
        [2, 20, 22],
        [3, 16, 22],
      ],
    )
    assert.deepEqual(told(segments), [['drive', 1, 18, 20, 'part']])
  })

  test('a person without a place fills the gap', () => {
    const segments = covered(
      [driver(1), driver(2), helper(3)],
      [
        [1, 16, 18],
        [2, 16, 22],
        [3, 18, 22],
      ],
    )
    assert.deepEqual(told(segments), [])
  })

  test('without people all required places are missing for the whole shift', () => {
    assert.deepEqual(told(covered([], [])), [
      ['drive', 1, 16, 22, 'whole'],
      ['help', 1, 16, 22, 'whole'],
    ])
  })

  test('times outside of the shift add no segment', () => {
    const segments = covered(
      [driver(1), helper(2)],
      [
        [1, 14, 23],
        [2, 16, 22],
      ],
    )
    assert.equal(segments.length, 1)
    assert.deepEqual(told(segments), [])
  })

  test('a lack that ends and comes back is two shortages', () => {
    const segments = covered(
      [driver(1), helper(2)],
      [
        [1, 18, 20],
        [2, 16, 22],
      ],
    )
    assert.deepEqual(told(segments), [
      ['drive', 1, 16, 18, 'part'],
      ['drive', 1, 20, 22, 'part'],
    ])
  })

  test('at every moment as many required places are filled as the present people can fill', () => {
    const someone = fc.record({
      isDriver: fc.boolean(),
      from: fc.integer({ min: 15, max: 22 }),
      length: fc.integer({ min: 0, max: 7 }),
    })
    fc.assert(
      fc.property(fc.array(someone, { maxLength: 5 }), (crowd) => {
        const people = crowd.map(({ isDriver }, i) => (isDriver ? driver(i + 1) : helper(i + 1)))
        const segments = covered(
          people,
          crowd.map(({ from, length }, i) => [i + 1, from, from + length]),
        )
        for (let h = 16; h < 22; h++) {
          const here = people.filter((_, i) => crowd[i]!.from <= h && crowd[i]!.from + crowd[i]!.length > h)
          const filled = match({ people: here, positions: seats.map(({ position }) => position) }).assignment.size
          const segment = segments.find(({ start, end }) => start <= hour(h) && end > hour(h))!
          assert.equal(
            segment.lacks.reduce((sum, { count }) => sum + count, 0),
            2 - filled,
          )
        }
      }),
    )
  })

  test('the number of segments is bounded, and merging hides no lack', () => {
    const people = Array.from({ length: 300 }, (_, i) => driver(i + 1))
    const minute = (m: number) => new Date(shift.start.getTime() + m * 60_000)
    const presence = new Map(people.map(({ id }) => [id, { start: minute(id), end: minute(id + 1) }]))
    const segments = computeCoverage({ shift, people, seats, inclusions, presence })
    assert.ok(segments.length <= 61, `${segments.length} parts`)
    assert.ok(segments.every(({ lacks }) => lacks.length > 0))
  })
})
