import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeKeyring } from '#platform/auth/secrets.ts'
import { csrfToken, csrfTokenMatches, isSameOrigin } from './csrf.ts'

const ring = makeKeyring('k'.repeat(32))
const session = Buffer.alloc(32, 1)
const token = csrfToken(ring, 'device', session)

test('a CSRF token is valid only for its browser, session and instance', () => {
  assert.equal(csrfToken(ring, 'device', Buffer.alloc(32, 1)), token)
  for (const other of [
    csrfToken(ring, 'another', session),
    csrfToken(ring, 'device', Buffer.alloc(32, 2)),
    csrfToken(ring, 'device', undefined),
    csrfToken(makeKeyring('x'.repeat(32)), 'device', session),
    csrfToken(ring, `device\n${session.toString('hex')}`, undefined),
  ])
    assert.equal(csrfTokenMatches(token, other), false)
})

for (const given of [
  undefined,
  null,
  '',
  7,
  ['x'],
  [token],
  {},
  token.slice(1),
  `${token}=`,
  token.toLowerCase(),
  'ü'.repeat(token.length),
])
  test(`refuses ${JSON.stringify(given)}`, () => assert.equal(csrfTokenMatches(token, given), false))

test('accepts the token itself', () => assert.equal(csrfTokenMatches(token, token), true))

const OWN = 'https://plan.example'
const SENT: [headers: Parameters<typeof isSameOrigin>[0], expected: boolean][] = [
  [{}, true],
  [{ origin: OWN }, true],
  [{ 'sec-fetch-site': 'same-origin', origin: OWN }, true],
  [{ 'sec-fetch-site': 'none' }, true],
  [{ 'sec-fetch-site': 'same-site', origin: OWN }, false],
  [{ 'sec-fetch-site': 'cross-site' }, false],
  [{ 'sec-fetch-site': 'cross-site', origin: OWN }, false],
  [{ 'sec-fetch-site': ['same-origin', 'cross-site'] }, false],
  [{ origin: 'https://evil.example' }, false],
  [{ origin: 'null' }, false],
  [{ origin: 'http://plan.example' }, false],
  [{ origin: 'https://plan.example:8443' }, false],
  [{ origin: '' }, false],
]
for (const [headers, expected] of SENT)
  test(`${JSON.stringify(headers)} is ${expected ? '' : 'not '}from here`, () =>
    assert.equal(isSameOrigin(headers, OWN), expected))
