import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  acceptedSteps,
  challengeEnd,
  DEFAULT_GRACE_DAYS,
  factorDueAt,
  formatRecoveryCode,
  MAX_GRACE_DAYS,
  mayResetFactors,
  RECOVERY_ALPHABET,
  RECOVERY_CODES,
  RECOVERY_LENGTH,
  readRecoveryCode,
  readTotpCode,
  relyingPartyOf,
  setupEnd,
  TOTP_DIGITS,
  trustEnd,
} from './rules.ts'

const NOW = new Date('2030-01-10T12:00:00Z')

describe('codes of apps', () => {
  const at = (seconds: number): Date => new Date(seconds * 1000)
  const CASES: [what: string, steps: number[], expected: number[]][] = [
    ['may be one step early or late', acceptedSteps(at(300), undefined), [9, 10, 11]],
    ['change after 30 seconds', acceptedSteps(at(329.999), undefined), [9, 10, 11]],
    ['belong to the next step then', acceptedSteps(at(330), undefined), [10, 11, 12]],
    ['work once', acceptedSteps(at(300), 10), [11]],
    ['work after an older one', acceptedSteps(at(300), 8), [9, 10, 11]],
  ]
  for (const [what, steps, expected] of CASES) test(what, () => assert.deepEqual(steps, expected))

  for (const [text, expected] of [
    ['123456', '123456'],
    [' 123 456 ', '123456'],
    ['123-456', '123456'],
    ['12345', undefined],
    ['1234567', undefined],
    ['12345a', undefined],
    ['', undefined],
  ] as const) {
    test(`'${text}' is read as ${expected}`, () => assert.equal(readTotpCode(text), expected))
  }
  test('have as many digits as the apps are told', () => assert.equal(TOTP_DIGITS, 6))
})

describe('recovery codes', () => {
  test('are ten, of 16 characters that do not look alike', () => {
    assert.deepEqual([RECOVERY_CODES, RECOVERY_LENGTH], [10, 16])
    assert.equal(new Set(RECOVERY_ALPHABET).size, 31)
    assert.doesNotMatch(RECOVERY_ALPHABET, /[01ilo]/)
  })
  test('are shown in groups of four and read in any form', () => {
    const shown = formatRecoveryCode('abcdefghjkmn2345')
    assert.equal(shown, 'abcd-efgh-jkmn-2345')
    for (const text of [shown, shown.toUpperCase(), shown.replaceAll('-', ' '), 'abcdefghjkmn2345']) {
      assert.equal(readRecoveryCode(text), 'abcdefghjkmn2345')
    }
  })
  for (const text of ['abcdefghjkmn234', 'abcdefghjkmn23456', 'abcdefghjkmn2340', '']) {
    test(`'${text}' is none`, () => assert.equal(readRecoveryCode(text), undefined))
  }
})

test('a setup lasts 30 minutes, a challenge 5 minutes, trust in a device 30 days', () => {
  assert.equal(setupEnd(NOW).toISOString(), '2030-01-10T12:30:00.000Z')
  assert.equal(challengeEnd(NOW).toISOString(), '2030-01-10T12:05:00.000Z')
  assert.equal(trustEnd(NOW).toISOString(), '2030-02-09T12:00:00.000Z')
})

describe('passkeys', () => {
  for (const [url, id] of [
    ['https://turnout.example/', 'turnout.example'],
    ['http://turnout.example/', undefined],
    ['https://192.0.2.1/', undefined],
    ['https://[2001:db8::1]/', undefined],
    ['http://localhost:8000/', 'localhost'],
    ['http://turnout.localhost/', 'turnout.localhost'],
    ['http://localhost.example/', undefined],
  ] as const) {
    test(`${url}: ${id ?? 'none'}`, () =>
      assert.deepEqual(relyingPartyOf(url), id === undefined ? undefined : { id, origin: new URL(url).origin }))
  }
})

test('a factor is due some days after it was required', () => {
  const since = new Date('2030-01-01T00:00:00Z')
  assert.equal(factorDueAt({ graceDays: 14, since }, NOW)?.toISOString(), '2030-01-15T00:00:00.000Z')
  assert.equal(factorDueAt({ graceDays: 1, since: null }, NOW)?.toISOString(), '2030-01-11T12:00:00.000Z')
  assert.deepEqual(factorDueAt({ graceDays: 0, since: null }, NOW), NOW)
  assert.equal(factorDueAt({ graceDays: null, since }, NOW), undefined)
  assert.deepEqual([DEFAULT_GRACE_DAYS, MAX_GRACE_DAYS], [14, 365])
})

test('who may change the address of somebody may reset their factors, but not the own ones', () => {
  const person = { userId: 1, isStaff: false, isSuperuser: false, groupIds: [], ownPermissions: [] }
  const staff = { ...person, userId: 2, isStaff: true, mayChangeGroups: false, permissions: new Set<string>() }
  assert.equal(mayResetFactors(staff, person), true)
  assert.equal(mayResetFactors(staff, { ...person, isSuperuser: true }), false)
  assert.equal(mayResetFactors({ ...staff, userId: 1 }, person), false)
})
