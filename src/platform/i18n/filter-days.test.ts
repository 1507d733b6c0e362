import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { renderHtml } from '#platform/html/html.ts'
import { filterDayField } from '#platform/ui/fields.ts'
import { type DayFaults, readFilterDays } from './filter-days.ts'
import { wordsFor } from './words.ts'

const TODAY = '2031-05-14'
type Near = { from: string } | { until: string }
const COMING = { from: TODAY }
const PAST = { until: TODAY }
const fault = (text: string, code: 'unreadable' | 'wrong_weekday' | 'before_first') => ({ text, code })

const read = (query: string, near: Near) => readFilterDays(new URLSearchParams(query), { first: 'from', last: 'to' }, near)

describe('the days that a list is filtered by', () => {
  const CASES: [query: string, near: Near, first: string | undefined, last: string | undefined, faults?: DayFaults][] = [
    ['', COMING, undefined, undefined],
    ['from=&to=+', COMING, undefined, undefined],
    ['from=2031-06-01&to=2031-06-30', COMING, '2031-06-01', '2031-06-30'],
    ['from=1.6.2031&to=30 June 2031', COMING, '2031-06-01', '2031-06-30'],
    ['from=Mi 14.5.', COMING, '2031-05-14', undefined],
    ['from=13.5.', COMING, '2032-05-13', undefined],
    ['from=13.5.', PAST, '2031-05-13', undefined],
    ['from=15.5.', PAST, '2030-05-15', undefined],
    ['to=20.12.', PAST, undefined, '2030-12-20'],
    // The last day is after the first one, also over the turn of the year.
    ['from=20.12.&to=5.1.', COMING, '2031-12-20', '2032-01-05'],
    ['from=20.12.&to=5.1.', PAST, '2030-12-20', '2031-01-05'],
    ['from=yesterday&to=Morgen', COMING, '2031-05-13', '2031-05-15'],
    ['from=gestern&to=heute', PAST, '2031-05-13', '2031-05-14'],
    ['from=morgen&to=heute', COMING, '2031-05-15', undefined, { to: fault('heute', 'before_first') }],
    ['from=2031-06-01&to=2031-06-01', COMING, '2031-06-01', '2031-06-01'],
    ['from=31.2.2031', COMING, undefined, undefined, { from: fault('31.2.2031', 'unreadable') }],
    ['from=1.6.2031&to=soon', COMING, '2031-06-01', undefined, { to: fault('soon', 'unreadable') }],
    ['to=Do 14.5.', COMING, undefined, undefined, { to: fault('Do 14.5.', 'wrong_weekday') }],
    ['from=1.6.2031&to=31.5.2031', COMING, '2031-06-01', undefined, { to: fault('31.5.2031', 'before_first') }],
    [`from=${'x'.repeat(90)}`, COMING, undefined, undefined, { from: fault('x'.repeat(40), 'unreadable') }],
  ]
  for (const [query, near, first, last, faults = {}] of CASES)
    test(`?${query.slice(0, 40)}, ${'from' in near ? 'coming' : 'past'}`, () =>
      assert.deepEqual(read(query, near), { first, last, faults }))

  for (const language of ['en', 'de', 'fr'] as const) {
    const words = wordsFor(language, 'Europe/Berlin')
    test(`are read as pages write them in ${language}`, () => {
      for (let month = 1; month <= 12; month++) {
        const day = `2031-${String(month).padStart(2, '0')}-09`
        const text = words.date(new Date(`${day}T12:00:00Z`))
        assert.equal(read(`from=${text}`, COMING).first, day, text)
      }
    })
    test(`say at the field in ${language} what is wrong, and keep what was typed`, () => {
      for (const code of ['unreadable', 'wrong_weekday', 'before_first'] as const) {
        const field = filterDayField({ words, name: 'from', label: 'From', value: '', faults: { from: fault('31.2.', code) } })
        assert.match(renderHtml(field), /value="31\.2\."[^>]*aria-invalid="true"/)
        assert.match(renderHtml(field), /field-error.*31\.2\./)
      }
    })
  }
})
