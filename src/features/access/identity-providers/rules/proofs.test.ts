import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { judgeFactor, judgeProof, readAuthTime, statesSecondFactor, UNKNOWN_TIME } from './proofs.ts'

describe('the time at which a person proved who they are', () => {
  const now = new Date('2031-05-01T12:00:00Z')
  const seconds = now.getTime() / 1000
  const CASES: [what: string, time: unknown, expected: Date, proof: 'proved' | 'too_old'][] = [
    ['is told by the provider', seconds - 60, new Date('2031-05-01T11:59:00Z'), 'proved'],
    ['is too long ago', seconds - 61, new Date('2031-05-01T11:58:59Z'), 'too_old'],
    ['is never in the future', seconds + 60, now, 'proved'],
    ['is unknown if it is no number', String(seconds), UNKNOWN_TIME, 'too_old'],
    ['is unknown if it is endless', Number.NEGATIVE_INFINITY, UNKNOWN_TIME, 'too_old'],
    ['is unknown if it is 0', 0, UNKNOWN_TIME, 'too_old'],
    ['may be the first second of all', 1, new Date(1000), 'too_old'],
  ]
  for (const [what, time, expected, proof] of CASES)
    test(what, () => {
      for (const trusts of [true, false]) {
        assert.deepEqual(readAuthTime({ auth_time: time }, now, trusts), expected)
        assert.equal(judgeProof({ auth_time: time }, now, trusts), proof)
      }
    })

  test('counts only for trusted providers if it is missing', () => {
    assert.deepEqual(readAuthTime({}, now, false), UNKNOWN_TIME)
    assert.deepEqual(readAuthTime({}, now, true), now)
    assert.equal(judgeProof({}, now, false), 'without_time')
    assert.equal(judgeProof({}, now, true), 'proved')
  })
})

describe('a second factor at the provider', () => {
  for (const [amr, expected] of [
    [['mfa'], true],
    [['pwd', 'mfa'], true],
    [['pwd', 'otp'], true],
    [['pin', 'hwk'], true],
    [['hwk', 'fpt'], true],
    [['pwd', 'face'], true],
    [['pwd'], false],
    [['otp'], false],
    [['otp', 'sms'], false],
    [['pwd', 'pin', 'kba'], false],
    [['pwd', 'user', 'rba', 'mca'], false],
    [['MFA'], false],
    [[], false],
    ['mfa', false],
    [{ mfa: true }, false],
    [undefined, false],
    [[...Array.from({ length: 49 }, () => 'x'), 'mfa'], true],
    [[...Array.from({ length: 50 }, () => 'x'), 'mfa'], false],
  ] as const)
    test(`is stated by amr ${JSON.stringify(amr)?.slice(0, 40)}: ${expected}`, () =>
      assert.equal(statesSecondFactor({ amr }, []), expected))

  test('is stated by a value of acr that an administrator has entered', () => {
    assert.equal(statesSecondFactor({ acr: 'gold' }, ['silver', 'gold']), true)
    for (const acr of ['bronze', 'Gold', '', undefined, ['gold'], 2])
      assert.equal(statesSecondFactor({ acr }, ['gold', '']), false)
  })

  test('counts only if an administrator has allowed it', () => {
    const idToken = { amr: ['mfa'], acr: 'b' }
    assert.equal(judgeFactor(idToken, { trustsFactor: true, factorAcrs: '' }), 'counts')
    assert.equal(judgeFactor(idToken, { trustsFactor: false, factorAcrs: 'b' }), 'stated')
    assert.equal(judgeFactor({ acr: 'b' }, { trustsFactor: true, factorAcrs: 'a b' }), 'counts')
    assert.equal(judgeFactor({ acr: 'a b' }, { trustsFactor: true, factorAcrs: 'a b' }), 'none')
    assert.equal(judgeFactor({}, { trustsFactor: true, factorAcrs: '' }), 'none')
  })
})
