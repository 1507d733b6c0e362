import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { judgeUrgency, type ShortShift, sortShortShifts } from './urgency.ts'

const NOW = new Date('2031-05-01T10:00:00Z')
const inHours = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000)

let lastId = 0
const shift = (startsIn: number, wish: Partial<ShortShift> = {}): ShortShift => ({
  id: ++lastId,
  start: inHours(startsIn),
  end: inHours(startsIn + 6),
  lacking: 1,
  confirmedCount: 3,
  closesAt: inHours(startsIn),
  ...wish,
})

describe('urgency of a shift', () => {
  for (const [what, given, reason] of [
    ['it has begun', shift(-1), 'running'],
    ['it starts within two days', shift(48), 'starts_soon'],
    ['it starts later, and sign-up closes within two days', shift(49, { closesAt: inHours(48) }), 'closes_soon'],
    ['sign-up closes a minute later', shift(49, { closesAt: inHours(48.02) }), 'this_week'],
    ['sign-up is closed', shift(100, { closesAt: inHours(-1) }), 'closed'],
    ['people cannot sign up themselves', shift(100, { closesAt: undefined }), 'this_week'],
    ['more people are missing than there are', shift(100, { lacking: 4, confirmedCount: 3 }), 'half_missing'],
    ['half of the people are there', shift(100, { lacking: 3, confirmedCount: 3 }), 'this_week'],
    ['it starts in a week', shift(168), 'this_week'],
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
  const orderOf = (sort: 'urgency' | 'date' | 'missing') => sortShortShifts(all, sort, NOW).map(({ id }) => id)
  const ids = (...some: ShortShift[]) => some.map(({ id }) => id)
  test('by urgency: the reason, then the day, then how many are missing', () =>
    assert.deepEqual(orderOf('urgency'), ids(sameDay, soon, closing, week, later)))
  test('by date', () => assert.deepEqual(orderOf('date'), ids(sameDay, soon, closing, week, later)))
  test('by missing people, then by date', () => assert.deepEqual(orderOf('missing'), ids(later, sameDay, soon, closing, week)))
})
