import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codedEtag, etagMatches, matchingEtag, recordEtag, weakEtag } from './etag.ts'

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

test('a record has a strong ETag, which depends on its revision', () => {
  const keyring = { fingerprint: (text: string) => Buffer.from(text) }
  const tags = [undefined, '', '1'].map((revision) => recordEtag(Buffer.from('{}'), revision, keyring))
  for (const tag of tags) assert.match(tag, /^"[\w-]+"$/)
  assert.equal(new Set(tags).size, 3)
})

test('compressed bytes of a record have an ETag of their own that names the same record', () => {
  assert.equal(codedEtag('"x"', 'br'), '"x:br"')
  assert.equal(codedEtag('W/"x"', 'br'), 'W/"x"')
  for (const known of ['"x:br"', '"x:gzip"', 'W/"x:br"', '"y", "x:br"']) assert.equal(etagMatches(known, '"x"'), true, known)
  for (const known of ['"x:deflate"', '"x:br:br"', '"x":br']) assert.equal(etagMatches(known, '"x"'), false, known)
  assert.equal(matchingEtag('"y", "x:br"', '"x"'), '"x:br"')
  assert.equal(matchingEtag('*', '"x"'), '"x"')
})
