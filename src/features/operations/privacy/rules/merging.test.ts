import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysBefore, dueAfter } from './erasure.ts'
import { isOtherBetter, laterExpiry, type MergedFields, mergeFields } from './merging.ts'

const day = (number: number): Date => new Date(Date.UTC(2030, 0, number))

test('of two participations the better one stays', () => {
  // Confirmed, requested, being assigned, declined, rejected.
  const best = [1, 0, 4, 2, 3]
  for (const [rank, state] of best.entries()) {
    for (const [otherRank, other] of best.entries())
      assert.equal(isOtherBetter(state, other), otherRank < rank, `${state} ${other}`)
  }
})

test('the later expiry stays, and none is the latest', () => {
  assert.deepEqual(laterExpiry(day(1), day(2)), day(2))
  assert.deepEqual(laterExpiry(day(2), day(1)), day(2))
  assert.equal(laterExpiry(null, day(1)), null)
  assert.equal(laterExpiry(day(1), null), null)
})

test('the remaining account keeps its fields and gets those that it lacks', () => {
  const full: MergedFields = {
    name: 'A',
    email: 'a',
    phone: '1',
    dateOfBirth: '2000-01-01',
    lastSeenAt: day(3),
    createdAt: day(2),
  }
  const other: MergedFields = {
    name: 'B',
    email: 'b',
    phone: '2',
    dateOfBirth: '2001-01-01',
    lastSeenAt: day(2),
    createdAt: day(3),
  }
  const empty: MergedFields = { ...full, phone: null, dateOfBirth: null, lastSeenAt: null }
  assert.deepEqual(mergeFields(full, other), full)
  assert.deepEqual(mergeFields(other, full), { ...other, lastSeenAt: day(3), createdAt: day(2) })
  assert.deepEqual(mergeFields(empty, other), { ...full, phone: '2', dateOfBirth: '2001-01-01', lastSeenAt: day(2) })
  assert.deepEqual(mergeFields(full, { ...other, lastSeenAt: null }), full)
})

test('days are counted from now', () => {
  assert.deepEqual(dueAfter(day(1), 30), day(31))
  assert.deepEqual(daysBefore(day(31), 30), day(1))
})
