import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { wordsFor } from '#platform/i18n/words.ts'
import { canShowAll, daysOf, pickDays, readChoice, timelineUrl } from './choice.ts'
import { readTimes, readWish, timesValues } from './times.ts'

const BERLIN = 'Europe/Berlin'
const words = wordsFor('en', BERLIN)
const span = (start: string, end: string) => ({ start: new Date(`${start}+02:00`), end: new Date(`${end}+02:00`) })
const FESTIVAL = [
  span('2031-05-02T18:00', '2031-05-02T22:00'),
  span('2031-05-03T20:00', '2031-05-04T00:00'),
  span('2031-05-05T22:00', '2031-05-06T02:00'),
]

describe('the days of the grid', () => {
  test('are those on which a shift takes place', () =>
    assert.deepEqual(daysOf(FESTIVAL, words), ['2031-05-02', '2031-05-03', '2031-05-05', '2031-05-06']))

  const CASES: [string, string | undefined, string, string[]][] = [
    ['the wanted one', '2031-05-06', '2031-05-01T10:00', ['2031-05-06']],
    ['today', undefined, '2031-05-03T10:00', ['2031-05-03']],
    ['the next day with shifts', undefined, '2031-05-04T10:00', ['2031-05-05']],
    ['the first day before the event', undefined, '2030-01-01T10:00', ['2031-05-02']],
    ['the last day after the event', undefined, '2032-01-01T10:00', ['2031-05-05']],
    ['a day without shifts', '2031-05-04', '2031-05-02T10:00', ['2031-05-02']],
    ['all', 'all', '2031-05-02T10:00', ['2031-05-02', '2031-05-03', '2031-05-04', '2031-05-05', '2031-05-06']],
  ]
  for (const [name, wanted, now, days] of CASES)
    test(`shown: ${name}`, () => assert.deepEqual(pickDays(FESTIVAL, wanted, new Date(`${now}+02:00`), words), days))

  test('are shown together up to seven', () => {
    assert.deepEqual(
      [['2031-05-01'], ['2031-05-01', '2031-05-07'], ['2031-05-01', '2031-05-08'], ['2031-05-01', '9000-01-01']].map(canShowAll),
      [false, true, false, false],
    )
  })

  test('the address keeps what was chosen', () => {
    const urls = ['', 'day=2031-05-02', 'zoom=wide&day=all', 'day=tomorrow&zoom=9'].map((query) =>
      timelineUrl(7, readChoice(new URLSearchParams(query))),
    )
    assert.deepEqual(urls, [
      '/events/7/grid/',
      '/events/7/grid/?day=2031-05-02',
      '/events/7/grid/?day=all&zoom=wide',
      '/events/7/grid/',
    ])
  })
})

describe('the times of the form', () => {
  const stored = {
    meeting: new Date('2031-05-04T07:30+02:00'),
    start: new Date('2031-05-04T08:00+02:00'),
    end: new Date('2031-05-04T12:00+02:00'),
  }
  const read = (values: Record<string, string>) => {
    const result = readTimes(values, stored, BERLIN)
    if (!result.ok) return result.faults.map(({ field, code }) => `${field}: ${code}`).join()
    const { meeting, start, end } = result.times
    return [meeting, start, end].map((at) => at.toISOString().slice(5, 16)).join(' ')
  }
  const CASES: [string, Record<string, string>, string][] = [
    [
      'people meet as long before as they did',
      { start: '2031-05-04T10:00', end: '2031-05-04T14:00' },
      '05-04T07:30 05-04T08:00 05-04T12:00',
    ],
    ['an end before the start', { start: '2031-05-04T10:00', end: '2031-05-04T10:00' }, 'end: end_before_start'],
    ['nothing', {}, 'start: missing,end: missing'],
    ['an hour that does not exist', { start: '2031-03-30T02:30', end: '2031-03-30T05:00' }, 'start: skipped'],
    ['an hour that exists twice', { start: '2031-10-26T02:30', end: '2031-10-26T05:00' }, 'start: ambiguous'],
    [
      'the second of two equal hours',
      { start: '2031-10-26T02:30', start_which: 'later', end: '2031-10-26T05:00' },
      '10-26T01:00 10-26T01:30 10-26T04:00',
    ],
  ]
  for (const [name, values, wanted] of CASES) test(name, () => assert.equal(read(values), wanted))

  test('are the same after the form was filled and read, also in an hour that exists twice and with seconds', () => {
    for (const [start, end] of [
      ['2031-10-26T02:30+02:00', '2031-10-26T02:30+01:00'],
      ['2031-05-04T10:00:07.250Z', '2031-05-04T11:00Z'],
    ] as const) {
      const to = { start: new Date(start), end: new Date(end) }
      const result = readTimes(timesValues(to, BERLIN), stored, BERLIN)
      assert.ok(result.ok)
      assert.deepEqual({ start: result.times.start, end: result.times.end }, to)
    }
  })

  test('an address wishes times in milliseconds', () => {
    const wish = (start: string, end: string) => readWish(new URLSearchParams({ start, end }))
    assert.deepEqual(wish('1000', '2000'), { start: new Date(1000), end: new Date(2000) })
    for (const [start, end] of [
      ['2000', '1000'],
      ['x', '1'],
      ['1', ''],
      ['1', '999999999999999'],
    ] as const)
      assert.equal(wish(start, end), undefined)
  })
})
