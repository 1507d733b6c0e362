import assert from 'node:assert/strict'
import { test } from 'node:test'
import { etagMatches, weakEtag } from './etag.ts'

test('equal content has the same weak ETag, other content a different one', () => {
  assert.match(weakEtag('a'), /^W\/"[\w-]+"$/)
  assert.equal(weakEtag('ü'), weakEtag('ü'))
  assert.notEqual(weakEtag('a'), weakEtag('b'))
})

const MATCHES: [header: string | undefined, expected: boolean][] = [
  [undefined, false],
  ['', false],
  ['*', true],
  [' * ', true],
  ['W/"x"', true],
  ['"x"', true],
  ['W/"y"', false],
  ['"y", W/"x"', true],
  ['"y",W/"x","z"', true],
  ['x', false],
  ['W/"X"', false],
  ['"y", *', false],
]
for (const [header, expected] of MATCHES)
  test(`If-None-Match: ${header} ${expected ? 'matches' : 'does not match'} W/"x"`, () =>
    assert.equal(etagMatches(header, 'W/"x"'), expected))
