import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { judgeUrgency, type ShortShift, SORTS, sortShortShifts } from './urgency.ts'

const NOW = new Date('2031-05-01T10:00:00Z')
/** A millisecond, in hours. */
const MS = 1 / 3_600_000
const inHours = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000)

const staysShort = (is: boolean) => ({ forecast: { staysShort: is } })

let lastId = 0
const shift = (startsIn: number, wish: Partial<ShortShift> = {}): ShortShift => ({
  id: ++lastId,
  start: inHours(startsIn),
  end: inHours(startsIn + 6),
  lacking: 1,
  confirmedCount: 3,
  closesAt: inHours(startsIn),
  forecast: null,
  ...wish,
})

describe('urgency of a shift', () => {
  for (const [what, given, reason] of [
    ['it has begun', shift(-1), 'running'],
    ['it begins now', shift(0), 'running'],
    ['it begins in a millisecond', shift(MS), 'starts_soon'],
    ['it starts within two days', shift(48), 'starts_soon'],
    ['it starts later, and sign-up closes within two days', shift(49, { closesAt: inHours(48) }), 'closes_soon'],
    ['sign-up closes a minute later', shift(49, { closesAt: inHours(48.02) }), 'this_week'],
    ['it starts, and sign-up closes, a millisecond after two days', shift(48 + MS), 'this_week'],
    ['sign-up closes now', shift(100, { closesAt: NOW }), 'closed'],
    ['sign-up is closed', shift(100, { closesAt: inHours(-1) }), 'closed'],
    ['people cannot sign up themselves', shift(100, { closesAt: undefined }), 'this_week'],
    ['more people are missing than there are', shift(100, { lacking: 4, confirmedCount: 3 }), 'half_missing'],
    ['half of the people are there', shift(100, { lacking: 3, confirmedCount: 3 }), 'this_week'],
    ['it starts in a week', shift(168), 'this_week'],
    ['it starts in a week and will probably stay short', shift(168, staysShort(true)), 'stays_short'],
    ['it starts in more than a week and will probably stay short', shift(168.1, staysShort(true)), 'stays_short'],
    ['it will probably be full', shift(168.1, staysShort(false)), 'later'],
    [
      'it will stay short, and more people are missing than there are',
      shift(100, { lacking: 4, ...staysShort(true) }),
      'half_missing',
    ],
    ['it will stay short, and sign-up is closed', shift(100, { closesAt: NOW, ...staysShort(true) }), 'closed'],
    ['it starts in more than a week, and all people are missing', shift(168.1, { lacking: 9, confirmedCount: 0 }), 'later'],
  ] as const)
    test(`${what}: ${reason}`, () => assert.equal(judgeUrgency(given, NOW), reason))
})

describe('order of shifts', () => {
  const later = shift(200, { lacking: 9 })
  const closing = shift(60, { closesAt: inHours(10) })
  const soon = shift(47)
  const sameDay = shift(46, { lacking: 2 })
  const week = shift(90)
  const all = [later, week, closing, soon, sameDay]
  const ids = (...some: ShortShift[]) => some.map(({ id }) => id)
  test('by urgency (the reason, then the day, then how many are missing), by date, or by missing people, then by date', () =>
    assert.deepEqual(
      SORTS.map((sort) => [sort, ids(...sortShortShifts(all, sort, NOW))]),
      [
        ['urgency', ids(sameDay, soon, closing, week, later)],
        ['date', ids(sameDay, soon, closing, week, later)],
        ['missing', ids(later, sameDay, soon, closing, week)],
      ],
    ))

  // Of each pair, the second shift would be first by the day or by missing people.
  for (const [what, first, second] of [
    ['a shift that begins now before one that starts soon', shift(0), shift(1, { lacking: 2 })],
    ['one that starts soon before one whose sign-up closes soon', shift(48), shift(49, { lacking: 2, closesAt: inHours(1) })],
    ['sign-up that closes soon before missing people', shift(150, { closesAt: inHours(1) }), shift(72, { lacking: 4 })],
    ['closed sign-up before missing people', shift(150, { closesAt: inHours(-1) }), shift(72, { lacking: 4 })],
    ['missing people before shifts that will stay short', shift(150, { lacking: 4 }), shift(72, staysShort(true))],
    ['shifts that will stay short before others of the week', shift(400, staysShort(true)), shift(72, { lacking: 2 })],
    ['the week before later shifts', shift(168), shift(168.1, { lacking: 2 })],
  ] as const)
    test(`by urgency: ${what}`, () => {
      for (const both of [[first, second] as const, [second, first] as const])
        assert.deepEqual(ids(...sortShortShifts(both, 'urgency', NOW)), ids(first, second))
    })

  test('by urgency: closed sign-up and sign-up that closes soon are equal, so that the day counts', () => {
    const shifts = [NOW, inHours(1), NOW].map((closesAt, index) => shift(72 + 24 * index, { closesAt }))
    assert.deepEqual(ids(...sortShortShifts(shifts.toReversed(), 'urgency', NOW)), ids(...shifts))
  })

  test('days of the urgency are counted from now', () => {
    const [start, end, next] = [shift(72), shift(95.9, { lacking: 2 }), shift(96, { lacking: 3 })]
    assert.deepEqual(ids(...sortShortShifts([start, end, next], 'urgency', NOW)), ids(end, start, next))
  })

  test('by date: the start, then the end, then the id', () => {
    const [first, second] = [shift(72), shift(72)]
    const short = shift(72, { end: inHours(73) })
    const before = shift(71, { end: inHours(90) })
    for (const some of [
      [before, short, first, second],
      [second, first, short, before],
      [first, before, second, short],
    ])
      assert.deepEqual(ids(...sortShortShifts(some, 'date', NOW)), ids(before, short, first, second))
  })
})
