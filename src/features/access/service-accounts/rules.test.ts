import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  checkServiceAccount,
  getAccountState,
  getExpiry,
  getKeyState,
  getLastDay,
  getOverlapEnd,
  normalNetworks,
  OVERLAP_HOURS,
  type ServiceAccountInput,
  warningThreshold,
} from './rules.ts'

const timeZone = 'Europe/Berlin'
const NOW = new Date('2030-01-10T12:00:00Z')
const HOUR = 3_600_000
const after = (hours: number): Date => new Date(NOW.getTime() + hours * HOUR)

describe('the form of a service account', () => {
  const FINE: ServiceAccountInput = { name: 'n', scopes: ['PUBLIC_READ'], groupIds: [], lastDay: '', networks: [], origins: [] }
  const check = (values: Partial<ServiceAccountInput>, formerExpiry?: Date) =>
    checkServiceAccount({ ...FINE, ...values }, { now: NOW, timeZone }, formerExpiry)
  const CASES: [what: string, found: object[], expected: object[]][] = [
    ['is accepted', check({}), []],
    ['needs a name', check({ name: '' }), [{ field: 'name', reason: 'name_missing' }]],
    ['takes 100 characters as name', check({ name: 'x'.repeat(100) }), []],
    ['takes no longer name', check({ name: 'x'.repeat(101) }), [{ field: 'name', reason: 'name_long' }]],
    ['needs a scope', check({ scopes: [] }), [{ field: 'scopes', reason: 'scopes_missing' }]],
    ['takes only known scopes', check({ scopes: ['PUBLIC_READ', 'else'] }), [{ field: 'scopes', reason: 'scopes_unknown' }]],
    ['takes a day', check({ lastDay: '2030-01-10' }), []],
    ['takes no other text as day', check({ lastDay: '2030-02-30' }), [{ field: 'expires', reason: 'expires_invalid' }]],
    ['takes no day that is over', check({ lastDay: '2030-01-09' }), [{ field: 'expires', reason: 'expires_past' }]],
    ['keeps a day that is over', check({ lastDay: '2030-01-09' }, new Date('2030-01-09T23:00:00Z')), []],
    [
      'takes no other day that is over',
      check({ lastDay: '2030-01-08' }, new Date('2030-01-09T23:00:00Z')),
      [{ field: 'expires', reason: 'expires_past' }],
    ],
    ['takes networks', check({ networks: ['10.0.0.0/8', '::1'] }), []],
    [
      'names the first network that is none',
      check({ networks: ['10.0.0.0/8', 'x', 'y'] }),
      [{ field: 'networks', reason: 'network_invalid', value: 'x' }],
    ],
    ['takes 50 networks', check({ networks: new Array<string>(50).fill('::1') }), []],
    [
      'takes no more networks',
      check({ networks: new Array<string>(51).fill('::1') }),
      [{ field: 'networks', reason: 'too_many' }],
    ],
    ['takes 50 origins', check({ origins: new Array<string>(50).fill('https://a.example') }), []],
    [
      'takes no more origins',
      check({ origins: new Array<string>(51).fill('https://a.example') }),
      [{ field: 'origins', reason: 'too_many' }],
    ],
    [
      'names the first origin that is refused',
      check({ origins: ['https://a.example', 'http://b.example', 'c'] }),
      [{ field: 'origins', reason: 'not_https', value: 'http://b.example' }],
    ],
    [
      'names all mistakes',
      check({ name: '', scopes: [], lastDay: 'x' }),
      [
        { field: 'name', reason: 'name_missing' },
        { field: 'scopes', reason: 'scopes_missing' },
        { field: 'expires', reason: 'expires_invalid' },
      ],
    ],
  ]
  for (const [what, found, expected] of CASES) test(what, () => assert.deepEqual(found, expected))

  test('ends at midnight after a day, so that moment is over', () => {
    const atMidnight = { now: new Date('2030-01-09T23:00:00Z'), timeZone }
    const refusals = checkServiceAccount({ ...FINE, lastDay: '2030-01-09' }, atMidnight)
    assert.deepEqual(refusals, [{ field: 'expires', reason: 'expires_past' }])
  })
})

test('a key expires at the end of the last day, and the form shows this day', () => {
  const expiry = getExpiry('2030-01-09', timeZone)
  assert.equal(expiry?.toISOString(), '2030-01-09T23:00:00.000Z')
  assert.equal(getLastDay(expiry, timeZone), '2030-01-09')
  assert.equal(getExpiry('', timeZone), null)
  assert.equal(getLastDay(null, timeZone), '')
})

test('networks are stored once each, in one form', () =>
  assert.deepEqual(normalNetworks(['10.0.0.1', 'x', '10.0.0.1/32', '::/0']), ['10.0.0.1/32', '::/0']))

test('the choices for former keys are at once, an hour, a day, a week and 30 days', () =>
  assert.deepEqual(OVERLAP_HOURS, [0, 1, 24, 168, 720]))

for (const [hours, expected] of [
  [-1, undefined],
  [0, NOW],
  [0.5, undefined],
  [2160, after(2160)],
  [2161, undefined],
] as const) {
  test(`former keys end after ${hours} hours: ${expected?.toISOString() ?? 'not allowed'}`, () =>
    assert.deepEqual(getOverlapEnd(hours, NOW), expected))
}

test('administrators are warned 14 days before the expiry', () => assert.deepEqual(warningThreshold(NOW), after(14 * 24)))

describe('the state of an account', () => {
  const ON = { isActive: true, expiresAt: null, validKeys: 1 }
  const CASES: [what: string, account: Parameters<typeof getAccountState>[0], expected: string][] = [
    ['without an expiry', ON, 'active'],
    ['long before the expiry', { ...ON, expiresAt: after(14 * 24 + 1) }, 'active'],
    ['14 days before the expiry', { ...ON, expiresAt: after(14 * 24) }, 'soon'],
    ['at the expiry', { ...ON, expiresAt: NOW }, 'expired'],
    ['just before the expiry', { ...ON, expiresAt: after(0.001) }, 'soon'],
    ['without a key', { ...ON, validKeys: 0 }, 'without_key'],
    ['expired and without a key', { ...ON, expiresAt: NOW, validKeys: 0 }, 'expired'],
    ['switched off', { ...ON, isActive: false, expiresAt: NOW }, 'disabled'],
  ]
  for (const [what, account, expected] of CASES) {
    test(`${what}: ${expected}`, () => assert.equal(getAccountState(account, NOW), expected))
  }
})

describe('the state of a key', () => {
  const CASES: [what: string, key: Parameters<typeof getKeyState>[0], expected: string][] = [
    ['without an end', { expiresAt: null, revokedAt: null }, 'active'],
    ['before its end', { expiresAt: after(1), revokedAt: null }, 'retiring'],
    ['at its end', { expiresAt: NOW, revokedAt: null }, 'expired'],
    ['revoked', { expiresAt: after(1), revokedAt: NOW }, 'revoked'],
  ]
  for (const [what, key, expected] of CASES) test(`${what}: ${expected}`, () => assert.equal(getKeyState(key, NOW), expected))
})
