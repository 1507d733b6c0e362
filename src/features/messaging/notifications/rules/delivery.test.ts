import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeFailure, nextAttempt } from './delivery.ts'

const NOW = new Date('2031-05-01T10:00:00Z')

test('delays between attempts grow, and attempts end after about a day', () => {
  const times = [1, 2, 3, 4, 5, 6, 7, 8].map((attempts) => nextAttempt(attempts, NOW)?.getTime())
  assert.equal(times.at(-1), undefined)
  const delays = times.slice(0, -1).map((time) => time! - NOW.getTime())
  assert.deepEqual(
    delays,
    delays.toSorted((a, b) => a - b),
  )
  assert.ok(delays.reduce((sum, delay) => sum + delay) > 24 * 3600_000)
})

for (const [message, described] of [
  ['550 no mailbox <ann@a.example>', '550 no mailbox <…>'],
  ["Can't send to ann.b+c@a.example: refused", "Can't send to … refused"],
  ['ETIMEDOUT', 'ETIMEDOUT'],
] as const)
  test(`the failure “${message}” is described without addresses`, () =>
    assert.equal(describeFailure(new Error(message)), described))

test('the description of a failure has at most 300 characters', () => {
  assert.equal(describeFailure('x'.repeat(301)), 'x'.repeat(300))
})
