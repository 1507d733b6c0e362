import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { NO_AVAILABILITY } from '#features/staffing/availability/rules/availability.ts'
import type { StoredLimit } from '#features/staffing/working-time-limits/rules.ts'
import { addDays, spanOfDay } from '#platform/i18n/days.ts'
import { type ListedPerson, makeTable, type Place, splitIntoHours } from './table.ts'

const ZONE = 'Europe/Berlin'
const FIRST = '2031-05-05'
const at = (day: number, hour: number) => new Date(Date.UTC(2031, 4, 5 + day, hour - 2))
const ANN: ListedPerson = { id: 1, name: 'Ann', groupIds: [], availability: null, dateOfBirth: null }
const place = (day: number, from: number, until: number, more: Partial<Place> = {}): Place => ({
  userId: ANN.id,
  state: 1,
  shiftId: day * 100 + from,
  hasOwnTimes: false,
  start: at(day, from),
  end: at(day, until),
  eventTitle: 'Run',
  label: '',
  host: null,
  leaderShiftId: null,
  hasAdult: true,
  ...more,
})
const tableOf = (places: Place[], more: { person?: Partial<ListedPerson>; limits?: StoredLimit[]; days?: number } = {}) =>
  makeTable({
    people: [{ ...ANN, ...more.person }],
    places,
    days: Array.from({ length: more.days ?? 3 }, (_, index) => spanOfDay(addDays(FIRST, index), ZONE)),
    limits: more.limits ?? [],
    timeZone: ZONE,
  })[0]!
const statesOf = (...args: Parameters<typeof tableOf>) => tableOf(...args).cells.map(({ state }) => state)

describe('what a cell says', () => {
  const requested = { state: 0 } as const
  const away = (first: string, last = first) => ({
    availability: { ...NO_AVAILABILITY, periods: [{ kind: 'cannot' as const, first, last }] },
  })
  const mornings = {
    availability: { ...NO_AVAILABILITY, weekly: [{ kind: 'cannot' as const, weekday: 2, from: 0, until: 720 }] },
  }
  const cases: [what: string, states: string[], expected: string[]][] = [
    ['nothing', statesOf([]), ['free', 'free', 'free']],
    ['a shift', statesOf([place(1, 8, 12)]), ['free', 'confirmed', 'free']],
    ['a shift over midnight', statesOf([place(1, 20, 30)]), ['free', 'confirmed', 'confirmed']],
    ['a shift until midnight', statesOf([place(1, 20, 24)]), ['free', 'confirmed', 'free']],
    ['a request', statesOf([place(1, 8, 12, requested)]), ['free', 'requested', 'free']],
    ['both', statesOf([place(1, 8, 12, requested), place(1, 14, 18)]), ['free', 'confirmed', 'free']],
    ['an absence', statesOf([], { person: away('2031-05-06', '2031-05-07') }), ['free', 'away', 'away']],
    ['a part of a day', statesOf([], { person: mornings }), ['free', 'partly', 'free']],
    ['a shift during an absence', statesOf([place(1, 8, 12)], { person: away('2031-05-06') }), ['free', 'confirmed', 'free']],
    ['the shift of another', statesOf([place(1, 8, 12, { userId: 2 })]), ['free', 'free', 'free']],
  ]
  for (const [what, states, expected] of cases) test(what, () => assert.deepEqual(states, expected))
})

describe('limits', () => {
  const rest: StoredLimit = { kind: 'rest_hours', value: 11, blocks: true, groupId: null }
  const over = (...args: Parameters<typeof tableOf>) =>
    tableOf(...args).cells.flatMap(({ places }) =>
      places.filter(({ problem }) => problem === 'over').map(({ shiftId }) => shiftId),
    )
  const late = place(0, 14, 22)
  const cases: [what: string, found: number[], expected: number[]][] = [
    ['none', over([late, place(1, 8, 12)]), []],
    ['too little rest, at both shifts', over([late, place(1, 8, 12)], { limits: [rest] }), [14, 108]],
    ['enough rest', over([late, place(1, 9, 12)], { limits: [rest] }), []],
    ['requests do not count', over([late, place(1, 8, 12, { state: 0 })], { limits: [rest] }), []],
    ['a shift before the period counts', over([place(-1, 14, 22), place(0, 8, 12)], { limits: [rest] }), [8]],
    ['a shift after the period counts', over([late, place(1, 8, 12)], { limits: [rest], days: 1 }), [14]],
    ['a shift that follows the other', over([late, place(1, 8, 12, { leaderShiftId: '14' })], { limits: [rest] }), [108]],
    ['the limit of another group', over([late, place(1, 8, 12)], { limits: [{ ...rest, groupId: 3 }] }), []],
    [
      'the limit of the own group',
      over([late, place(1, 8, 12)], { limits: [{ ...rest, groupId: 3 }], person: { groupIds: [3] } }),
      [14, 108],
    ],
  ]
  for (const [what, found, expected] of cases) test(what, () => assert.deepEqual(found, expected))

  const accompanied: StoredLimit = { kind: 'minor_accompanied', value: 0, blocks: true, groupId: null }
  const alone = place(0, 8, 12, { hasAdult: false })
  for (const [born, expected] of [
    ['2013-05-06', [8]],
    ['2013-05-05', []],
  ] as const)
    test(`somebody born on ${born} without an adult`, () =>
      assert.deepEqual(over([alone], { limits: [accompanied], person: { dateOfBirth: born } }), expected))
})

describe('two places at the same time', () => {
  const doubles = (...places: Place[]) =>
    tableOf(places).cells.flatMap((cell) =>
      cell.places.filter(({ problem }) => problem === 'double').map(({ shiftId }) => shiftId),
    )
  const early = place(0, 8, 12)
  const follower = place(0, 9, 10, { leaderShiftId: '8' })
  const cases: [what: string, found: number[], expected: number[]][] = [
    ['overlap', doubles(early, place(0, 11, 14)), [8, 11]],
    ['follow each other', doubles(early, place(0, 12, 14)), []],
    ['overlap over midnight', doubles(place(0, 20, 26), place(1, 1, 4)), [20, 20, 101]],
    ['of which one is requested', doubles(early, place(0, 11, 14, { state: 0 })), []],
    ['of which one follows the other', doubles(early, follower), []],
    ['of which one follows the other, in any order', doubles(follower, early), []],
    ['one of which is before the period', doubles(place(-1, 20, 32), place(0, 7, 9)), [-80, 7]],
  ]
  for (const [what, found, expected] of cases)
    test(`that ${what}`, () =>
      assert.deepEqual(
        found.toSorted((a, b) => a - b),
        expected,
      ))

  test('are named before a limit, in the row as well', () => {
    const limits: StoredLimit[] = [{ kind: 'hours_per_week', value: 5, blocks: true, groupId: null }]
    const problems = (...places: Place[]) => {
      const { cells, problem } = tableOf(places, { limits })
      return [problem, ...cells.flatMap((cell) => cell.places.map((one) => one.problem))]
    }
    assert.deepEqual(problems(early, place(0, 11, 13), place(2, 8, 12)), ['double', 'double', 'double', 'over'])
    assert.deepEqual(problems(early, place(2, 8, 12)), ['over', 'over', 'over'])
    assert.deepEqual(problems(early), [undefined, undefined])
  })
})

describe('a day by hours', () => {
  const partsOf = (...args: Parameters<typeof tableOf>) =>
    splitIntoHours(tableOf(...args).cells[0]!).map(({ from, until, places, isAway }) => [from, until, places.length, isAway])
  test('is one part if it is free', () => assert.deepEqual(partsOf([]), [[0, 24, 0, false]]))
  test('has a part for each shift, in whole hours', () => {
    const half = { ...place(0, 8, 12), start: new Date(at(0, 8).getTime() + 1_800_000) }
    assert.deepEqual(partsOf([half, place(0, 12, 14), place(0, 20, 30)]), [
      [0, 8, 0, false],
      [8, 12, 1, false],
      [12, 14, 1, false],
      [14, 20, 0, false],
      [20, 24, 1, false],
    ])
  })
  test('shows absences where no shift is', () => {
    const availability = { ...NO_AVAILABILITY, weekly: [{ kind: 'cannot' as const, weekday: 1, from: 0, until: 720 }] }
    assert.deepEqual(partsOf([place(0, 8, 10)], { person: { availability } }), [
      [0, 8, 0, true],
      [8, 10, 1, false],
      [10, 12, 0, true],
      [12, 24, 0, false],
    ])
  })
  test('has 23 hours when the clock is put forward', () => {
    const [row] = makeTable({ people: [ANN], places: [], days: [spanOfDay('2031-03-30', ZONE)], limits: [], timeZone: ZONE })
    assert.deepEqual(splitIntoHours(row!.cells[0]!).at(-1)!.until, 23)
  })
})
