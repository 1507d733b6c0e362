import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Attempt, errorOf, isDelivered, isDeliveryError, judgeAttempt, type Standing } from './retries.ts'

const NOW = new Date('2030-01-10T12:00:00Z')
const SECOND = 1_000
const HOUR = 3_600_000
const before = (ms: number): Date => new Date(NOW.getTime() - ms)
const attempt = (status: number | null): Attempt => ({ status, error: null, durationMs: 10 })
const FINE: Standing = { failures: 0, failingSince: null, refusals: 0, passedOver: 0 }
const judge = (status: number | null, standing: Partial<Standing> = {}, chance = 0.5) =>
  judgeAttempt(attempt(status), { ...FINE, ...standing, now: NOW, chance })

for (const [status, expected] of [
  [199, false],
  [200, true],
  [299, true],
  [300, false],
  [null, false],
] as const) {
  test(`an answer with status ${status} ${expected ? 'is' : 'is not'} a delivery`, () => {
    assert.equal(isDelivered({ status }), expected)
    assert.equal(judge(status).kind === 'delivered', expected)
  })
}

describe('waiting times after failures in a row', () => {
  const waitOf = (failures: number, chance = 0.5): number => {
    const verdict = judge(500, { failures, failingSince: before(HOUR) }, chance)
    assert.ok(verdict.kind === 'retry')
    return (verdict.nextAt.getTime() - NOW.getTime()) / SECOND
  }
  const waits = [5, 30, 120, 600, 1800, 7200, 18_000, 36_000, 36_000]
  for (const [failures, seconds] of waits.entries()) {
    test(`after ${failures + 1}: ${seconds} s`, () => assert.equal(waitOf(failures), seconds))
  }
  test('vary by a fifth', () => assert.deepEqual([waitOf(3, 0), waitOf(3, 1)], [480, 720]))
})

describe('failures', () => {
  test('begin with the first one', () => {
    const nextAt = new Date(NOW.getTime() + 5 * SECOND)
    assert.deepEqual(judge(null), { kind: 'retry', nextAt, failures: 1, failingSince: NOW, refusals: 0 })
  })
  test('keep their beginning', () => {
    const failingSince = before(HOUR)
    const nextAt = new Date(NOW.getTime() + 120 * SECOND)
    assert.deepEqual(judge(503, { failures: 2, failingSince }), { kind: 'retry', nextAt, failures: 3, failingSince, refusals: 0 })
  })
  test('of three days switch the webhook off', () => {
    const failingSince = before(72 * HOUR)
    const expected = { kind: 'off', reason: 'failing', failures: 13, failingSince, refusals: 0 }
    assert.deepEqual(judge(500, { failures: 12, failingSince }), expected)
  })
  test('of almost three days are followed by a last attempt at their end', () => {
    const failingSince = before(72 * HOUR - 1)
    const expected = { kind: 'retry', nextAt: new Date(NOW.getTime() + 1), failures: 13, failingSince, refusals: 0 }
    assert.deepEqual(judge(500, { failures: 12, failingSince }), expected)
  })
  test('with status 410 switch the webhook off at once', () => {
    assert.deepEqual(judge(410), { kind: 'off', reason: 'gone', failures: 1, failingSince: NOW, refusals: 0 })
  })
})

describe('refusals of one change', () => {
  for (const status of [400, 409, 413, 415, 422]) {
    test(`with status ${status} pass over the change at the fifth`, () => {
      const fourth = judge(status, { refusals: 3 })
      assert.ok(fourth.kind === 'retry')
      assert.equal(fourth.refusals, 4)
      assert.deepEqual(judge(status, { refusals: 4 }), { kind: 'refused' })
    })
  }
  for (const status of [401, 404, 429, 500, null]) {
    test(`end with status ${status}, which is about the receiver`, () => {
      const verdict = judge(status, { refusals: 4 })
      assert.ok(verdict.kind === 'retry')
      assert.equal(verdict.refusals, 0)
    })
  }
  test('of ten changes in a row are a failure of the receiver', () => {
    assert.equal(judge(400, { refusals: 4, passedOver: 9 }).kind, 'refused')
    assert.equal(judge(400, { refusals: 4, passedOver: 10 }).kind, 'retry')
  })
})

describe('errors of connections', () => {
  const CASES: [code: string, causes: string[], expected: string][] = [
    ['unreachable', [], 'unreachable'],
    ['unreachable', ['ECONNREFUSED'], 'refused'],
    ['unreachable', ['ECONNRESET'], 'reset'],
    ['forbidden', ['ENOTFOUND'], 'forbidden'],
    ['forbidden', ['EAI_AGAIN'], 'forbidden'],
    ['unreachable', ['CERT_HAS_EXPIRED'], 'certificate'],
    ['unreachable', ['DEPTH_ZERO_SELF_SIGNED_CERT'], 'certificate'],
    ['unreachable', ['SELF_SIGNED_CERT_IN_CHAIN'], 'certificate'],
    ['unreachable', ['UNABLE_TO_VERIFY_LEAF_SIGNATURE'], 'certificate'],
    ['unreachable', ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY'], 'certificate'],
    ['unreachable', ['ERR_TLS_CERT_ALTNAME_INVALID'], 'certificate'],
    ['unreachable', ['EPIPE', 'ECONNRESET'], 'reset'],
    ['too_slow', ['ECONNRESET'], 'too_slow'],
    ['forbidden', [], 'forbidden'],
    ['secret', [], 'secret'],
    ['something else', [], 'unreachable'],
  ]
  for (const [code, causes, expected] of CASES) {
    test(`${code} because of ${causes.join(', ') || 'nothing'}: ${expected}`, () => {
      assert.equal(errorOf(code, causes), expected)
      assert.ok(isDeliveryError(expected))
    })
  }
  test('others are not explained', () => assert.equal(isDeliveryError('ECONNRESET'), false))
})
