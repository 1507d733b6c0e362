import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { printInstant } from '#features/staffing/rules/opening.ts'
import { dayOf, daysBetween, moveStoredTime, moveTimes } from './moving-dates.ts'
import { datesOf, MAX_DATES, type Recurrence } from './recurrence.ts'
import { fitsShortcut, readInFull, readShortcut, type TimesRead } from './shift-times.ts'

const BERLIN = 'Europe/Berlin'
const at = (text: string) => new Date(text)
const printed = (read: TimesRead) =>
  read.ok
    ? [read.times.meeting, read.times.start, read.times.end].map((time) => printInstant(time, BERLIN).slice(0, 16)).join(' ')
    : read.faults.map(({ field, code }) => `${field}: ${code}`).join(', ')

describe('times of a shift', () => {
  const SHORT: [string, [string, string, string, string], string][] = [
    ['within a day', ['2031-05-04', '07:30', '08:00', '16:00'], '2031-05-04T07:30 2031-05-04T08:00 2031-05-04T16:00'],
    ['no meeting time is the start', ['2031-05-04', '', '08:00', '16:00'], '2031-05-04T08:00 2031-05-04T08:00 2031-05-04T16:00'],
    [
      'an end before the start is tomorrow',
      ['2031-12-31', '', '20:00', '02:00'],
      '2031-12-31T20:00 2031-12-31T20:00 2032-01-01T02:00',
    ],
    [
      'an end at the start is tomorrow',
      ['2031-05-04', '', '08:00', '08:00'],
      '2031-05-04T08:00 2031-05-04T08:00 2031-05-05T08:00',
    ],
    ['a meeting after the start', ['2031-05-04', '08:30', '08:00', '16:00'], 'meeting: meeting_after_start'],
    ['nothing typed', ['', '', '', ''], 'date: missing, start: missing, end: missing'],
    ['no date, no clock', ['2031-02-30', '', '25:00', 'noon'], 'date: unreadable, start: unreadable, end: unreadable'],
    // The clock jumps from two to three.
    ['in the hour left out', ['2031-03-30', '', '01:00', '02:30'], 'end: skipped'],
    ['turned round by the clock change', ['2031-03-30', '', '02:30', '03:00'], 'start: skipped'],
  ]
  for (const [name, [date, meeting, start, end], wanted] of SHORT)
    test(`from one date and clocks: ${name}`, () =>
      assert.equal(printed(readShortcut({ date, meeting, start, end }, BERLIN)), wanted))

  const FULL: [string, [string, string, string], string][] = [
    [
      'over days',
      ['2031-05-03T20:00', '2031-05-04T08:00', '2031-05-06T08:00'],
      '2031-05-03T20:00 2031-05-04T08:00 2031-05-06T08:00',
    ],
    [
      'in the wrong order',
      ['2031-05-05T20:00', '2031-05-04T08:00', '2031-05-04T08:00'],
      'meeting: meeting_after_start, end: end_before_start',
    ],
    ['nothing typed', ['', '', ''], 'start: missing, end: missing'],
    ['not a time', ['x', '2031-05-04', '2031-05-04T26:00'], 'start: unreadable, end: unreadable, meeting: unreadable'],
  ]
  for (const [name, [meeting, start, end], wanted] of FULL)
    test(`in full: ${name}`, () => assert.equal(printed(readInFull({ meeting, start, end }, BERLIN)), wanted))

  test('the short form is offered only for times that it can express', () => {
    const fits = (meeting: string, start: string, end: string) =>
      fitsShortcut({ meeting: at(`2031-05-${meeting}Z`), start: at(`2031-05-${start}Z`), end: at(`2031-05-${end}Z`) }, BERLIN)
    assert.ok(fits('04T05:30', '04T06:00', '04T14:00'))
    assert.ok(fits('04T17:30', '04T18:00', '05T01:00'))
    assert.ok(!fits('03T05:30', '04T06:00', '04T14:00'))
    assert.ok(!fits('04T05:30', '04T06:00', '05T07:00'))
    assert.ok(!fits('04T06:00', '04T06:00:30', '04T14:00'))
  })
})

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
  ]
  for (const [name, before, wanted] of STORED)
    test(`a deadline that is ${name}`, () => assert.equal(moveStoredTime(before, 7, BERLIN), wanted))
})
