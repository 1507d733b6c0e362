import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Day } from '#platform/i18n/days.ts'
import { readShortageChoice, type ShortageChoice, shortagePath } from './choice.ts'

const TODAY = '2030-01-10' as Day
const USUAL: ShortageChoice = {
  from: TODAY,
  until: '2030-01-23' as Day,
  type: undefined,
  group: undefined,
  place: undefined,
  sort: 'urgency',
  page: 1,
  faults: {},
}
const read = (query: string) => readShortageChoice(new URLSearchParams(query), TODAY)

describe('the filters of shortages', () => {
  const CASES: [query: string, expected: object][] = [
    ['', {}],
    ['from=2030-01-11', { from: '2030-01-11', until: '2030-01-24' }],
    ['from=11.1.2030', { from: '2030-01-11', until: '2030-01-24' }],
    ['from=2030-01-09', {}],
    ['from=2030-02-30', { faults: { from: { text: '2030-02-30', code: 'unreadable' } } }],
    ['from=Fr 11.1.', { from: '2030-01-11', until: '2030-01-24' }],
    ['from=Sa 11.1.', { faults: { from: { text: 'Sa 11.1.', code: 'wrong_weekday' } } }],
    ['until=2030-01-10', { until: '2030-01-10' }],
    ['until=2030-01-09', {}],
    [
      'from=2030-02-01&until=2030-01-31',
      { from: '2030-02-01', until: '2030-02-14', faults: { until: { text: '2030-01-31', code: 'before_first' } } },
    ],
    ['type=3&group=4', { type: 3, group: 4 }],
    ['type=x&group=-1', {}],
    ['place=Ha%00lle', { place: 'Halle' }],
    [`place=${'x'.repeat(255)}`, { place: 'x'.repeat(254) }],
    ['sort=date', { sort: 'date' }],
    ['sort=else', {}],
    ['page=1000', { page: 1000 }],
    ['page=1001', {}],
  ]
  for (const [query, expected] of CASES) {
    test(`?${query.slice(0, 40)}`, () => assert.deepEqual(read(query), { ...USUAL, ...expected }))
  }
})

describe('the address of shortages', () => {
  const CASES: [choice: Partial<ShortageChoice>, expected: string][] = [
    [{}, '/planning/'],
    [{ from: '2030-01-11' as Day, until: '2030-01-24' as Day }, '/planning/?from=2030-01-11'],
    [{ until: '2030-01-24' as Day }, '/planning/?until=2030-01-24'],
    [{ type: 3, group: 4, place: 'A B' }, '/planning/?type=3&group=4&place=A+B'],
    [{ sort: read('sort=date').sort, page: 2 }, '/planning/?sort=date&page=2'],
  ]
  for (const [choice, expected] of CASES) {
    test(expected, () => assert.equal(shortagePath({ ...USUAL, ...choice }, TODAY), expected))
  }
})
