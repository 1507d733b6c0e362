import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  deviceExpiryStart,
  idleThreshold,
  linkEnd,
  mailLinkEnd,
  PENDING_SECONDS,
  pendingEnd,
  SESSION_SECONDS,
  sessionEnd,
  shouldRecordVisit,
} from './sessions.ts'

const START = new Date('2026-03-01T08:00:00Z')

test('a session ends after 60 days, and after 14 days without a visit', () => {
  assert.deepEqual(sessionEnd(START), new Date('2026-04-30T08:00:00Z'))
  assert.equal(START.getTime() + SESSION_SECONDS * 1000, sessionEnd(START).getTime())
  assert.deepEqual(idleThreshold(START), new Date('2026-02-15T08:00:00Z'))
})

test('a visit is recorded every five minutes', () => {
  assert.equal(shouldRecordVisit(START, new Date('2026-03-01T08:04:59.999Z')), false)
  assert.equal(shouldRecordVisit(START, new Date('2026-03-01T08:05:00Z')), true)
})

test('a link works for a day', () => assert.deepEqual(linkEnd(START), new Date('2026-03-02T08:00:00Z')))

test('a link to a new password works for an hour, one to the first for four weeks, from an administrator a week', () => {
  assert.deepEqual(mailLinkEnd('reset_password', START), new Date('2026-03-01T09:00:00Z'))
  assert.deepEqual(mailLinkEnd('welcome', START), new Date('2026-03-29T08:00:00Z'))
  assert.deepEqual(mailLinkEnd('invitation', START), new Date('2026-03-08T08:00:00Z'))
})

test('a device is known for 400 days', () => assert.deepEqual(deviceExpiryStart(START), new Date('2025-01-25T08:00:00Z')))

test('the second factor can be entered for ten minutes', () => {
  assert.deepEqual(pendingEnd(START), new Date('2026-03-01T08:10:00Z'))
  assert.equal(PENDING_SECONDS, 600)
})
