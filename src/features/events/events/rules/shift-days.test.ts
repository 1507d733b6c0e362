import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pickDay, shiftsOfDay } from './shift-days.ts'

/** Days in UTC. */
const words = { inputDate: (time: Date) => time.toISOString().slice(0, 10) }
const shift = (start: string, end: string) => ({ start: new Date(`2031-05-${start}Z`), end: new Date(`2031-05-${end}Z`) })
const evening = shift('03T20:00', '04T00:00')
const night = shift('03T22:00', '04T00:00:00.001')
const morning = shift('06T08:00', '06T12:00')
const SHIFTS = [morning, evening, night]

describe('shifts of a day', () => {
  const CASES: [day: string, shifts: object[]][] = [
    ['2031-05-02', []],
    ['2031-05-03', [evening, night]],
    ['2031-05-04', [night]],
    ['2031-05-05', []],
    ['2031-05-06', [morning]],
    ['2031-05-07', []],
  ]
  for (const [day, shifts] of CASES)
    test(`${day}: ${shifts.length}`, () => assert.deepEqual(shiftsOfDay(SHIFTS, day, words), shifts))
})

describe('the day of the page', () => {
  const CASES: [what: string, wanted: string | null, today: string, day: string][] = [
    ['the wanted one', '2031-05-06', '2031-05-03', '2031-05-06'],
    ['today instead of a day without shifts', '2031-05-05', '2031-05-04', '2031-05-04'],
    ['the next one with shifts', null, '2031-05-05', '2031-05-06'],
    ['the first one before the event', null, '2031-05-01', '2031-05-03'],
    ['the last one after the event', null, '2031-05-09', '2031-05-06'],
  ]
  for (const [what, wanted, today, day] of CASES)
    test(what, () => assert.equal(pickDay(SHIFTS, wanted, new Date(`${today}T10:00Z`), words), day))
  test('is today without shifts', () => {
    assert.equal(pickDay([], null, new Date('2031-05-09T10:00Z'), words), '2031-05-09')
  })
})
