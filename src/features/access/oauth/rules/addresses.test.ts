import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkOrigin, checkRedirectUri } from './addresses.ts'
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
  }
  test('are registered', () => assert.deepEqual(checkApplication(FINE), []))
  test('are refused by the first mistake of each field', () => {
    const refusals = checkApplication({
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
})
