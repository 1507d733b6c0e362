import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type Bounds,
  checkToken,
  getDateRange,
  getExpiry,
  getPresetDays,
  getSamplePath,
  getTokenState,
  type Lifetime,
} from './rules.ts'

const NOW = new Date('2031-05-01T10:00:00Z')
const BOUNDS: Bounds = { now: NOW, timeZone: 'Europe/Berlin', maxDays: 365 }
const GOOD = { description: 'Calendar', scopes: ['PUBLIC_READ'], days: 90 }

describe('a token', () => {
  const CASES: [string, Parameters<typeof checkToken>[0], string[]][] = [
    ['is made', GOOD, []],
    ['needs a description', { ...GOOD, description: ' \n' }, ['no_description']],
    ['has a description of 1,000 characters', { ...GOOD, description: 'x'.repeat(1000) }, []],
    ['cannot have a description of 1,001', { ...GOOD, description: 'x'.repeat(1001) }, ['long_description']],
    ['needs a scope', { ...GOOD, scopes: [] }, ['no_scope']],
    ['cannot have unknown scopes', { ...GOOD, scopes: ['PUBLIC_READ', 'EVERYTHING'] }, ['unknown_scope']],
    ['is refused with all reasons at once', { description: '', scopes: [], days: 0 }, ['no_description', 'no_scope', 'bad_days']],
  ]
  for (const [what, input, reasons] of CASES) test(what, () => assert.deepEqual(checkToken(input, BOUNDS), reasons))
})

describe('the expiry of a token', () => {
  const CASES: [Lifetime, string | undefined][] = [
    [{ days: 1 }, '2031-05-02T10:00:00.000Z'],
    [{ days: 365 }, '2032-04-30T10:00:00.000Z'],
    [{ days: 366 }, undefined],
    [{ days: 0 }, undefined],
    [{ days: 1.5 }, undefined],
    [{ days: Number.NaN }, undefined],
    // The end of the day in the time zone of the instance, in summer and in winter.
    [{ lastDay: '2031-05-02' }, '2031-05-02T22:00:00.000Z'],
    [{ lastDay: '2031-12-31' }, '2031-12-31T23:00:00.000Z'],
    // Clocks go back on this day.
    [{ lastDay: '2031-10-26' }, '2031-10-26T23:00:00.000Z'],
    // Never beyond the limit, not even by hours.
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
    test(`${JSON.stringify(lifetime)} is ${end}`, () => assert.equal(getExpiry(lifetime, BOUNDS)?.toISOString(), end))
  }

  test('can be chosen from tomorrow on, in the time zone of the instance', () => {
    assert.deepEqual(getDateRange(BOUNDS), { first: '2031-05-02', last: '2032-04-30' })
    const late = { ...BOUNDS, now: new Date('2031-05-01T22:30:00Z'), maxDays: 2 }
    assert.deepEqual(getDateRange(late), { first: '2031-05-03', last: '2031-05-04' })
  })

  test('has presets within the limit', () => {
    assert.deepEqual(getPresetDays(365), [7, 30, 90, 365])
    assert.deepEqual(getPresetDays(89), [7, 30])
    assert.deepEqual(getPresetDays(3), [3])
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
      assert.equal(getTokenState({ expiresAt, revokedAt }, NOW), state))
  }
})

test('the sample request is one that the scopes permit', () => {
  assert.deepEqual(
    [['PUBLIC_WRITE', 'PUBLIC_READ', 'ME_READ'], ['ME_READ', 'CONFIDENTIAL_READ'], ['CONFIDENTIAL_READ'], ['ME_WRITE']].map(
      getSamplePath,
    ),
    ['/api/events/?limit=2', '/api/users/me/', '/api/users/?limit=2', '/api/'],
  )
})
