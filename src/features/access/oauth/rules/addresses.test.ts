import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkOrigin, checkRedirectUri, isRegistered, mustAskEachTime } from './addresses.ts'
import { checkApplication } from './applications.ts'

const longest = `https://a.example/${'x'.repeat(2000 - 'https://a.example/'.length)}`

describe('redirect addresses', () => {
  const CASES: [address: string, expected: ReturnType<typeof checkRedirectUri>][] = [
    ['https://a.example', null],
    ['https://a.example/', null],
    ['https://a.example/back?x=1', null],
    ['http://localhost:8000/back', null],
    ['http://127.0.0.1/back', null],
    ['http://[::1]/back', null],
    [longest, null],
    [`${longest}x`, 'not_an_address'],
    ['back', 'not_an_address'],
    ['https://a.example/a b', 'not_an_address'],
    ['https://a.example/ä', 'not_an_address'],
    ['https://*.a.example/', 'not_an_address'],
    ['http://a.example/', 'not_https'],
    ['http://localhost.a.example/', 'not_https'],
    ['ftp://localhost/', 'not_https'],
    ['app://a.example/', 'not_https'],
    ['https://a.example/#x', 'fragment'],
    ['https://a.example/#', 'fragment'],
    ['https://u@a.example/', 'user_info'],
    ['https://:p@a.example/', 'user_info'],
    ['https://@a.example/', 'user_info'],
    ['https://a.example/@x', null],
    ['https://a.example/?code=1', 'reserved'],
    ['https://a.example/?state=1', 'reserved'],
    ['https://a.example/?iss=1', 'reserved'],
    ['https://a.example/?error=1', 'reserved'],
    ['https://a.example/?error_description=1', 'reserved'],
    ['https://a.example/?x=1&error_uri=1', 'reserved'],
    ['https://A.example/', 'not_plain'],
    ['https://a.example:443/', 'not_plain'],
    ['https://a.example/b/../c', 'not_plain'],
  ]
  for (const [address, expected] of CASES) {
    test(`${address.slice(0, 50)}: ${expected ?? 'allowed'}`, () => assert.equal(checkRedirectUri(address), expected))
  }
})

describe('redirect addresses of public applications', () => {
  const CASES: [address: string, expected: ReturnType<typeof checkRedirectUri>][] = [
    ['org.example.app:/back', null],
    ['org.example.app:/back?x=1', null],
    ['app:/back', 'not_https'],
    ['org.example.app://back', 'not_https'],
    ['javascript:/x', 'not_https'],
    ['http://a.example/', 'not_https'],
    ['org.example.app:/back#x', 'fragment'],
    ['https://a.example/', null],
  ]
  for (const [address, expected] of CASES)
    test(`${address}: ${expected ?? 'allowed'}`, () => assert.equal(checkRedirectUri(address, { isPublic: true }), expected))
})

describe('a sent address is a registered one', () => {
  const REGISTERED = ['https://a.example/back', 'http://127.0.0.1/back', 'http://[::1]:7000/', 'http://localhost:9/x?y=1']
  const CASES: [address: string, confidential: boolean, isPublic: boolean][] = [
    ['https://a.example/back', true, true],
    ['https://a.example:8443/back', false, false],
    ['https://a.example/back/', false, false],
    ['http://127.0.0.1/back', true, true],
    ['http://127.0.0.1:51004/back', false, true],
    ['http://127.0.0.1:51004/other', false, false],
    ['http://127.0.0.1:99999/back', false, false],
    ['http://127.0.0.1:1@evil.example/back', false, false],
    ['http://127.0.0.1.evil.example:80/back', false, false],
    ['https://127.0.0.1:51004/back', false, false],
    ['http://[::1]:51004/', false, true],
    ['http://localhost:51004/x?y=1', false, true],
    ['http://localhost:51004/x?y=2', false, false],
    ['http://127.0.0.1:51004/x?y=1', false, false],
  ]
  for (const [address, confidential, isPublic] of CASES)
    test(`${address}: ${confidential ? 'of every application' : isPublic ? 'of a public application' : 'no'}`, () => {
      assert.equal(isRegistered(address, REGISTERED, { isPublic: false }), confidential)
      assert.equal(isRegistered(address, REGISTERED, { isPublic: true }), isPublic)
    })
})

test('people are asked each time, if another program could receive the code', () => {
  const CASES: [redirectUri: string, isPublic: boolean, expected: boolean][] = [
    ['https://a.example/', true, false],
    ['http://127.0.0.1:4000/', true, true],
    ['org.example.app:/back', true, true],
    ['http://127.0.0.1:4000/', false, false],
  ]
  for (const [redirectUri, isPublic, expected] of CASES) assert.equal(mustAskEachTime({ redirectUri, isPublic }), expected)
})

describe('origins', () => {
  const CASES: [address: string, expected: ReturnType<typeof checkOrigin>][] = [
    ['https://a.example', null],
    ['https://a.example:8443', null],
    ['http://localhost:8000', null],
    ['http://a.example', 'not_https'],
    ['ftp://localhost', 'not_https'],
    ['https://a.example/', 'not_plain'],
    ['https://a.example/back', 'not_plain'],
    ['https://*.a.example', 'not_an_address'],
    ['https://a b.example', 'not_an_address'],
    ['https://a.example/ b', 'not_an_address'],
    ['a.example', 'not_an_address'],
    [longest, 'not_plain'],
    [`${longest}x`, 'not_an_address'],
  ]
  for (const [address, expected] of CASES) {
    test(`${address.slice(0, 50)}: ${expected ?? 'allowed'}`, () => assert.equal(checkOrigin(address), expected))
  }
})

describe('applications', () => {
  const FINE = {
    redirect_uris: ['https://a.example/'],
    allowed_origins: ['https://a.example'],
    allowed_scopes: ['openid', 'ME_READ'],
    client_type: 'confidential' as const,
    post_logout_redirect_uris: ['https://a.example/bye'],
    trusted: false,
    allows_devices: false,
  }
  test('are registered', () => assert.deepEqual(checkApplication(FINE), []))
  test('are refused by the first mistake of each field', () => {
    const refusals = checkApplication({
      ...FINE,
      redirect_uris: ['https://a.example/', 'http://b.example/', 'c'],
      allowed_origins: ['https://a.example/'],
      allowed_scopes: ['openid', 'else'],
    })
    assert.deepEqual(refusals, [
      { field: 'redirect_uris', address: 'http://b.example/', reason: 'not_https' },
      { field: 'allowed_origins', address: 'https://a.example/', reason: 'not_plain' },
      { field: 'allowed_scopes' },
    ])
  })
  test('are refused without a redirect address, unless they are for devices', () => {
    assert.deepEqual(checkApplication({ ...FINE, redirect_uris: [] }), [{ field: 'redirect_uris', reason: 'redirect_missing' }])
    assert.deepEqual(checkApplication({ ...FINE, redirect_uris: [], allows_devices: true }), [])
  })
  test('may have the scheme of an app and no trust, if they are public', () => {
    const app = { ...FINE, redirect_uris: ['org.example.app:/back'], post_logout_redirect_uris: ['org.example.app:/bye'] }
    assert.deepEqual(checkApplication({ ...app, client_type: 'public' }), [])
    assert.deepEqual(
      checkApplication(app).map(({ field }) => field),
      ['redirect_uris', 'post_logout_redirect_uris'],
    )
    assert.deepEqual(checkApplication({ ...FINE, client_type: 'public', trusted: true }), [{ field: 'trusted' }])
  })
})
