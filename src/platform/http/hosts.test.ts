import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeHostCheck, originOf } from './hosts.ts'

const SITE = 'https://plan.example'
const HOSTS: [host: string | undefined, inProduction: boolean, inTryOut: boolean][] = [
  ['plan.example', true, true],
  ['PLAN.example', true, true],
  ['plan.example:443', true, true],
  ['plan.example:8000', true, true],
  ['also.example', true, true],
  ['also.example:8443', true, true],
  ['port.example:8443', true, true],
  ['port.example', false, false],
  ['port.example:9', false, false],
  ['localhost', false, true],
  ['localhost:8000', false, true],
  ['127.0.0.1:8000', false, true],
  ['[::1]:8000', false, true],
  ['[::1]', false, true],
  ['evil.example', false, false],
  ['plan.example.evil.example', false, false],
  ['evil.example:plan.example', false, false],
  ['plan.example@evil.example', false, false],
  ['plan.example/evil', false, false],
  ['plan.example:', false, false],
  ['', false, false],
  [undefined, false, false],
]
const production = makeHostCheck(SITE, ['also.example', 'port.example:8443'], false)
const tryOut = makeHostCheck(SITE, ['Also.Example', 'port.example:8443'], true)
for (const [host, inProduction, inTryOut] of HOSTS)
  test(`Host: ${host}`, () => assert.deepEqual([production(host), tryOut(host)], [inProduction, inTryOut]))

test('links use the requested host, and the scheme of the site for its own host', () => {
  assert.equal(originOf('plan.example', 'http', SITE), SITE)
  assert.equal(originOf('PLAN.example', 'http', SITE), SITE)
  assert.equal(originOf('also.example', 'http', SITE), 'http://also.example')
  assert.equal(originOf('localhost:8000', 'http', 'http://localhost:8000'), 'http://localhost:8000')
})
