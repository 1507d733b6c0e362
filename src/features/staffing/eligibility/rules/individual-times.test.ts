import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findFreePart, isOutsideShift, judgeTimes } from './individual-times.ts'

const at = (hour: number, minute = 0) => new Date(Date.UTC(2031, 4, 4, hour, minute))
const shift = { meeting: at(7, 30), start: at(8), end: at(12) }
const none = { start: null, end: null }
const free = { mayChoose: true, toleranceMinutes: 0 }
type Times = { start: Date | null; end: Date | null }
type Row = [string, Times, Times | string[], { mayChoose: boolean; toleranceMinutes: number }?, Times?]

const TABLE: Row[] = [
  ['equal to those of the shift are none', { start: at(8), end: at(12) }, none],
  ['are kept one by one', { start: at(9), end: at(12) }, { start: at(9), end: null }],
  ['may begin at the meeting', { start: at(7, 30), end: null }, { start: at(7, 30), end: null }],
  ['may not begin before the meeting', { start: at(7, 29), end: null }, ['times_outside']],
  ['may not end after the shift', { start: null, end: at(12, 1) }, ['times_outside']],
  [
    'may be outside by the tolerance',
    { start: null, end: at(12, 15) },
    { start: null, end: at(12, 15) },
    { mayChoose: true, toleranceMinutes: 15 },
  ],
  ['may end when they begin', { start: at(9), end: at(9) }, { start: at(9), end: at(9) }],
  ['end after they begin', { start: at(10), end: at(9) }, ['times_in_wrong_order']],
  ['tell all that is wrong at once', { start: at(13), end: at(9) }, ['times_in_wrong_order', 'times_outside']],
  ['begin in the shift, whatever the end', { start: at(13), end: null }, ['times_in_wrong_order', 'times_outside']],
  [
    'cannot be chosen where the flow forbids it',
    { start: at(9), end: null },
    ['times_fixed'],
    { mayChoose: false, toleranceMinutes: 0 },
  ],
  [
    'of the shift can be sent where the flow forbids others',
    { start: at(8), end: at(12) },
    none,
    { mayChoose: false, toleranceMinutes: 0 },
  ],
  [
    'that a responsible set can be kept',
    { start: at(5), end: null },
    { start: at(5), end: null },
    { mayChoose: false, toleranceMinutes: 0 },
    { start: at(5), end: null },
  ],
]

describe('individual times', () => {
  for (const [title, wanted, expected, limits = free, stored = none] of TABLE)
    test(title, () => {
      const verdict = judgeTimes(wanted, stored, shift, limits)
      assert.deepEqual(verdict.ok ? verdict.times : verdict.reasons.map(({ code }) => code), expected)
    })
})

const OUTSIDE: [string, Date, Date, boolean, number?][] = [
  ['from the meeting until the end are within', at(7, 30), at(12), false],
  ['before the meeting are outside', at(7, 29), at(12), true],
  ['after the end are outside', at(9), at(12, 1), true],
  ['within the tolerance are not outside', at(7, 20), at(12, 10), false, 10],
  ['beyond the tolerance are', at(7, 20), at(12, 11), true, 10],
  ['that begin when the shift ends are outside', at(12), at(12, 5), true, 10],
  ['that end when the shift begins are outside', at(7, 40), at(8), true],
]

describe('individual times after the shift was moved', () => {
  for (const [title, start, end, expected, tolerance = 0] of OUTSIDE)
    test(title, () => assert.equal(isOutsideShift({ start, end }, shift, tolerance), expected))
})

const FREE: [string, [Date, Date][], [Date, Date] | undefined][] = [
  ['is the whole shift without another one', [], [at(8), at(12)]],
  ['begins when the other one ends', [[at(6), at(9)]], [at(9), at(12)]],
  ['ends when the other one begins', [[at(11), at(14)]], [at(8), at(11)]],
  ['is the longer one before another one', [[at(11), at(11, 30)]], [at(8), at(11)]],
  ['is the longer one after another one', [[at(8, 30), at(9)]], [at(9), at(12)]],
  ['is the first of equal ones', [[at(9, 30), at(10, 30)]], [at(8), at(9, 30)]],
  [
    'is between two others',
    [
      [at(6), at(9)],
      [at(11), at(13)],
    ],
    [at(9), at(11)],
  ],
  [
    'does not depend on the order of the others',
    [
      [at(11), at(13)],
      [at(6), at(9)],
    ],
    [at(9), at(11)],
  ],
  [
    'begins after the later of two that overlap',
    [
      [at(6), at(10)],
      [at(7), at(9)],
    ],
    [at(10), at(12)],
  ],
  [
    'is missing if the others take the whole shift',
    [
      [at(6), at(10)],
      [at(10), at(12)],
    ],
    undefined,
  ],
  [
    'ignores others before and after',
    [
      [at(6), at(8)],
      [at(12), at(14)],
    ],
    [at(8), at(12)],
  ],
]

describe('the part of a shift in which a person is free', () => {
  for (const [title, others, expected] of FREE)
    test(title, () => {
      const part = findFreePart(
        shift,
        others.map(([start, end]) => ({ start, end })),
      )
      assert.deepEqual(part && [part.start, part.end], expected)
    })
})
