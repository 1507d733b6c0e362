import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { printInstant } from '#features/staffing/staffing/rules/opening.ts'
import type { FormValues } from '#platform/ui/form-values.ts'
import { dayOf, daysBetween, moveStoredTime, moveTimes } from './moving-dates.ts'
import { datesOf, MAX_DATES, type Recurrence, readDates, recurrenceValues } from './recurrence.ts'

const BERLIN = 'Europe/Berlin'
const at = (text: string) => new Date(text)

describe('recurring dates', () => {
  const weekly: Recurrence = { first: '2031-05-04', every: 'week', interval: 2, end: { times: 3 } }
  const CASES: [string, Recurrence[], string[], string[]][] = [
    ['every second week', [weekly], [], ['2031-05-04', '2031-05-18', '2031-06-01']],
    [
      'daily until a day that counts',
      [{ first: '2031-02-27', every: 'day', interval: 1, end: { until: '2031-03-01' } }],
      [],
      ['2031-02-27', '2031-02-28', '2031-03-01'],
    ],
    [
      'on the last of short months',
      [{ first: '2031-01-31', every: 'month', interval: 1, end: { times: 4 } }],
      [],
      ['2031-01-31', '2031-02-28', '2031-03-31', '2031-04-30'],
    ],
    [
      'rules and single days together, each once',
      [weekly],
      ['2031-06-01', '2031-05-01'],
      ['2031-05-01', '2031-05-04', '2031-05-18', '2031-06-01'],
    ],
    ['until a day before the first', [{ ...weekly, end: { until: '2031-05-03' } }], [], []],
  ]
  for (const [name, rules, singles, wanted] of CASES) test(name, () => assert.deepEqual(datesOf(rules, singles), wanted))

  test('at most 1,000', () => {
    const daily = (times: number): Recurrence => ({ first: '2031-01-01', every: 'day', interval: 1, end: { times } })
    assert.equal(datesOf([daily(MAX_DATES)], [])!.length, MAX_DATES)
    assert.equal(datesOf([daily(MAX_DATES + 1)], []), undefined)
    assert.equal(datesOf([daily(MAX_DATES)], ['2030-01-01']), undefined)
    assert.equal(datesOf([{ ...daily(1), end: { until: '9999-12-31' } }], []), undefined)
  })
})

describe('times that move with a copy', () => {
  const moved = (meeting: string, start: string, end: string, days: number) => {
    const times = moveTimes({ meeting: at(meeting), start: at(start), end: at(end) }, days, BERLIN)
    return [times.meeting, times.start, times.end].map((time) => printInstant(time, BERLIN)).join(' ')
  }
  test('local times stay the same across daylight saving', () => {
    // Winter time begins on 26 October 2031.
    assert.equal(
      moved('2031-10-19T07:30+02:00', '2031-10-19T08:00+02:00', '2031-10-20T02:00+02:00', 7),
      '2031-10-26T07:30:00+01:00 2031-10-26T08:00:00+01:00 2031-10-27T02:00:00+01:00',
    )
  })
  test('the duration is kept if daylight saving would put the end before the start', () => {
    assert.equal(
      moved('2031-03-23T02:30+01:00', '2031-03-23T02:30+01:00', '2031-03-23T03:00+01:00', 7),
      '2031-03-30T03:30:00+02:00 2031-03-30T03:30:00+02:00 2031-03-30T04:00:00+02:00',
    )
    assert.equal(
      moved('2031-03-23T02:45+01:00', '2031-03-23T03:00+01:00', '2031-03-23T06:00+01:00', 7),
      '2031-03-30T01:45:00+01:00 2031-03-30T03:00:00+02:00 2031-03-30T06:00:00+02:00',
    )
  })
  test('days are counted in the time zone of the instance', () => {
    assert.equal(dayOf(at('2031-05-03T22:30:00Z'), BERLIN), '2031-05-04')
    assert.equal(daysBetween('2031-03-01', '2031-05-01'), 61)
    assert.equal(daysBetween('2031-05-01', '2031-04-01'), -30)
  })
  const STORED: [string, string, string][] = [
    ['fixed, with an offset', '2031-10-25T18:00:00+02:00', '2031-11-01T18:00:00+01:00'],
    ['fixed, in UTC', '2031-05-01T16:00:00Z', '2031-05-08T18:00:00+02:00'],
    ['fixed, without an offset', '2031-10-25T18:00', '2031-11-01T18:00:00+01:00'],
    ['relative', 'P3D', 'P3D'],
    ['unreadable', 'soon', 'soon'],
    ['on the last days of the calendar', '+275760-09-12T00:00:00Z', '+275760-09-12T00:00:00Z'],
  ]
  for (const [name, before, wanted] of STORED)
    test(`a deadline that is ${name}`, () => assert.equal(moveStoredTime(before, 7, BERLIN), wanted))
})

describe('the date form', () => {
  const CASES: [string, FormValues, string][] = [
    ['one day', {}, '2031-06-01'],
    ['days alone', { first: '', singles: '2031-07-02, 2031-07-01' }, '2031-07-01 2031-07-02'],
    ['weekly until a day', { every: 'week', ends: 'until', until: '2031-06-15' }, '2031-06-01 2031-06-08 2031-06-15'],
    [
      'first and last day as people type them',
      { first: 'So 1.6.2031', every: 'week', ends: 'until', until: '15. Juni 2031' },
      '2031-06-01 2031-06-08 2031-06-15',
    ],
    [
      'every second day, and one more',
      { every: 'day', interval: '2', times: '2', singles: '2031-05-01' },
      '2031-05-01 2031-06-01 2031-06-03',
    ],
    ['nothing', { first: '' }, 'first: missing'],
    ['no date', { first: 'x', singles: '1.7.' }, 'first: unreadable'],
    ['no last day', { every: 'week', ends: 'until' }, 'until: missing'],
    ['a last day before the first', { every: 'week', ends: 'until', until: '2031-05-01' }, 'until: no_dates'],
    ['too many', { every: 'day', times: '1001' }, 'times: too_many_dates'],
    ['no number', { every: 'day', interval: '0', times: '-1' }, 'interval: not_a_number times: not_a_number'],
  ]
  for (const [name, values, wanted] of CASES)
    test(name, () => {
      const { dates, faults } = readDates({ ...recurrenceValues('2031-06-01'), ...values }, '2031-05-20')
      assert.equal([...dates, ...faults.map(({ field, code }) => `${field}: ${code}`)].join(' '), wanted)
    })
})
