import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import ICAL from 'ical.js'
import { DAYS_OF_MONTH, datesOf, EVERY, type Recurrence } from './recurrence.ts'
import { readRrule, writeRrule } from './rrule.ts'

/** The dates by another implementation of RFC 5545. `first` is the first date of the rule. */
function expand(first: string, rrule: string, most: number): string[] {
  const dates: string[] = []
  const iterator = ICAL.Recur.fromString(rrule).iterator(ICAL.Time.fromDateString(first))
  for (let next = iterator.next(); next && dates.length < most; next = iterator.next()) dates.push(next.toString().slice(0, 10))
  return dates
}

const day = (offset: number): string => new Date(Date.UTC(2024, 0, 1 + offset)).toISOString().slice(0, 10)

const rules = fc
  .record({
    offset: fc.nat(3000),
    every: fc.constantFrom(...EVERY),
    interval: fc.integer({ min: 1, max: 5 }),
    weekdays: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { maxLength: 4 }),
    on: fc.constantFrom(...DAYS_OF_MONTH),
    end: fc.oneof(fc.record({ times: fc.integer({ min: 1, max: 40 }) }), fc.record({ until: fc.integer({ min: 1, max: 900 }) })),
  })
  .map(({ offset, every, interval, weekdays, on, end }): Recurrence => {
    const first = day(offset)
    // ical.js counts its start as a date, even if the rule does not name its weekday.
    const own = ((new Date(first).getUTCDay() + 6) % 7) + 1
    return {
      first,
      every,
      interval,
      ...(every === 'week' ? { weekdays: [...new Set([own, ...weekdays])].sort((a, b) => a - b) } : {}),
      ...(every === 'month' || every === 'year' ? { on } : {}),
      end: 'times' in end ? { times: end.times } : { until: day(offset + end.until) },
    }
  })

/** RFC 5545 counts the start, too; a last weekday of a first date that is not the last one begins later. */
const startsWithFirst = (rule: Recurrence): boolean => datesOf([rule], [])?.[0] === rule.first
/** ical.js 2.2 takes the first of the days instead of the last; the table below has these cases. */
const takesLastDay = (rule: Recurrence): boolean => writeRrule(rule).includes('BYSETPOS')

describe('rules of RFC 5545', () => {
  test('give the dates that another implementation gives', () => {
    fc.assert(
      fc.property(rules, (rule) => {
        const own = datesOf([rule], [])
        if (!own || !startsWithFirst(rule) || takesLastDay(rule)) return
        assert.deepEqual(own, expand(rule.first, writeRrule(rule), own.length + 1), writeRrule(rule))
      }),
      { numRuns: 400 },
    )
  })

  test('are read as they were written', () => {
    fc.assert(
      fc.property(rules, (rule) => assert.deepEqual(readRrule(rule.first, writeRrule(rule)), rule)),
      { numRuns: 400 },
    )
  })

  const CASES: [string, Recurrence, string, string[]][] = [
    [
      'weekly on two days',
      { first: '2031-05-05', every: 'week', interval: 2, weekdays: [4, 1], end: { times: 4 } },
      'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH;WKST=MO;COUNT=4',
      ['2031-05-05', '2031-05-08', '2031-05-19', '2031-05-22'],
    ],
    [
      'weekly on a day before the first date',
      { first: '2031-05-08', every: 'week', interval: 1, weekdays: [1], end: { times: 2 } },
      'FREQ=WEEKLY;BYDAY=MO;WKST=MO;COUNT=2',
      ['2031-05-12', '2031-05-19'],
    ],
    [
      'the 31st',
      { first: '2031-01-31', every: 'month', interval: 1, on: 'day', end: { times: 3 } },
      'FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1;COUNT=3',
      ['2031-01-31', '2031-02-28', '2031-03-31'],
    ],
    [
      'the second Tuesday',
      { first: '2031-05-13', every: 'month', interval: 1, on: 'weekday', end: { until: '2031-07-31' } },
      'FREQ=MONTHLY;BYDAY=2TU;UNTIL=20310731',
      ['2031-05-13', '2031-06-10', '2031-07-08'],
    ],
    [
      'the fifth Friday, in months that have one',
      { first: '2031-05-30', every: 'month', interval: 1, on: 'weekday', end: { times: 2 } },
      'FREQ=MONTHLY;BYDAY=5FR;COUNT=2',
      ['2031-05-30', '2031-08-29'],
    ],
    [
      'the last Friday',
      { first: '2031-05-30', every: 'month', interval: 1, on: 'last_weekday', end: { times: 2 } },
      'FREQ=MONTHLY;BYDAY=-1FR;COUNT=2',
      ['2031-05-30', '2031-06-27'],
    ],
    [
      '29 February',
      { first: '2032-02-29', every: 'year', interval: 1, on: 'day', end: { times: 2 } },
      'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=28,29;BYSETPOS=-1;COUNT=2',
      ['2032-02-29', '2033-02-28'],
    ],
  ]
  for (const [name, rule, text, dates] of CASES)
    test(name, () => {
      assert.equal(writeRrule(rule), text)
      assert.deepEqual(datesOf([rule], []), dates)
    })

  test('skipped dates are left out, also single ones', () => {
    const rule: Recurrence = { first: '2031-05-05', every: 'week', interval: 1, end: { times: 3 } }
    assert.deepEqual(datesOf([rule], ['2031-05-06'], ['2031-05-12']), ['2031-05-05', '2031-05-06', '2031-05-19'])
  })

  test('a rule that never ends within the years that can be planned is refused', () => {
    const fifth: Recurrence = { first: '2031-05-30', every: 'year', interval: 300, on: 'weekday', end: { times: 500 } }
    assert.equal(datesOf([fifth], []), undefined)
  })

  test('other rules are not read', () => {
    for (const text of ['', 'FREQ=HOURLY;COUNT=1', 'FREQ=DAILY', 'FREQ=MONTHLY;BYMONTHDAY=1,15;COUNT=2', 'FREQ=DAILY;UNTIL=x'])
      assert.equal(readRrule('2031-05-05', text), undefined, text)
  })
})
