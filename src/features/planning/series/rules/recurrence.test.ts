import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Temporal } from 'temporal-polyfill'
import type { FormValues } from '#platform/ui/form-values.ts'
import { datesOf, type Recurrence, readDates, readDayFields, recurrenceValues, ruleValues } from './recurrence.ts'

// The first Sunday of June.
const FIRST = '2031-06-01'
const TODAY = '2031-05-20'
const read = (values: FormValues) => readDates({ ...recurrenceValues(FIRST), ...values }, TODAY)
const faultsOf = (values: FormValues) => read(values).faults.map(({ field, code }) => `${field}: ${code}`)

describe('dates of a rule', () => {
  const rule = (more: Partial<Recurrence>): Recurrence => ({
    first: FIRST,
    every: 'week',
    interval: 1,
    end: { times: 3 },
    ...more,
  })
  const CASES: [what: string, rule: Recurrence, expected: string[]][] = [
    [
      'two weekdays; those before the first date are left out',
      rule({ weekdays: [7, 2, 7] }),
      [FIRST, '2031-06-03', '2031-06-08'],
    ],
    ['no weekdays: that of the first date', rule({ weekdays: [] }), [FIRST, '2031-06-08', '2031-06-15']],
    ['every second month', rule({ every: 'month', interval: 2 }), [FIRST, '2031-08-01', '2031-10-01']],
    ['every second year', rule({ every: 'year', interval: 2 }), [FIRST, '2033-06-01', '2035-06-01']],
    ['every 50th year', rule({ every: 'year', interval: 50 }), [FIRST, '2081-06-01', '2131-06-01']],
    ['the first Sunday of the month', rule({ every: 'month', on: 'weekday' }), [FIRST, '2031-07-06', '2031-08-03']],
    ['the last Sunday of the month', rule({ every: 'month', on: 'last_weekday' }), ['2031-06-29', '2031-07-27', '2031-08-31']],
    [
      'a fifth Sunday, which most months do not have',
      rule({ first: '2031-06-29', every: 'month', on: 'weekday', end: { until: '2031-12-31' } }),
      ['2031-06-29', '2031-08-31', '2031-11-30'],
    ],
  ]
  for (const [what, given, expected] of CASES) test(what, () => assert.deepEqual(datesOf([given], []), expected))

  test('dates that are skipped are left out, also single ones', () => {
    assert.deepEqual(datesOf([rule({})], ['2031-07-01'], ['2031-06-08', '2031-07-01', '2031-09-09']), [FIRST, '2031-06-15'])
  })
  test('dates end with the year 9998', () => {
    assert.deepEqual(datesOf([rule({ first: '9997-06-01', every: 'year', end: { times: 2 } })], []), ['9997-06-01', '9998-06-01'])
    assert.equal(datesOf([rule({ first: '9997-06-01', every: 'year', end: { times: 3 } })], []), undefined)
  })
  test('months continue for many years', () => {
    const dates = datesOf([rule({ every: 'month', interval: 6, end: { times: 900 } })], [])
    assert.deepEqual([dates!.length, dates!.at(-1)], [900, '2480-12-01'])
  })
  test('a rule that no year has a date for does not run forever', () => {
    // A fifth weekday in February occurs every 28 years.
    const fifth = rule({ first: '9984-02-29', every: 'year', on: 'weekday', end: { times: 2 } })
    assert.equal(datesOf([fifth], []), undefined)
    assert.equal(datesOf([{ ...fifth, every: 'month', interval: 12 }], []), undefined)
  })
})

describe('the form of dates', () => {
  const many = (count: number) => ({ every: 'day', times: String(count) })
  const FAULTS: [what: string, values: FormValues, expected: string[]][] = [
    ['400 dates of a series', { ...many(400), linked: 'on' }, []],
    ['401 dates of a series', { ...many(401), linked: 'on' }, ['linked: series_too_long']],
    ['401 dates that are not linked', many(401), []],
    ['an interval of a leap year', { every: 'day', interval: '366', times: '2' }, []],
    ['a longer interval', { every: 'day', interval: '367', times: '2' }, ['interval: not_a_number']],
    ['half a week', { every: 'week', interval: '1.5' }, ['interval: not_a_number']],
    ['one time', many(1), []],
    ['half a time', { every: 'day', times: '1.5' }, ['times: not_a_number']],
    ['far too many times', many(100_001), ['times: too_many_dates']],
    ['an interval of a single date is ignored', { interval: 'x' }, []],
    ['a last day that is none', { every: 'day', ends: 'until', until: 'x' }, ['until: unreadable']],
    ['a skipped day that is none', { skips: '2031-06-01 x' }, ['skips: not_a_date']],
    ['all days skipped', { skips: FIRST }, ['skips: no_dates']],
  ]
  for (const [what, values, expected] of FAULTS)
    test(`${expected.length ? 'refuses' : 'accepts'} ${what}`, () => assert.deepEqual(faultsOf(values), expected))

  const RULES: [what: string, values: FormValues, expected: object | undefined][] = [
    ['one date', {}, undefined],
    ['days', { every: 'day', interval: ' 2 ', times: ' 3 ' }, { first: FIRST, every: 'day', interval: 2, end: { times: 3 } }],
    [
      'weeks with weekdays',
      { every: 'week', weekdays: ['1', '7', '0', '8', 'x', '1.5'] },
      { first: FIRST, every: 'week', interval: 1, weekdays: [1, 7], end: { times: 4 } },
    ],
    [
      'months by weekday',
      { every: 'month', on: 'weekday', ends: 'until', until: '2031-08-01' },
      { first: FIRST, every: 'month', interval: 1, on: 'weekday', end: { until: '2031-08-01' } },
    ],
    [
      'years, by day if the form says nothing',
      { every: 'year', on: 'x' },
      { first: FIRST, every: 'year', interval: 1, on: 'day', end: { times: 4 } },
    ],
  ]
  for (const [what, values, expected] of RULES)
    test(`the rule for ${what}`, () => {
      const { rule, faults } = read(values)
      assert.deepEqual([rule, faults], [expected, []])
    })

  test('a single first date is stored as a date, not as a rule', () => {
    const { singles, skipped, dates } = read({ singles: '2031-07-01;2031-07-02', skips: '2031-07-02' })
    assert.deepEqual(singles, ['2031-07-01', '2031-07-02', FIRST])
    assert.deepEqual([skipped, dates], [['2031-07-02'], [FIRST, '2031-07-01']])
    assert.deepEqual(read({ every: 'day' }).singles, [])
    assert.deepEqual(read({ every: 'week', ends: 'until', singles: '2031-07-01' }).singles, ['2031-07-01'])
  })

  test('starts with one date, four times if it is repeated', () => {
    assert.deepEqual(recurrenceValues(FIRST), {
      first: FIRST,
      every: 'once',
      interval: '1',
      weekdays: ['7'],
      on: 'day',
      ends: 'times',
      times: '4',
      until: '',
      singles: '',
      skips: '',
    })
  })

  const STORED: [what: string, rule: Recurrence][] = [
    ['days', { first: FIRST, every: 'day', interval: 3, end: { times: 7 } }],
    ['weekdays', { first: FIRST, every: 'week', interval: 1, weekdays: [1, 7], end: { until: '2031-08-01' } }],
    ['the last weekday', { first: FIRST, every: 'month', interval: 2, on: 'last_weekday', end: { times: 2 } }],
  ]
  for (const [what, rule] of STORED)
    test(`shows a stored rule as it was chosen: ${what}`, () => {
      const chosen = readDates(ruleValues(FIRST, rule, ['2031-07-01', '2031-07-02'], ['2031-07-02']), TODAY)
      assert.deepEqual([chosen.rule, chosen.singles, chosen.skipped], [rule, ['2031-07-01', '2031-07-02'], ['2031-07-02']])
    })
  test('shows the defaults for what a rule does not say', () => {
    const values = ruleValues(
      FIRST,
      { first: FIRST, every: 'week', interval: 1, weekdays: [], end: { until: '2031-08-01' } },
      [],
      [],
    )
    assert.deepEqual(
      [values.weekdays, values.on, values.ends, values.until, values.times],
      [['7'], 'day', 'until', '2031-08-01', '4'],
    )
  })
  test('shows dates without a rule', () => {
    assert.deepEqual(ruleValues(FIRST, undefined, ['2031-07-01'], []), {
      ...recurrenceValues(FIRST),
      first: '',
      singles: '2031-07-01',
    })
  })
})

test('dates are read as people write them, and those that can be read stay in the preview', () => {
  const weekly = { every: 'week', ends: 'times', times: '4', weekdays: [] as string[] }
  const all = read(weekly).dates
  const [, second, third, fourth] = all.map((date) => Temporal.PlainDate.from(date))
  const german = ({ day, month, year }: Temporal.PlainDate) => `${day}.${month}.${year}`
  const skips = `${german(second!)}\n${third!.day}.${third!.month}.`
  assert.deepEqual(read({ ...weekly, skips }), { ...read({ ...weekly, skips: `${second} ${third}` }) })
  assert.deepEqual(read({ ...weekly, skips }).dates, [all[0], all[3]])
  assert.deepEqual(read({ ...weekly, skips: `${german(second!)}, ${german(fourth!)}` }).dates, [all[0], all[2]])
  const wrong = read({ ...weekly, skips: `${german(second!)}\nsoon` })
  assert.deepEqual(wrong.faults, [{ field: 'skips', code: 'not_a_date' }])
  assert.deepEqual(wrong.dates, [all[0], all[2], all[3]])
})

test('the first and the last day are read as people write them, and the form shows the day that was meant', () => {
  const CASES: [values: FormValues, dates: string[]][] = [
    [{ first: 'morgen' }, ['2031-05-21']],
    [{ first: '3.4.' }, ['2032-04-03']],
    [{ first: '20.5.' }, ['2031-05-20']],
    [{ first: 'heute', every: 'week', ends: 'until', until: '3.6.' }, ['2031-05-20', '2031-05-27', '2031-06-03']],
    [{ first: 'today', every: 'day', times: '3', skips: 'tomorrow' }, ['2031-05-20', '2031-05-22']],
    [{ first: '', singles: 'übermorgen' }, ['2031-05-22']],
  ]
  for (const [values, dates] of CASES) {
    const chosen = read({ weekdays: [], ...values })
    assert.deepEqual([chosen.dates, chosen.faults], [dates, []], JSON.stringify(values))
  }
  assert.deepEqual(readDayFields({ first: 'Sa 3.4.', until: '1.4.', title: 'x' }, TODAY), {
    first: '2032-04-03',
    until: '2033-04-01',
    title: 'x',
  })
  assert.deepEqual(readDayFields({ first: 'soon', until: '' }, TODAY), { first: 'soon', until: '' })
})
