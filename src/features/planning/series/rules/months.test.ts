import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Mapping, mapDate, monthsFrom, planCopies, readChosen, readMonthChoice, signatureOf, writeChosen } from './months.ts'

describe('dates of a copied month', () => {
  const CASES: [string, string, Mapping, string | undefined][] = [
    ['2031-05-05', '2031-06', 'weekday', '2031-06-02'], // first Monday
    ['2031-05-31', '2031-06', 'weekday', undefined], // fifth Saturday, June has four
    ['2031-05-31', '2031-08', 'weekday', '2031-08-30'], // fifth Saturday
    ['2031-05-29', '2031-07', 'weekday', '2031-07-31'], // fifth Thursday
    ['2031-05-01', '2031-06', 'weekday', '2031-06-05'], // first Thursday
    ['2031-12-25', '2032-01', 'weekday', '2032-01-22'], // fourth Thursday, next year
    ['2032-01-29', '2032-02', 'weekday', undefined], // fifth Thursday
    ['2032-01-30', '2032-02', 'weekday', undefined], // fifth Friday
    ['2032-01-04', '2032-02', 'weekday', '2032-02-01'], // first Sunday
    ['2032-08-29', '2032-02', 'weekday', '2032-02-29'], // fifth Sunday of a leap year
    ['2031-05-31', '2031-06', 'day', undefined],
    ['2031-05-30', '2031-06', 'day', '2031-06-30'],
    ['2031-01-29', '2031-02', 'day', undefined],
    ['2032-01-29', '2032-02', 'day', '2032-02-29'],
    ['2031-12-31', '2032-01', 'day', '2032-01-31'],
  ]
  for (const [date, month, mapping, expected] of CASES)
    test(`${date} to ${month} by ${mapping}: ${expected ?? 'left out'}`, () =>
      assert.equal(mapDate(date, month, mapping), expected))

  test('months continue in the next year', () => assert.deepEqual(monthsFrom('2031-11', 3), ['2031-11', '2031-12', '2032-01']))

  const timeZone = 'Europe/Berlin'
  const event = (start: string, more = {}) => ({ id: 1, title: 'Run', start: new Date(start), isLinked: false, ...more })

  test('local times stay the same across daylight saving', () => {
    const { copies } = planCopies(
      [event('2031-10-08T18:00:00+02:00')],
      { target: '2031-11', months: 1, mapping: 'weekday' },
      { known: [], timeZone },
    )
    assert.deepEqual(
      copies.map(({ date, start }) => [date, start.toISOString()]),
      [['2031-11-12', '2031-11-12T17:00:00.000Z']],
    )
  })

  test('an event shortly after midnight counts with its local day', () => {
    const { copies } = planCopies(
      [event('2031-05-01T00:30:00+02:00')],
      { target: '2031-06', months: 1, mapping: 'day' },
      { known: [], timeZone },
    )
    assert.deepEqual(
      copies.map(({ date }) => date),
      ['2031-06-01'],
    )
  })

  test('several months, what exists already, and what is left out', () => {
    const known = [
      { title: 'Run', start: new Date('2031-06-07T08:00:00Z') },
      { title: 'Run', start: new Date('2031-06-07T09:00:00Z') },
      { title: 'Other', start: new Date('2031-07-05T08:00:00Z') },
    ]
    const plan = planCopies(
      [event('2031-05-03T08:00:00Z'), event('2031-05-31T08:00:00Z', { id: 2, title: 'Fifth' })],
      { target: '2031-06', months: 3, mapping: 'weekday' },
      { known, timeZone },
    )
    assert.deepEqual(
      plan.copies.map(({ eventId, date, known }) => [eventId, date, known]),
      [
        [1, '2031-06-07', 1],
        [1, '2031-07-05', 0],
        [1, '2031-08-02', 0],
        [2, '2031-08-30', 0],
      ],
    )
    assert.deepEqual(
      plan.leftOut.map(({ eventId, month }) => [eventId, month]),
      [
        [2, '2031-06'],
        [2, '2031-07'],
      ],
    )
  })

  test('the choice of the form', () => {
    const read = (values: Record<string, string>) => readMonthChoice(values, '2031-05')
    assert.deepEqual(read({}), {
      choice: { source: '2031-05', target: '2031-06', months: 1, mapping: 'weekday', type: undefined },
      faults: [],
    })
    assert.deepEqual(read({ source: '2031-12' }).choice.target, '2032-01')
    assert.deepEqual(
      read({ target: '2031-04', months: '2' }).faults.map(({ field }) => field),
      ['target'],
      'the copied month is among the targets',
    )
    for (const months of ['0', '13', '1.5', 'x'])
      assert.deepEqual(
        read({ months }).faults.map(({ field }) => field),
        ['months'],
      )
    assert.deepEqual(read({ months: '12', mapping: 'day', type: '4' }).choice, {
      source: '2031-05',
      target: '2031-06',
      months: 12,
      mapping: 'day',
      type: 4,
    })
  })

  test('copies are listed in the order of time, then of their events', () => {
    const starts = ['2031-05-12T08:00:00Z', '2031-05-05T08:00:00Z', '2031-05-05T08:00:00Z']
    const { copies } = planCopies(
      starts.map((start, index) => event(start, { id: 9 - index })),
      { target: '2031-06', months: 1, mapping: 'weekday' },
      { known: [], timeZone },
    )
    assert.deepEqual(
      copies.map(({ eventId }) => eventId),
      [7, 8, 9],
    )
  })

  test('a wrong choice is replaced by a copy to the next month, and explained', () => {
    const { choice, faults } = readMonthChoice({ months: '0', type: '1' }, '2031-05')
    assert.deepEqual([choice.months, choice.type], [1, 1])
    assert.deepEqual(faults, [{ field: 'months', code: 'series.month_count' }])
    assert.deepEqual(readMonthChoice({ target: '2031-05' }, '2031-05').faults, [{ field: 'target', code: 'series.month_same' }])
    for (const type of ['0', '-1', '1.5', 'x']) assert.equal(readMonthChoice({ type }, '2031-05').choice.type, undefined)
  })

  test('check boxes belong to one choice', () => {
    const choice = { source: '2031-05', target: '2031-06', months: 1, mapping: 'day', type: undefined } as const
    assert.equal(signatureOf(choice), '2031-05 2031-06 1 day ')
    assert.equal(signatureOf({ ...choice, type: 4 }), '2031-05 2031-06 1 day 4')
  })

  test('a check box names the copy', () => {
    const chosen = { eventId: 12, date: '2031-06-07', known: 1 }
    assert.deepEqual(readChosen(writeChosen(chosen)), chosen)
    for (const text of ['', '12', '0@2031-06-07@0', '12@2031-06@0', '12@2031-06-07@']) assert.equal(readChosen(text), undefined)
  })
})
