import assert from 'node:assert/strict'
import { test } from 'node:test'
import { locationOf, pageSecurityPolicy } from './headers.ts'

const sourcesFor = (...addresses: string[]): string =>
  /(?:^|; )form-action ([^;]*)(?:;|$)/.exec(pageSecurityPolicy('n', addresses))![1]!

for (const [address, sources] of [
  ['https://app.example/back?x=1#y', "'self' https://app.example"],
  ['https://app.example:8443/back', "'self' https://app.example:8443"],
  ['http://[::1]:9000/back', "'self' http:"],
  ['org.example.rota:/back', "'self' org.example.rota:"],
  ['https://bücher.例え.jp/', "'self' https://xn--bcher-kva.xn--r8jz45g.jp"],
  ["https://x.example/; frame-ancestors *; script-src 'unsafe-inline'", "'self' https://x.example"],
  ['https://x.example/\r\nSet-Cookie: a=b', "'self' https://x.example"],
  ['javascript:planted=1//https://x.example/', "'self'"],
  ['data:text/html,x', "'self'"],
  ['* https://leak.example', "'self'"],
  ['https://x.example; script-src *', "'self'"],
] as const)
  test(`forms of a page for ${JSON.stringify(address)} may lead to ${sources}`, () => {
    assert.equal(sourcesFor(address), sources)
    const policy = pageSecurityPolicy('n', [address])
    assert.match(policy, /^[\x20-\x7e]+$/)
    assert.equal(policy.split(';').length, pageSecurityPolicy('n').split(';').length)
  })

for (const [target, location] of [
  ['/events/12-fair/?a=1#b', '/events/12-fair/?a=1#b'],
  ['https://b.example/api/?a=%20', 'https://b.example/api/?a=%20'],
  ['https://例え.jp/api/oauth/authorize/?a=1', 'https://xn--r8jz45g.jp/api/oauth/authorize/?a=1'],
  ['/pages/häufig/?a=ü#ß', '/pages/h%C3%A4ufig/?a=%C3%BC#%C3%9F'],
  ['/pages/a b/', '/pages/a%20b/'],
  ['/x\r\nSet-Cookie: a=b', '/xSet-Cookie:%20a=b'],
  ['http://[', 'http://['],
  ['http://[ü', '/'],
] as const)
  test(`a redirect to ${JSON.stringify(target)} says ${location}`, () => assert.equal(locationOf(target), location))

test('several addresses are allowed together', () =>
  assert.equal(sourcesFor('https://a.example/', 'https://b.example/x'), "'self' https://a.example https://b.example"))
