import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Column, cellsOf, columnsOf, hourWidth, missingByHour, placeOf, rowsOf, stepMsOf } from './layout.ts'

const BERLIN = 'Europe/Berlin'
const shift = (id: number, label: string, start: string, end: string) => ({
  id,
  label,
  start: new Date(`2031-05-${start}+02:00`),
  end: new Date(`2031-05-${end}+02:00`),
})
const DAY = columnsOf(['2031-05-04'], [], BERLIN)
const clock = new Intl.DateTimeFormat('en-GB', { timeZone: BERLIN, hour: '2-digit', minute: '2-digit' })
const printed = (columns: readonly Column[]) =>
  `${columns.length}: ${clock.format(columns[0]!.start)}–${clock.format(columns.at(-1)!.end)}`

describe('the hours of the grid', () => {
  const CASES: [string, string[], [string, string][], string][] = [
    ['a day without shifts', ['2031-05-04'], [], '24: 00:00–00:00'],
    [
      'from the first to the last shift, with two hours of room',
      ['2031-05-04'],
      [
        ['2031-05-04T10:00+02:00', '2031-05-04T12:00+02:00'],
        ['2031-05-04T13:10+02:00', '2031-05-04T14:05+02:00'],
      ],
      '9: 08:00–17:00',
    ],
    ['never beyond the day', ['2031-05-04'], [['2031-05-03T22:00+02:00', '2031-05-05T01:00+02:00']], '24: 00:00–00:00'],
    ['shifts of other days', ['2031-05-04'], [['2031-05-05T08:00+02:00', '2031-05-05T09:00+02:00']], '24: 00:00–00:00'],
    ['a day of 23 hours', ['2031-03-30'], [], '23: 00:00–00:00'],
    ['a day of 25 hours', ['2031-10-26'], [], '25: 00:00–00:00'],
    [
      'several days',
      ['2031-05-04', '2031-05-05'],
      [
        ['2031-05-04T20:00+02:00', '2031-05-04T22:00+02:00'],
        ['2031-05-05T08:00+02:00', '2031-05-05T09:00+02:00'],
      ],
      '17: 18:00–11:00',
    ],
  ]
  for (const [name, days, spans, wanted] of CASES)
    test(name, () => {
      const shifts = spans.map(([start, end]) => ({ start: new Date(start), end: new Date(end) }))
      assert.equal(printed(columnsOf(days, shifts, BERLIN)), wanted)
    })

  test('a clock change by half an hour makes one short column', () => {
    const columns = columnsOf(['2031-10-05'], [], 'Australia/Lord_Howe')
    assert.deepEqual([columns.length, columns.at(-1)!.steps], [24, 2])
  })
})

describe('the rows of the grid', () => {
  const print = (shifts: ReturnType<typeof shift>[], columns = DAY) =>
    rowsOf(shifts, columns).map(
      ({ label, lanes }) =>
        `${label}: ${lanes
          .map((lane) =>
            lane
              .map(
                ({ shift: { id }, from, until, startsBefore, endsAfter }) =>
                  `${startsBefore ? '<' : ''}${id} ${from}-${until}${endsAfter ? '>' : ''}`,
              )
              .join(' '),
          )
          .join(' / ')}`,
    )
  const CASES: [string, ReturnType<typeof shift>[], string[]][] = [
    [
      'shifts with the same label share a row, in the order of the first one',
      [
        shift(1, 'Door', '04T12:00', '04T14:00'),
        shift(2, 'Bar', '04T10:00', '04T14:00'),
        shift(3, 'Bar ', '04T14:00', '04T18:00'),
      ],
      ['Bar: 2 40-56 3 56-72', 'Door: 1 48-56'],
    ],
    [
      'shifts without a label have their own rows',
      [shift(1, '', '04T10:00', '04T11:00'), shift(2, ' ', '04T11:00', '04T12:00')],
      [': 1 40-44', ': 2 44-48'],
    ],
    [
      'overlapping shifts of a row get lanes, a free lane is used again',
      [
        shift(1, 'Bar', '04T10:00', '04T14:00'),
        shift(2, 'Bar', '04T12:00', '04T16:00'),
        shift(3, 'Bar', '04T13:00', '04T15:00'),
        shift(4, 'Bar', '04T14:00', '04T15:00'),
      ],
      ['Bar: 1 40-56 4 56-60 / 2 48-64 / 3 52-60'],
    ],
    [
      'shifts over midnight are cut at the day',
      [shift(1, 'Bar', '03T22:00', '04T02:00'), shift(2, 'Bar', '04T22:00', '05T02:00')],
      ['Bar: <1 0-8 2 88-96>'],
    ],
    [
      'until midnight is not cut',
      [shift(1, 'Bar', '04T22:00', '05T00:00'), shift(2, 'Bar', '03T22:00', '04T00:00')],
      ['Bar: 1 88-96'],
    ],
    [
      'other minutes are drawn to the step around them',
      [shift(1, 'Bar', '04T10:07', '04T10:20'), shift(2, 'Bar', '04T10:20', '04T10:40'), shift(3, 'Bar', '04T10:31', '04T10:32')],
      ['Bar: 1 40-42 3 42-43 / 2 41-43'],
    ],
    ['rows without a shift on the day are left out', [shift(1, 'Bar', '05T10:00', '05T14:00')], []],
  ]
  for (const [name, shifts, wanted] of CASES) test(name, () => assert.deepEqual(print(shifts), wanted))

  test('the hour that the clock change leaves out or repeats', () => {
    const at = (start: string, end: string) => [{ id: 1, label: 'Night', start: new Date(start), end: new Date(end) }]
    const spring = columnsOf(['2031-03-30'], [], BERLIN)
    // 01:00 to 04:00 are two hours.
    assert.deepEqual(print(at('2031-03-30T01:00+01:00', '2031-03-30T04:00+02:00'), spring), ['Night: 1 4-12'])
    const autumn = columnsOf(['2031-10-26'], [], BERLIN)
    assert.deepEqual(print(at('2031-10-26T01:00+02:00', '2031-10-26T04:00+01:00'), autumn), ['Night: 1 4-20'])
  })

  const EXACT: [string, string[], ReturnType<typeof shift>[], number, string[]][] = [
    ['quarters', ['2031-05-04'], [shift(1, 'Bar', '04T10:15', '04T10:45')], 15, ['Bar: 1 9-11']],
    ['steps of five minutes', ['2031-05-04'], [shift(1, 'Bar', '04T10:05', '04T10:50')], 5, ['Bar: 1 25-34']],
    ['minutes', ['2031-05-04'], [shift(1, 'Bar', '04T10:07', '04T10:20')], 1, ['Bar: 1 127-140']],
    [
      'several days in steps of five minutes',
      ['2031-05-04', '2031-05-05'],
      [shift(1, 'Bar', '04T10:07', '04T10:20')],
      5,
      ['Bar: 1 25-28'],
    ],
    [
      'the times of other days do not count',
      ['2031-05-04'],
      [shift(1, 'Bar', '04T10:00', '04T11:00'), shift(2, 'Bar', '06T10:07', '06T10:20')],
      15,
      ['Bar: 1 8-12'],
    ],
  ]
  for (const [name, days, shifts, minutes, wanted] of EXACT)
    test(`lengths are exact: ${name}`, () => {
      const columns = columnsOf(days, shifts, BERLIN)
      assert.equal(stepMsOf(columns), minutes * 60_000)
      assert.deepEqual(print(shifts, columns), wanted)
    })

  test('an hour is as wide as the shortest block needs it', () => {
    const widthFor = (...shifts: ReturnType<typeof shift>[]) => hourWidth(shifts, columnsOf(['2031-05-04'], shifts, BERLIN), 50)
    assert.equal(widthFor(shift(1, '', '04T10:00', '04T18:00')), 50)
    assert.equal(widthFor(shift(1, '', '04T10:00', '04T10:30'), shift(2, '', '04T10:00', '04T18:00')), 100)
    assert.equal(widthFor(shift(1, '', '04T10:00', '04T10:05')), 200)
    assert.equal(widthFor(shift(1, '', '04T10:00', '04T18:00'), shift(2, '', '05T10:00', '05T10:05')), 50)
  })

  test('the cells of a lane fill the columns', () => {
    const [row] = rowsOf([shift(1, 'Bar', '04T10:00', '04T14:00'), shift(2, 'Bar', '04T14:00', '04T18:00')], DAY)
    const cells = cellsOf(row!.lanes[0]!, DAY).map(({ kind, steps }) => `${kind} ${steps}`)
    assert.deepEqual(cells, ['space 40', 'block 16', 'block 16', 'space 24'])
  })
})

describe('missing people by hour', () => {
  const columns = DAY.slice(10, 14)
  const gap = (start: string, end: string, count: number) => ({ ...shift(0, '', `04T${start}`, `04T${end}`), count })
  const CASES: [string, ReturnType<typeof gap>[], number[]][] = [
    ['none', [], [0, 0, 0, 0]],
    ['sums those at the same time', [gap('10:00', '12:00', 2), gap('11:00', '13:00', 1)], [2, 3, 1, 0]],
    ['the most within the hour', [gap('09:00', '10:15', 1), gap('10:15', '10:30', 3), gap('10:45', '11:00', 2)], [3, 0, 0, 0]],
    ['gaps that overlap within the hour', [gap('10:00', '10:45', 1), gap('10:30', '11:00', 1)], [2, 0, 0, 0]],
  ]
  for (const [name, gaps, wanted] of CASES) test(name, () => assert.deepEqual(missingByHour(columns, gaps), wanted))
})

test('a moment is placed in percent of the width, and not outside of it', () => {
  const span = { start: new Date(1000), end: new Date(2000) }
  assert.deepEqual(
    [900, 1000, 1375, 2000, 2001].map((at) => placeOf(new Date(at), span)),
    [undefined, 0, 37.5, 100, undefined],
  )
})
