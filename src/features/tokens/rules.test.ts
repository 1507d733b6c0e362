import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Bounds, daysToChoose, expiryOf, judgeToken, type Lifetime, presetsFor, samplePath, tokenState } from './rules.ts'

const NOW = new Date('2031-05-01T10:00:00Z')
const BOUNDS: Bounds = { now: NOW, timeZone: 'Europe/Berlin', mostDays: 365 }
const GOOD = { description: 'Calendar', scopes: ['PUBLIC_READ'], days: 90 }

describe('a token', () => {
  const CASES: [string, Parameters<typeof judgeToken>[0], string[]][] = [
    ['is made', GOOD, []],
    ['needs a description', { ...GOOD, description: ' \n' }, ['no_description']],
    ['has a description of 1,000 characters', { ...GOOD, description: 'x'.repeat(1000) }, []],
    ['has none of 1,001', { ...GOOD, description: 'x'.repeat(1001) }, ['long_description']],
    ['needs a scope', { ...GOOD, scopes: [] }, ['no_scope']],
    ['has scopes that there are', { ...GOOD, scopes: ['PUBLIC_READ', 'EVERYTHING'] }, ['unknown_scope']],
    ['says everything at once', { description: '', scopes: [], days: 0 }, ['no_description', 'no_scope', 'bad_days']],
  ]
  for (const [what, wish, reasons] of CASES) test(what, () => assert.deepEqual(judgeToken(wish, BOUNDS), reasons))
})

describe('the end of a token', () => {
  const CASES: [Lifetime, string | undefined][] = [
    [{ days: 1 }, '2031-05-02T10:00:00.000Z'],
    [{ days: 365 }, '2032-04-30T10:00:00.000Z'],
    [{ days: 366 }, undefined],
    [{ days: 0 }, undefined],
    [{ days: 1.5 }, undefined],
    [{ days: Number.NaN }, undefined],
    // The end of the day in the zone of the instance, in summer and in winter.
    [{ lastDay: '2031-05-02' }, '2031-05-02T22:00:00.000Z'],
    [{ lastDay: '2031-12-31' }, '2031-12-31T23:00:00.000Z'],
    // Clocks go back on this day.
    [{ lastDay: '2031-10-26' }, '2031-10-26T23:00:00.000Z'],
    // Never longer than allowed, not even by hours.
    [{ lastDay: '2032-04-30' }, '2032-04-30T10:00:00.000Z'],
    [{ lastDay: '2032-05-01' }, undefined],
    [{ lastDay: '2031-05-01' }, undefined],
    [{ lastDay: '2030-05-02' }, undefined],
    [{ lastDay: '2031-06-31' }, undefined],
    [{ lastDay: '' }, undefined],
    [{ lastDay: 'tomorrow' }, undefined],
    [{ lastDay: '20310502' }, undefined],
  ]
  for (const [lifetime, end] of CASES) {
    test(`${JSON.stringify(lifetime)} is ${end}`, () => assert.equal(expiryOf(lifetime, BOUNDS)?.toISOString(), end))
  }

  test('is chosen from tomorrow on, by the calendar of the instance', () => {
    assert.deepEqual(daysToChoose(BOUNDS), { first: '2031-05-02', last: '2032-04-30' })
    const late = { ...BOUNDS, now: new Date('2031-05-01T22:30:00Z'), mostDays: 2 }
    assert.deepEqual(daysToChoose(late), { first: '2031-05-03', last: '2031-05-04' })
  })

  test('is offered in steps that are allowed', () => {
    assert.deepEqual(presetsFor(365), [7, 30, 90, 365])
    assert.deepEqual(presetsFor(89), [7, 30])
    assert.deepEqual(presetsFor(3), [3])
  })
})

describe('the state of a token', () => {
  const at = (days: number) => new Date(NOW.getTime() + days * 24 * 3600_000)
  const CASES: [Date | null, Date | null, string][] = [
    [null, null, 'active'],
    [at(7.01), null, 'active'],
    [at(7), null, 'soon'],
    [at(0.01), null, 'soon'],
    [at(0), null, 'expired'],
    [at(-1), null, 'expired'],
    [null, at(-1), 'revoked'],
    [at(-1), at(-2), 'revoked'],
  ]
  for (const [expiresAt, revokedAt, state] of CASES) {
    test(`${expiresAt?.toISOString()} ${revokedAt?.toISOString()} is ${state}`, () =>
      assert.equal(tokenState({ expiresAt, revokedAt }, NOW), state))
  }
})

test('a call to try a token out is one that it may make', () => {
  assert.deepEqual(
    [['PUBLIC_WRITE', 'PUBLIC_READ', 'ME_READ'], ['ME_READ', 'CONFIDENTIAL_READ'], ['CONFIDENTIAL_READ'], ['ME_WRITE']].map(
      samplePath,
    ),
    ['/api/events/?limit=2', '/api/users/me/', '/api/users/?limit=2', '/api/'],
  )
})
