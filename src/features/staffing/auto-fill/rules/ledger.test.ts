import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addTimes, DEFAULT_WEIGHTS, EMPTY_LEDGER, hoursOf, loadCosts, pointsOf } from './ledger.ts'

const ZONE = 'Europe/Berlin'

describe('the ledger', () => {
  // 7 January 2030 is a Monday.
  const cases: [string, string, [hours: number, nights: number, weekends: number]][] = [
    ['2030-01-07T08:00:00+01:00', '2030-01-07T16:00:00+01:00', [8, 0, 0]],
    ['2030-01-07T22:00:00+01:00', '2030-01-08T06:00:00+01:00', [8, 1, 0]],
    ['2030-01-07T00:30:00+01:00', '2030-01-07T04:30:00+01:00', [4, 1, 0]],
    ['2030-01-07T18:00:00+01:00', '2030-01-08T01:00:00+01:00', [7, 0, 0]],
    ['2030-01-12T08:00:00+01:00', '2030-01-12T12:30:00+01:00', [4.5, 0, 1]],
    ['2030-01-13T23:30:00+01:00', '2030-01-14T07:30:00+01:00', [8, 1, 1]],
    // Sunday in Berlin, still Saturday in UTC.
    ['2030-01-06T00:10:00+01:00', '2030-01-06T01:00:00+01:00', [50 / 60, 0, 1]],
    ['2030-01-07T00:10:00+01:00', '2030-01-07T01:00:00+01:00', [50 / 60, 0, 0]],
  ]
  for (const [start, end, [hours, nights, weekends]] of cases)
    test(`${start} to ${end}`, () => {
      const span = { start: new Date(start), end: new Date(end) }
      assert.deepEqual(addTimes(EMPTY_LEDGER, span, ZONE), { ...EMPTY_LEDGER, nights, weekends })
      assert.equal(hoursOf(span), hours)
    })

  test('adds nights and weekends to those before', () => {
    const span = { start: new Date('2030-01-13T23:30:00+01:00'), end: new Date('2030-01-14T07:30:00+01:00') }
    const before = { doneHours: 5, promisedHours: 3, nights: 2, weekends: 1, refusals: 4 }
    assert.deepEqual(addTimes(before, span, ZONE), { ...before, nights: 3, weekends: 2 })
  })

  test('adds points by weights, and takes some away for rejected requests, never below zero', () => {
    const done = (doneHours: number) => ({ ...EMPTY_LEDGER, doneHours })
    assert.equal(pointsOf({ ...done(7), promisedHours: 3, nights: 2, weekends: 1, refusals: 1 }, DEFAULT_WEIGHTS), 14)
    assert.equal(pointsOf({ ...done(7), promisedHours: 3 }, { ...DEFAULT_WEIGHTS, hours: 2 }), 20)
    assert.equal(pointsOf({ ...done(1), refusals: 9 }, DEFAULT_WEIGHTS), 0)
  })

  test('makes costs relative to the person with the most points', () => {
    assert.deepEqual(loadCosts([0, 10, 40]), [0, 25, 100])
    assert.deepEqual(loadCosts([0.25, 0.5]), [50, 100])
    assert.deepEqual(loadCosts([0, 0]), [0, 0])
    assert.deepEqual(loadCosts([]), [])
  })
})
