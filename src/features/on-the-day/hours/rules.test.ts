import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  compareLatestFirst,
  ENTRIES,
  groupByYear,
  HOURS_REQUEST,
  type HoursRow,
  readRequest,
  sumHours,
  yearPeriod,
} from './rules.ts'

test('hours are added up to two decimals', () => {
  assert.equal(sumHours([{ hours: 0.1 }, { hours: 0.2 }, { hours: 1.006 }]), 1.31)
  assert.equal(sumHours([]), 0)
})

test('hours are grouped by year and event type, latest year first', () => {
  const years = groupByYear([
    { date: '2029-12-31', typeId: 1, hours: 2 },
    { date: '2030-01-01', typeId: 1, hours: 3 },
    { date: '2030-06-01', typeId: null, hours: 0.5 },
    { date: '2030-07-01', typeId: 1, hours: 1 },
    { date: '2028-07-01', typeId: 2, hours: 1 },
  ])
  assert.deepEqual(years, [
    {
      year: '2030',
      byType: new Map<number | typeof ENTRIES, number>([
        [1, 4],
        [ENTRIES, 0.5],
      ]),
      total: 4.5,
    },
    { year: '2029', byType: new Map([[1, 2]]), total: 2 },
    { year: '2028', byType: new Map([[2, 1]]), total: 1 },
  ])
  assert.deepEqual([ENTRIES, HOURS_REQUEST], ['entries', 'working_hours'])
})

test('the latest day comes first; within a day the latest shift, then entries, the newest first', () => {
  const row = (id: number, date: string, start: string | null): HoursRow => ({
    kind: start ? 'shift' : 'entry',
    id,
    date,
    hours: 1,
    eventId: null,
    title: '',
    label: '',
    typeId: null,
    typeTitle: null,
    start: start === null ? null : new Date(start),
    end: null,
    version: 1,
  })
  const rows = [
    row(1, '2030-01-01', '2030-01-01T08:00Z'),
    row(2, '2030-01-01', null),
    row(3, '2030-01-01', '2030-01-01T12:00Z'),
    row(4, '2030-01-01', null),
    row(5, '2030-01-02', '2030-01-02T08:00Z'),
    row(6, '2030-01-02', '2030-01-02T08:00Z'),
  ]
  const expected = [6, 5, 3, 1, 4, 2]
  assert.deepEqual(
    rows.toSorted(compareLatestFirst).map(({ id }) => id),
    expected,
  )
  assert.deepEqual(
    rows
      .toReversed()
      .toSorted(compareLatestFirst)
      .map(({ id }) => id),
    expected,
  )
})

test('a year lasts from its first to its last day', () =>
  assert.deepEqual(yearPeriod('2030'), { from: '2030-01-01', to: '2030-12-31' }))

describe('requests for hours', () => {
  const FINE = { date: '2030-01-01', hours: 2.5, reason: 'Setup' }
  const CASES: [what: string, data: Parameters<typeof readRequest>[0], expected: ReturnType<typeof readRequest>][] = [
    ['are read', FINE, FINE],
    ['have texts as numbers after an import', { ...FINE, hours: '2.5' }, FINE],
    ['have times of day after an import', { ...FINE, date: '2030-01-01T00:00:00' }, FINE],
    ['may lack a reason', { ...FINE, reason: null }, { ...FINE, reason: '' }],
    ['are cut to the longest reason', { ...FINE, reason: 'x'.repeat(1025) }, { ...FINE, reason: 'x'.repeat(1024) }],
    ['need a day', { ...FINE, date: '2030-02-30' }, undefined],
    ['need a number', { ...FINE, hours: 'many' }, undefined],
    ['need a finite number', { ...FINE, hours: '-Infinity' }, undefined],
    ['need some time', { ...FINE, hours: 0 }, undefined],
    ['take a little time', { ...FINE, hours: 0.25 }, { ...FINE, hours: 0.25 }],
    ['take no endless time', { ...FINE, hours: 100_000 }, undefined],
    ['take a long time', { ...FINE, hours: 99_999 }, { ...FINE, hours: 99_999 }],
  ]
  for (const [what, data, expected] of CASES) test(what, () => assert.deepEqual(readRequest(data), expected))
})
