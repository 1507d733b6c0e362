import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { attemptWindowEnd, attemptWindowStart, MAX_ATTEMPTS, nextAttemptAt } from './attempts.ts'

const NOON = new Date('2026-05-09T12:00:00Z')
const minutesAgo = (minutes: number) => new Date(NOON.getTime() - minutes * 60_000)

describe('sign-in attempts', () => {
  test('the tenth is allowed, the eleventh when the oldest of ten is 15 minutes old', () => {
    const guesses = Array.from({ length: MAX_ATTEMPTS }, (_, i) => minutesAgo(i))
    assert.equal(nextAttemptAt([]), undefined)
    assert.equal(nextAttemptAt(guesses.slice(0, MAX_ATTEMPTS - 1)), undefined)
    assert.deepEqual(nextAttemptAt(guesses), new Date('2026-05-09T12:06:00Z'))
  })

  test('an attempt of exactly 15 minutes ago does not count', () => {
    const oldest = minutesAgo(9)
    const at = nextAttemptAt([...Array.from({ length: MAX_ATTEMPTS - 1 }, () => NOON), oldest])!
    assert.ok(!(oldest > attemptWindowStart(at)))
    assert.ok(oldest > attemptWindowStart(new Date(at.getTime() - 1)))
  })
})

test('attempts count that are up to a minute ahead, because clocks of nodes differ', () => {
  const now = new Date('2031-05-01T10:00:00Z')
  assert.equal(attemptWindowEnd(now).toISOString(), '2031-05-01T10:01:00.000Z')
})
