import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { spanOfDay } from '#platform/i18n/days.ts'
import { spreadOverDays } from './calendar.ts'

const ZONE = 'Europe/Berlin'
const span = (start: string, end: string) => ({ start: new Date(start), end: new Date(end) })
const spansOf = (days: readonly string[], zone = ZONE) => days.map((day) => spanOfDay(day, zone))
const all = { most: 99, matters: () => false }

describe('shifts over the days of a calendar', () => {
  for (const [title, days, { start, end }, parts] of [
    ['within a day', ['2031-05-03', '2031-05-04'], span('2031-05-04T08:00+02:00', '2031-05-04T16:00+02:00'), [[], ['starts']]],
    [
      'over midnight',
      ['2031-05-04', '2031-05-05'],
      span('2031-05-04T20:00+02:00', '2031-05-05T02:00+02:00'),
      [['starts'], ['ends']],
    ],
    ['until midnight', ['2031-05-04', '2031-05-05'], span('2031-05-04T20:00+02:00', '2031-05-05T00:00+02:00'), [['starts'], []]],
    ['from midnight', ['2031-05-03', '2031-05-04'], span('2031-05-04T00:00+02:00', '2031-05-04T01:00+02:00'), [[], ['starts']]],
    [
      'over three days and a month',
      ['2031-05-30', '2031-05-31', '2031-06-01', '2031-06-02'],
      span('2031-05-31T10:00+02:00', '2031-06-02T09:00+02:00'),
      [[], ['starts'], ['whole'], ['ends']],
    ],
    [
      'until the second midnight',
      ['2031-05-04', '2031-05-05', '2031-05-06'],
      span('2031-05-04T20:00+02:00', '2031-05-06T00:00+02:00'),
      [['starts'], ['ends'], []],
    ],
    // 2031-03-30 has 23 hours, 2031-10-26 has 25.
    [
      'around the hour that is left out',
      ['2031-03-29', '2031-03-30', '2031-03-31'],
      span('2031-03-29T23:30+01:00', '2031-03-30T23:30+02:00'),
      [['starts'], ['ends'], []],
    ],
    [
      'all of a short day',
      ['2031-03-29', '2031-03-30', '2031-03-31'],
      span('2031-03-29T22:00+01:00', '2031-03-31T00:30+02:00'),
      [['starts'], ['whole'], ['ends']],
    ],
    [
      'in the hour that comes twice, until the midnight after it',
      ['2031-10-25', '2031-10-26', '2031-10-27'],
      span('2031-10-26T02:30+01:00', '2031-10-27T00:00+01:00'),
      [[], ['starts'], []],
    ],
  ] as const)
    test(title, () => {
      const spread = spreadOverDays([{ start, end }], spansOf(days), all)
      assert.deepEqual(
        spread.map(({ entries }) => entries.map(({ part }) => part)),
        parts,
      )
    })

  test('the day of an instant depends on the time zone', () => {
    const late = span('2031-05-04T20:00Z', '2031-05-04T21:00Z')
    const on = (zone: string) =>
      spreadOverDays([late], spansOf(['2031-05-04', '2031-05-05'], zone), all).map(({ entries }) => entries.length)
    assert.deepEqual(
      [on('Europe/Berlin'), on('Asia/Tokyo')],
      [
        [1, 0],
        [0, 1],
      ],
    )
  })

  test('keeps at most five per day, and always those that matter to the reader', () => {
    const at = (hour: number) => `2031-05-04T${String(hour).padStart(2, '0')}:00Z`
    const items = [8, 9, 10, 11, 12, 13, 14].map((hour) => ({ hour, ...span(at(hour), at(hour + 1)) }))
    const [day] = spreadOverDays(items, spansOf(['2031-05-04']), { most: 5, matters: ({ hour }) => hour === 14 })
    assert.deepEqual(
      day!.entries.map(({ item }) => item.hour),
      [8, 9, 10, 11, 14],
    )
    assert.equal(day!.hidden, 2)
  })

  test('those that matter to the reader come before earlier ones', () => {
    const at = (hour: number) => `2031-05-04T${String(hour).padStart(2, '0')}:00Z`
    const items = [8, 9, 10, 11].map((hour) => ({ hour, ...span(at(hour), at(hour + 1)) }))
    const hours = (most: number) =>
      spreadOverDays(items, spansOf(['2031-05-04']), { most, matters: ({ hour }) => hour > 9 })[0]!.entries.map(
        ({ item }) => item.hour,
      )
    assert.deepEqual([hours(4), hours(3), hours(2), hours(1)], [[8, 9, 10, 11], [8, 10, 11], [10, 11], [10]])
  })

  test('the earliest others fill the rest of the day', () => {
    const at = (hour: number) => `2031-05-04T${String(hour).padStart(2, '0')}:00Z`
    const items = [8, 9, 10].map((hour) => ({ hour, ...span(at(hour), at(hour + 1)) }))
    const [day] = spreadOverDays(items, spansOf(['2031-05-04']), { most: 2, matters: ({ hour }) => hour === 8 })
    assert.deepEqual([day!.entries.map(({ item }) => item.hour), day!.hidden], [[8, 9], 1])
  })
})
