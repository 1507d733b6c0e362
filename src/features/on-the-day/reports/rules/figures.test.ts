import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { percent, type Report, reliabilityAt, roundHours, seriesOf, shiftsAt, workAt } from './figures.ts'

const work = (month: number | null, typeId: number | null, hours: number) => ({ month, typeId, hours, places: 1, people: 1 })
const SHIFTS = { events: 1, shifts: 2, needed: 3, missing: 1, short: 1 }
const EMPTY: Report = {
  months: [],
  types: [],
  shifts: [],
  work: [],
  reliability: [],
  members: [],
  hasMoreMembers: false,
  atPartners: [],
}

describe('figures', () => {
  const report: Report = {
    ...EMPTY,
    shifts: [
      { month: 1, typeId: null, ...SHIFTS },
      { month: null, typeId: 5, ...SHIFTS, shifts: 9 },
    ],
    work: [work(null, null, 10.26), work(2, 5, 1)],
    reliability: [{ month: 1, kept: 4, declined: 3, late: 2, absent: 1 }],
  }
  test('are found by month and type', () => {
    assert.equal(shiftsAt(report, { month: 1 }).shifts, 2)
    assert.equal(shiftsAt(report, { typeId: 5 }).shifts, 9)
    assert.equal(workAt(report, { month: 2, typeId: 5 }).hours, 1)
    assert.equal(workAt(report, {}).hours, 10.3)
    assert.equal(reliabilityAt(report, { month: 1 }).kept, 4)
  })
  test('are 0 where there is nothing', () => {
    assert.deepEqual(shiftsAt(report, { month: 1, typeId: 5 }), { events: 0, shifts: 0, needed: 0, missing: 0, short: 0 })
    assert.deepEqual(workAt(report, { month: 2 }), { hours: 0, places: 0, people: 0 })
    assert.deepEqual(reliabilityAt(report, {}), { kept: 0, declined: 0, late: 0, absent: 0 })
  })
})

test('hours have one decimal', () => assert.deepEqual([roundHours(1.25), roundHours(1.24)], [1.3, 1.2]))

test('percentages are rounded down', () => {
  assert.deepEqual([percent(1, 3), percent(199, 200), percent(2, 2), percent(1, 1)], [33, 99, 100, 100])
  assert.equal(percent(0, 0), undefined)
})

describe('series of a chart', () => {
  const reportOf = (hours: readonly number[]): Report => ({
    ...EMPTY,
    types: hours.map((_, index) => ({ id: index + 1, title: `T${index + 1}` })),
    work: hours.flatMap((each, index) => [work(null, index + 1, each), work(1, index + 1, each / 2)]),
  })
  const idsOf = (report: Report) => seriesOf(report).map(({ id }) => id)
  test('begin with the most hours, then by title', () => assert.deepEqual(idsOf(reportOf([1, 3, 2, 3])), [2, 4, 3, 1]))
  test('leave out types without hours', () => assert.deepEqual(idsOf(reportOf([1, 0])), [1]))
  test('are five at most', () => assert.deepEqual(idsOf(reportOf([5, 4, 3, 2, 1])), [1, 2, 3, 4, 5]))
  test('add up the rest', () => {
    const series = seriesOf(reportOf([6, 5, 4, 3, 2, 1]))
    assert.deepEqual(
      series.map(({ id, title }) => [id, title]),
      [
        [1, 'T1'],
        [2, 'T2'],
        [3, 'T3'],
        [4, 'T4'],
        [undefined, ''],
      ],
    )
    assert.deepEqual(
      series.map(({ hoursAt }) => hoursAt(1)),
      [3, 2.5, 2, 1.5, 1.5],
    )
    assert.equal(series[0]!.hoursAt(2), 0)
  })
})
