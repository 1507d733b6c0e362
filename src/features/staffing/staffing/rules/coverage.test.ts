import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { computeCoverage, largestLack, listShortages } from './coverage.ts'
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

  test('a lack goes on while other people come and go', () => {
    const segments = covered(
      [helper(1), helper(2)],
      [
        [1, 16, 19],
        [2, 19, 22],
      ],
    )
    assert.equal(segments.length, 2)
    assert.deepEqual(told(segments), [['drive', 1, 16, 22, 'whole']])
  })

  test('a lack of another number of people is another shortage', () => {
    const three = { ...seat('help', 0, []), position: { ...seat('help', 0, []).position, places: 3 } }
    const people = [helper(1), helper(2)]
    const presence = new Map([[2, { start: hour(16), end: hour(18) }]])
    const segments = computeCoverage({ shift, people, seats: [three], inclusions, presence })
    assert.deepEqual(told(segments), [
      ['help', 1, 16, 18, 'part'],
      ['help', 2, 18, 22, 'part'],
    ])
    assert.equal(largestLack(segments), 2)
  })

  test('equal places of a team are one lack, in the order of the plan', () => {
    const first = { ...seat('a1', 0, []), place: 'a', label: { kind: 'team' as const, title: 'A' } }
    const second = { ...first, position: { ...first.position, id: 'a2', places: 2, rank: 2 } }
    const optional = { ...first, position: { ...first.position, id: 'a3', required: false } }
    const between = seat('b', 1, [])
    for (const plan of [
      [first, between, second, optional],
      [between, second, optional, first],
    ])
      assert.deepEqual(told(computeCoverage({ shift, people: [], seats: plan, inclusions, presence: new Map() })), [
        ['a', 3, 16, 22, 'whole'],
        ['b', 1, 16, 22, 'whole'],
      ])
  })

  test('the largest lack is the most people missing at the same time', () => {
    assert.equal(largestLack([]), 0)
    assert.equal(largestLack(covered([driver(1), driver(2)], [])), 0)
    assert.equal(largestLack(covered([], [])), 2)
    assert.equal(largestLack(covered([driver(1), helper(2)], [[2, 18, 22]])), 1)
  })

  test('beyond 60 segments neighbours are merged evenly', () => {
    const minute = (m: number) => new Date(shift.start.getTime() + m * 60_000)
    const cut = (cuts: number) => {
      const people = Array.from({ length: cuts }, (_, i) => driver(i + 1))
      const presence = new Map(people.map(({ id }) => [id, { start: minute(id), end: shift.end }]))
      const segments = computeCoverage({ shift, people, seats, inclusions, presence })
      return [segments.length, (segments[0]!.end.getTime() - shift.start.getTime()) / 60_000]
    }
    assert.deepEqual(
      [cut(0), cut(59), cut(60), cut(119), cut(120)],
      [
        [1, 360],
        [60, 1],
        [31, 2],
        [60, 2],
        [41, 3],
      ],
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
