import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageSecurityPolicy } from './headers.ts'

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

test('several addresses are allowed together', () =>
  assert.equal(sourcesFor('https://a.example/', 'https://b.example/x'), "'self' https://a.example https://b.example"))
