import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Recurrence } from './recurrence.ts'
import { describeRule } from './rule-description.ts'

describe('a rule in words', () => {
  // The second Sunday of May.
  const rule = (more: Partial<Recurrence>): Recurrence => ({
    first: '2031-05-11',
    every: 'week',
    interval: 2,
    end: { times: 3 },
    ...more,
  })
  const CASES: [what: string, rule: Recurrence, weekdays: number[], nth: number | 'last' | undefined][] = [
    ['weeks without weekdays: that of the first date', rule({}), [7], undefined],
    ['weeks with an empty list of weekdays', rule({ weekdays: [] }), [7], undefined],
    ['weekdays in order, each once', rule({ weekdays: [3, 1, 3] }), [1, 3], undefined],
    ['weekdays do not count for days', rule({ every: 'day', weekdays: [3, 1] }), [7], undefined],
    ['the day of the month', rule({ every: 'month' }), [7], undefined],
    ['the second Sunday', rule({ every: 'month', on: 'weekday' }), [7], 2],
    ['the last Sunday', rule({ every: 'year', on: 'last_weekday' }), [7], 'last'],
  ]
  for (const [what, given, weekdays, nth] of CASES)
    test(what, () => assert.deepEqual(describeRule(given), { every: given.every, interval: 2, weekdays, day: 11, month: 5, nth }))
})
