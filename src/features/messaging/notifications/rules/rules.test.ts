import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { meetingOf } from '#features/messaging/notification-kinds/rules/details.ts'
import { commentIdIn, INDIVIDUAL_TIMES, pickChanges } from '#features/messaging/notification-kinds/rules/journal-changes.ts'
import {
  hasIndividualTimes,
  hasLeftState,
  hasValuesAfter,
  isSameTime,
} from '#features/messaging/notification-kinds/rules/obsolescence.ts'
import { stateName } from '#features/staffing/participations/rules/state-names.ts'
import type { StoredChanges } from '#platform/journal/kinds.ts'
import { isWithinSettling, settleSecondsOf, takenBackKind, takingBackKind } from './cancelling-out.ts'
import { CLAIM_TIMEOUT_MS, KEEP_MS, nextAttempt, SETTLE_SECONDS, UNDO_SETTLE_SECONDS } from './delivery.ts'
import { formatToken, parseToken } from './unsubscribe.ts'

const NOW = new Date('2031-05-01T10:00:00Z')
const at = (time: string) => new Date(`2031-05-01T${time}:00Z`)

describe('entries that take back others', () => {
  for (const [kind, inverse] of [
    ['event.cancelled', 'event.reopened'],
    ['event.deleted', 'event.restored'],
  ] as const)
    test(`${kind} and ${inverse}`, () => {
      assert.equal(takingBackKind(kind), inverse)
      assert.equal(takenBackKind(inverse), kind)
      assert.equal(settleSecondsOf(kind), UNDO_SETTLE_SECONDS)
      assert.equal(settleSecondsOf(inverse), SETTLE_SECONDS)
    })

  test('count while the mail of the first one waits', () => {
    const later = (ms: number) => new Date(NOW.getTime() + ms)
    assert.equal(isWithinSettling(NOW, later(UNDO_SETTLE_SECONDS * 1000)), true)
    assert.equal(isWithinSettling(NOW, later(UNDO_SETTLE_SECONDS * 1000 + 1)), false)
  })
})

test('times of the delivery', () => {
  const minutes = [1, 2, 3, 4, 5, 6, 7].map((attempts) => (nextAttempt(attempts, NOW)!.getTime() - NOW.getTime()) / 60_000)
  assert.deepEqual(minutes, [1, 5, 20, 60, 180, 480, 960])
  assert.equal(CLAIM_TIMEOUT_MS, 600_000)
  assert.equal(KEEP_MS, 90 * 86_400_000)
})

for (const [meeting, start, own, expected] of [
  ['07:30', '08:00', '08:00', '07:30'],
  ['08:00', '08:00', '09:00', undefined],
  ['07:30', '08:00', '07:30', undefined],
  ['07:30', '08:00', '07:00', undefined],
] as const)
  test(`a shift at ${start} with meeting at ${meeting}, for a person from ${own}`, () =>
    assert.deepEqual(meetingOf({ meeting: at(meeting), start: at(start) }, { start: at(own) }), expected && at(expected)))

test('picks changes of a journal entry', () => {
  assert.deepEqual(pickChanges({ individual_start_time: [null, 'a'], individual_end_time: [null, 'b'] }, INDIVIDUAL_TIMES), {
    individual_start_time: [null, 'a'],
    individual_end_time: [null, 'b'],
  })
  const changes: StoredChanges<'participation.moved'> = { state: [0, 1] }
  assert.equal(pickChanges(changes, INDIVIDUAL_TIMES), undefined)
  assert.deepEqual([commentIdIn({ comment_id: 3 }), commentIdIn({})], [{ comment_id: 3 }, {}])
})

describe('a notification is current', () => {
  test('while the time is the reported one', () => {
    assert.equal(isSameTime('2031-05-01T10:00:00Z', NOW), true)
    assert.equal(isSameTime('2031-05-01T11:00:00Z', NOW), false)
    assert.equal(isSameTime(null, null), true)
    assert.equal(isSameTime(null, NOW), false)
    assert.equal(isSameTime('2031-05-01T10:00:00Z', null), false)
    assert.equal(isSameTime(5, NOW), false)
  })

  test('while every changed field has the value after the change', () => {
    const isTwo = (after: unknown) => after === 2
    assert.equal(hasValuesAfter({ a: [1, 2], b: [1, 2] }, { a: isTwo, b: isTwo }), true)
    assert.equal(hasValuesAfter({ a: [1, 2], b: [2, 1] }, { a: isTwo, b: isTwo }), false)
    assert.equal(hasValuesAfter({ b: 'no change' }, { a: isTwo, b: isTwo }), true)
  })

  test('while the participation has the state and the times', () => {
    const participation = { state: 1, start: NOW, end: NOW, individualStart: NOW, individualEnd: null, isLapsed: false }
    const data = { to: 1, individual_start_time: [null, NOW.toISOString()], individual_end_time: [NOW.toISOString(), null] }
    assert.equal(hasLeftState({ data, participation }), false)
    assert.equal(hasLeftState({ data: { to: 0 }, participation }), true)
    assert.equal(hasIndividualTimes({ data, participation }), true)
    assert.equal(hasIndividualTimes({ data, participation: { ...participation, individualEnd: NOW } }), false)
    assert.equal(hasIndividualTimes({ data, participation: { ...participation, individualStart: null } }), false)
  })
})

test('states have names, and unknown ones are rejected', () =>
  assert.deepEqual([0, 1, 2, 3, 9, '1'].map(stateName), [
    'requested',
    'confirmed',
    'declined',
    'rejected',
    'rejected',
    'rejected',
  ]))

test('a token to switch off mails is read as it was written', () => {
  const signature = 's'.repeat(43)
  const token = formatToken({ userId: 7, kinds: ['reminder', 'shift_moved'] }, signature)
  assert.deepEqual(parseToken(token), { userId: 7, kinds: ['reminder', 'shift_moved'], signature })
  for (const wrong of ['', 'x', token.slice(1), `${token}s`, token.replace('7', '0')])
    assert.equal(parseToken(wrong), undefined, wrong)
})
