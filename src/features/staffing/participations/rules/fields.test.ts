import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Reason } from '#features/staffing/staffing/rules/model.ts'
import { fieldOf } from './fields.ts'

const at = (hour: number) => new Date(Date.UTC(2031, 4, 4, hour))
const TIMES = { start: at(8), end: at(12) }
const other = (start: number, end: number) => ({ shiftId: 1, eventId: 1, eventTitle: 'Other', start: at(start), end: at(end) })
const outside = (earliest: number, latest: number): Reason => ({
  code: 'times_outside',
  earliest: at(earliest),
  latest: at(latest),
})

const TABLE: [string, Reason, string | undefined][] = [
  ['a start that is too early', outside(9, 12), 'start'],
  ['a start after the shift', outside(4, 7), 'start'],
  ['an end that is too late', outside(8, 11), 'end'],
  ['another shift at the beginning', { code: 'conflict', with: other(6, 9) }, 'start'],
  ['another shift that begins at the same time', { code: 'conflict', with: other(8, 9) }, 'start'],
  ['another shift at the end', { code: 'partial_conflict', with: other(11, 14) }, 'end'],
  ['too little rest before', { code: 'limit_rest', minimum: 8, hours: 2, with: other(4, 6) }, 'start'],
  ['no rest before', { code: 'limit_rest', minimum: 8, hours: 0, with: other(4, 8) }, 'start'],
  ['too little rest after', { code: 'limit_rest', minimum: 8, hours: 2, with: other(14, 16) }, 'end'],
  ['times that cannot be chosen', { code: 'times_fixed' }, 'start'],
  ['times in the wrong order', { code: 'times_in_wrong_order' }, 'end'],
  ['a qualification that ends', { code: 'qualified_until', at: at(10) }, 'end'],
  ['too many hours of a week', { code: 'limit_week', limit: 40, actual: 42 }, 'end'],
  ['too many hours of a minor', { code: 'limit_minor_day', limit: 8, actual: 9 }, 'end'],
  ['too late for a minor', { code: 'limit_minor_hour', limit: 22, actual: 23 }, 'end'],
  ['a missing wish', { code: 'wish_needed' }, 'wish'],
  ['a wish that is gone', { code: 'wish_not_offered' }, 'wish'],
  ['a full shift', { code: 'full' }, undefined],
]

describe('the field that a refused sign-up marks', () => {
  for (const [title, reason, expected] of TABLE) test(title, () => assert.equal(fieldOf(reason, TIMES), expected))
})
