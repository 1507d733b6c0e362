import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { boundsOf, monthsOf, readReportChoice, reportQuery } from './period.ts'

const TODAY = '2031-05-14'

describe('the period of a report', () => {
  for (const [query, from, until] of [
    ['', '2030-06-01', '2031-05-14'],
    ['year=2030', '2030-01-01', '2030-12-31'],
    ['year=2031', '2031-01-01', '2031-05-14'],
    ['year=2032', '2030-06-01', '2031-05-14'],
    ['year=x', '2030-06-01', '2031-05-14'],
    ['from=2031-02-03&until=2031-03-04', '2031-02-03', '2031-03-04'],
    ['from=3.2.2031&until=4 March 2031', '2031-02-03', '2031-03-04'],
    ['from=2031-02-03&until=2031-02-03', '2031-02-03', '2031-02-03'],
    ['until=2031-12-31', '2030-06-01', '2031-05-14'],
    ['from=2031-03-04&until=2031-02-03', '2031-03-04', '2031-05-14'],
    ['from=1.5.', '2031-05-01', '2031-05-14'],
    ['until=2020-02-03', '2020-02-03', '2020-02-03'],
    ['from=1999-01-01', '2028-06-01', '2031-05-14'],
    ['from=2031-02-31&until=no', '2030-06-01', '2031-05-14'],
  ] as const)
    test(`“${query}” is ${from} to ${until}`, () => {
      const choice = readReportChoice(new URLSearchParams(query), TODAY)
      assert.deepEqual([choice.from, choice.until], [from, until])
      const { faults: _faults, ...chosen } = choice
      assert.deepEqual(readReportChoice(new URLSearchParams(reportQuery(choice)), TODAY), { ...chosen, faults: {} })
    })

  test('names days that cannot be read', () => {
    const faultsOf = (query: string) => readReportChoice(new URLSearchParams(query), TODAY).faults
    assert.deepEqual(faultsOf('from=1.5.&until=14.5.'), {})
    assert.deepEqual(faultsOf('from=2031-02-31&until=no'), {
      from: { text: '2031-02-31', code: 'unreadable' },
      until: { text: 'no', code: 'unreadable' },
    })
    assert.deepEqual(faultsOf('from=2031-03-04&until=2031-02-03'), { until: { text: '2031-02-03', code: 'before_first' } })
  })

  for (const [query, type, group] of [
    ['type=3', 3, undefined],
    ['group=4', undefined, 4],
    ['type=3&group=4', 3, 4],
    ['type=x&group=-1', undefined, undefined],
  ] as const)
    test(`“${query}” is type ${type}, group ${group}, and the links of the page keep them`, () => {
      const choice = readReportChoice(new URLSearchParams(query), TODAY)
      assert.deepEqual([choice.type, choice.group], [type, group])
      assert.deepEqual(readReportChoice(new URLSearchParams(reportQuery(choice)), TODAY), choice)
    })

  test('links contain what was chosen, and nothing else', () => {
    const period = { from: '2031-02-03', until: '2031-03-04' }
    assert.equal(reportQuery({ ...period, type: undefined, group: undefined }), '?from=2031-02-03&until=2031-03-04')
    assert.equal(
      reportQuery({ ...period, type: 3, group: 4 }, { as: 'csv' }),
      '?from=2031-02-03&until=2031-03-04&as=csv&type=3&group=4',
    )
  })

  test('a period that ends on the first day of a month contains this month', () =>
    assert.deepEqual(monthsOf({ from: '2031-02-03', until: '2031-04-01' }), ['2031-02-03', '2031-03-01', '2031-04-01']))

  test('months begin in the time zone of the instance, and the last one ends with the period', () => {
    const period = { from: '2031-02-03', until: '2031-04-10' }
    assert.deepEqual(monthsOf(period), ['2031-02-03', '2031-03-01', '2031-04-01'])
    assert.deepEqual(
      boundsOf(period, 'Europe/Berlin').map((bound) => bound.toISOString()),
      ['2031-02-02T23:00:00.000Z', '2031-02-28T23:00:00.000Z', '2031-03-31T22:00:00.000Z', '2031-04-10T22:00:00.000Z'],
    )
  })
})
