import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { printInstant } from '#features/staffing/staffing/rules/opening.ts'
import {
  checkOrder,
  fitsShortcut,
  moveTimes,
  readDate,
  readInFull,
  readShortcut,
  type TimesRead,
  type Typed,
} from './shift-times.ts'

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
    ['as people type them', ['Sa 14.11.2026', '7.30', '8', '16 Uhr'], '2026-11-14T07:30 2026-11-14T08:00 2026-11-14T16:00'],
    ['a date without a year', ['14.11.', '', '08:00', '16:00'], 'date: unreadable'],
    ['a meeting after the start', ['2031-05-04', '08:30', '08:00', '16:00'], 'meeting: meeting_after_start'],
    ['a meeting at the start', ['2031-05-04', '08:00', '08:00', '16:00'], '2031-05-04T08:00 2031-05-04T08:00 2031-05-04T16:00'],
    ['nothing typed', ['', '', '', ''], 'date: missing, start: missing, end: missing'],
    ['no date', ['', '', '08:00', '16:00'], 'date: missing'],
    ['no start', ['2031-05-04', '', '', '16:00'], 'start: missing'],
    ['no end', ['2031-05-04', '', '08:00', ' '], 'end: missing'],
    ['a meeting that is no clock', ['2031-05-04', 'early', '08:00', '16:00'], 'meeting: unreadable'],
    ['no date, no clock', ['2031-02-30', '', '25:00', 'noon'], 'date: unreadable, start: unreadable, end: unreadable'],
    // The clock jumps from two to three.
    ['in the hour left out', ['2031-03-30', '', '01:00', '02:30'], 'end: skipped'],
    ['turned round by the clock change', ['2031-03-30', '', '02:30', '03:00'], 'start: skipped'],
  ]
  for (const [name, [date, meeting, start, end], wanted] of SHORT)
    test(`from one date and clocks: ${name}`, () =>
      assert.equal(printed(readShortcut({ date, meeting, start, end }, BERLIN)), wanted))

  test('a meeting and a start in the hour that occurs twice are compared as moments', () => {
    const night = { date: '2031-10-26', meeting: '02:45', start: '02:30', end: '06:00' }
    const which = (meeting: 'earlier' | 'later', start: 'earlier' | 'later'): Typed => ({ ...night, which: { meeting, start } })
    const read = readShortcut(which('earlier', 'later'), BERLIN)
    assert.deepEqual(read.ok && [read.times.meeting, read.times.start], [at('2031-10-26T00:45Z'), at('2031-10-26T01:30Z')])
    assert.equal(printed(readShortcut(which('later', 'earlier'), BERLIN)), 'meeting: meeting_after_start')
    assert.equal(printed(readShortcut(night, BERLIN)), 'meeting: ambiguous, start: ambiguous')
  })

  for (const [text, expected] of [
    ['1900-01-01', true],
    ['1899-12-31', false],
    ['9998-12-31', true],
    ['9999-01-01', false],
    ['2031-02-29', false],
    ['20310501', false],
  ] as const)
    test(`“${text}” is ${expected ? 'a' : 'no'} date of a shift`, () => assert.equal(readDate(text) !== undefined, expected))

  test('the order of times, for each field', () => {
    const check = (meeting: string, start: string, end: string) =>
      checkOrder({ meeting: at(meeting), start: at(start), end: at(end) }).map(({ field, code }) => `${field}: ${code}`)
    const [ten, noon] = ['2031-05-04T10:00Z', '2031-05-04T12:00Z']
    assert.deepEqual(check(ten, ten, noon), [])
    assert.deepEqual(check(ten, ten, ten), ['end: end_before_start'])
    assert.deepEqual(check(noon, ten, noon), ['meeting: meeting_after_start'])
    assert.deepEqual(check('1899-05-04T10:00Z', ten, '9999-05-04T10:00Z'), ['meeting: unreadable', 'end: unreadable'])
  })

  test('a moved shift keeps the time between meeting and start', () => {
    const times = { meeting: at('2031-05-04T07:30Z'), start: at('2031-05-04T08:00Z'), end: at('2031-05-04T12:00Z') }
    const to = { start: at('2031-05-05T10:00Z'), end: at('2031-05-05T11:00Z') }
    assert.deepEqual(moveTimes(times, to), { meeting: at('2031-05-05T09:30Z'), ...to })
  })

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
    [
      'no meeting time is the start',
      ['', '2031-05-04T08:00', '2031-05-04T09:00'],
      '2031-05-04T08:00 2031-05-04T08:00 2031-05-04T09:00',
    ],
    ['no start', ['', '', '2031-05-04T09:00'], 'start: missing'],
    ['no end', ['', '2031-05-04T08:00', ''], 'end: missing'],
    ['a meeting that is no time', ['soon', '2031-05-04T08:00', '2031-05-04T09:00'], 'meeting: unreadable'],
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
    assert.ok(fits('04T06:00', '04T06:00', '05T06:00'))
    assert.ok(!fits('03T05:30', '04T06:00', '04T14:00'))
    assert.ok(!fits('04T06:00', '04T06:00', '06T01:00'))
    assert.ok(!fits('04T06:00', '04T06:00', '04T06:00'))
    assert.ok(!fits('04T05:30', '04T06:00', '05T07:00'))
    assert.ok(!fits('04T06:00', '04T06:00:30', '04T14:00'))
  })
})
