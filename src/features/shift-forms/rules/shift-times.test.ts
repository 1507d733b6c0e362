import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { printInstant } from '#features/staffing/rules/opening.ts'
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
