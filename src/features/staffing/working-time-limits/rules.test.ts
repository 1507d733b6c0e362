import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Span } from '#platform/time-span.ts'
import { describeWork, findBreaches, type Limit, limitsOf, reachOf, type StoredLimit } from './rules.ts'

const ZONE = 'Europe/Berlin'
/** `7 22` is 22:00 on 7 January 2030, a Monday; the zone is UTC+1 then. */
const at = (day: number, hour: number): Date => new Date(Date.UTC(2030, 0, day) + (hour - 1) * 3_600_000)
const span = (day: number, from: number, hours: number): Span => ({ start: at(day, from), end: at(day, from + hours) })

const breachesOf = (
  limit: Omit<Limit, 'blocks'>,
  work: Span,
  others: readonly Span[] = [],
  { isMinor = false, hasAdult = true } = {},
) =>
  findBreaches([{ ...limit, blocks: true }], {
    work: describeWork(work, ZONE),
    others: others.map((other) => describeWork(other, ZONE)),
    isMinor,
    hasAdult,
    timeZone: ZONE,
  }).map(({ actual }) => actual)

const NIGHTS = [7, 8, 9].map((day) => span(day, 22, 8))

describe('limits', () => {
  const cases: [string, number[], number[]][] = [
    ['rest: 11 hours are enough', breachesOf({ kind: 'rest_hours', value: 11 }, span(8, 7, 8), [span(7, 12, 8)]), []],
    ['rest: 10 hours are too short', breachesOf({ kind: 'rest_hours', value: 11 }, span(8, 6, 8), [span(7, 12, 8)]), [10]],
    [
      'rest: counts before a later shift, too',
      breachesOf({ kind: 'rest_hours', value: 11 }, span(7, 12, 8), [span(8, 6, 8)]),
      [10],
    ],
    [
      'rest: a shift at the same time is a conflict',
      breachesOf({ kind: 'rest_hours', value: 11 }, span(7, 8, 8), [span(7, 9, 2)]),
      [],
    ],
    ['week: the limit itself is allowed', breachesOf({ kind: 'hours_per_week', value: 16 }, span(7, 8, 8), [span(13, 8, 8)]), []],
    ['week: from Monday', breachesOf({ kind: 'hours_per_week', value: 15 }, span(7, 8, 8), [span(13, 8, 8)]), [16]],
    [
      'week: the next Monday is another one',
      breachesOf({ kind: 'hours_per_week', value: 15 }, span(7, 8, 8), [span(14, 8, 8)]),
      [],
    ],
    [
      'week: hours after midnight of Sunday count for the next',
      breachesOf({ kind: 'hours_per_week', value: 9 }, span(13, 20, 8), [span(14, 8, 6)]),
      [10],
    ],
    ['nights: two in a row', breachesOf({ kind: 'nights_in_row', value: 2 }, NIGHTS[1]!, [NIGHTS[0]!]), []],
    ['nights: three in a row', breachesOf({ kind: 'nights_in_row', value: 2 }, NIGHTS[1]!, [NIGHTS[0]!, NIGHTS[2]!]), [3]],
    ['nights: a free night between them', breachesOf({ kind: 'nights_in_row', value: 1 }, NIGHTS[2]!, [NIGHTS[0]!]), []],
    ['nights: two hours after 23:00 are no night', breachesOf({ kind: 'nights_in_row', value: 0 }, span(7, 17, 8)), []],
    ['nights: more than two hours are one', breachesOf({ kind: 'nights_in_row', value: 0 }, span(7, 18, 8)), [1]],
    ['nights: from midnight', breachesOf({ kind: 'nights_in_row', value: 0 }, span(7, 0, 6)), [1]],
    ['minors: adults have no such limits', breachesOf({ kind: 'minor_hours_per_day', value: 8 }, span(7, 8, 10)), []],
    [
      'minors: hours of a day',
      breachesOf({ kind: 'minor_hours_per_day', value: 8 }, span(7, 8, 5), [span(7, 14, 4)], { isMinor: true }),
      [9],
    ],
    ['minors: until the hour', breachesOf({ kind: 'minor_latest_hour', value: 22 }, span(7, 16, 6), [], { isMinor: true }), []],
    [
      'minors: after the hour',
      breachesOf({ kind: 'minor_latest_hour', value: 22 }, span(7, 16, 6.5), [], { isMinor: true }),
      [22],
    ],
    ['minors: before six', breachesOf({ kind: 'minor_latest_hour', value: 22 }, span(7, 5, 3), [], { isMinor: true }), [22]],
    ['minors: with an adult', breachesOf({ kind: 'minor_accompanied', value: 1 }, span(7, 8, 5), [], { isMinor: true }), []],
    [
      'minors: alone',
      breachesOf({ kind: 'minor_accompanied', value: 1 }, span(7, 8, 5), [], { isMinor: true, hasAdult: false }),
      [0],
    ],
  ]
  for (const [name, found, expected] of cases) test(name, () => assert.deepEqual(found, expected))

  test('follow the clock when it changes', () => {
    // 31 March 2030 has 23 hours: from 22:00 to 6:00 are 7.
    const night = { start: new Date('2030-03-30T22:00:00+01:00'), end: new Date('2030-03-31T06:00:00+02:00') }
    assert.deepEqual([...describeWork(night, ZONE).hoursByDay.values()], [2, 5])
  })
})

describe('the limits of a person', () => {
  const stored: StoredLimit[] = [
    { kind: 'rest_hours', value: 11, blocks: false, groupId: null },
    { kind: 'rest_hours', value: 8, blocks: true, groupId: 1 },
    { kind: 'rest_hours', value: 9, blocks: false, groupId: 2 },
    { kind: 'hours_per_week', value: 40, blocks: true, groupId: null },
    { kind: 'hours_per_week', value: 40, blocks: false, groupId: 2 },
    { kind: 'hours_per_week', value: 48, blocks: false, groupId: 3 },
  ]
  const cases: [string, number[], string[]][] = [
    ['without a group: those of the instance', [], ['rest_hours 11', 'hours_per_week 40!']],
    ['a group replaces that of the instance, also by a weaker one', [1], ['rest_hours 8!', 'hours_per_week 40!']],
    ['of several groups the strictest', [1, 2, 3], ['rest_hours 9', 'hours_per_week 40']],
    ['a group without limits changes nothing', [9], ['rest_hours 11', 'hours_per_week 40!']],
  ]
  for (const [name, groups, expected] of cases)
    test(name, () => {
      const texts = limitsOf(stored, groups).map(({ kind, value, blocks }) => `${kind} ${value}${blocks ? '!' : ''}`)
      assert.deepEqual(texts, expected)
    })

  test('reach as far as the widest of them', () => {
    const hours = (limits: Omit<Limit, 'blocks'>[]) => reachOf(limits.map((one) => ({ ...one, blocks: true }))) / 3_600_000
    assert.equal(hours([]), 0)
    assert.equal(hours([{ kind: 'rest_hours', value: 11 }]), 11)
    assert.equal(
      hours([
        { kind: 'rest_hours', value: 11 },
        { kind: 'hours_per_week', value: 40 },
      ]),
      192,
    )
    assert.equal(hours([{ kind: 'nights_in_row', value: 5 }]), 168)
  })
})

describe('other shifts count for a limit', () => {
  const HOUR = 3_600_000
  const CASES: [kind: Limit['kind'], value: number, hours: number][] = [
    ['rest_hours', 11, 11],
    ['hours_per_week', 48, 8 * 24],
    ['nights_in_row', 3, 5 * 24],
    ['minor_hours_per_day', 8, 48],
    ['minor_latest_hour', 22, 0],
    ['minor_accompanied', 1, 0],
  ]
  for (const [kind, value, hours] of CASES) {
    test(`${kind}: within ${hours} hours`, () => assert.equal(reachOf([{ kind, value, blocks: true }]), hours * HOUR))
  }
})

test('of limits of each kind the strictest applies, and one that blocks before one that warns', () => {
  const stored = (kind: Limit['kind'], value: number, blocks: boolean, groupId: number | null = 1): StoredLimit => ({
    kind,
    value,
    blocks,
    groupId,
  })
  for (const kind of [
    'nights_in_row',
    'minor_hours_per_day',
    'minor_latest_hour',
    'minor_accompanied',
    'hours_per_week',
  ] as const) {
    const limits = [stored(kind, 5, true), stored(kind, 3, false), stored(kind, 3, true), stored(kind, 4, true)]
    assert.deepEqual(limitsOf(limits, [1]), [{ kind, value: 3, blocks: true }])
  }
  const rest = [stored('rest_hours', 5, true), stored('rest_hours', 11, false), stored('rest_hours', 8, true)]
  assert.deepEqual(limitsOf(rest, [1]), [{ kind: 'rest_hours', value: 11, blocks: false }])
  assert.deepEqual(limitsOf([stored('rest_hours', 5, true, 2)], [1]), [])
  assert.deepEqual(limitsOf([stored('rest_hours', 9, true, 2), stored('rest_hours', 5, true, null)], [1]), [
    { kind: 'rest_hours', value: 5, blocks: true },
  ])
})

test('hours are counted by day and by the Monday of the week, on days since 1970', () => {
  const day = (date: string): number => Date.parse(date) / 86_400_000
  const work = describeWork({ start: new Date('2030-01-13T20:00:00Z'), end: new Date('2030-01-14T01:00:00Z') }, ZONE)
  assert.deepEqual(
    [...work.hoursByDay],
    [
      [day('2030-01-13'), 3],
      [day('2030-01-14'), 2],
    ],
  )
  assert.deepEqual(
    [...work.hoursByWeek],
    [
      [day('2030-01-07'), 3],
      [day('2030-01-14'), 2],
    ],
  )
  assert.deepEqual(work.nights, [day('2030-01-13')])
})

test('a night ends at six', () => {
  const nightsOf = (from: number, hours: number) => describeWork(span(8, from, hours), ZONE).nights.length
  assert.deepEqual([nightsOf(4, 3), nightsOf(3, 5), nightsOf(3.9, 4)], [0, 1, 1])
})
