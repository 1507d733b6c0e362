import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashSecret, makeKeyring, randomSecret, secretsMatch, UnknownKeyError } from './secrets.ts'

const KEY = 'a'.repeat(32)
const OTHER = 'b'.repeat(32)

test('unsealing returns the text, and sealing twice gives different results', () => {
  const ring = makeKeyring(KEY)
  for (const text of ['', 'secret', 'Ünïcode 🚒', 'x'.repeat(10_000)]) {
    const sealed = ring.seal(text)
    assert.equal(ring.unseal(sealed), text)
    assert.notEqual(ring.seal(text), sealed)
    if (text) assert.ok(!sealed.includes(text))
  }
})

test('after a key change old seals can be opened, and new seals use the new key', () => {
  const sealedBefore = makeKeyring(KEY).seal('kept')
  const rotated = makeKeyring(OTHER, KEY)
  assert.equal(rotated.unseal(sealedBefore), 'kept')
  assert.equal(makeKeyring(OTHER).unseal(rotated.seal('new')), 'new')
  assert.throws(() => makeKeyring(KEY).unseal(rotated.seal('new')), UnknownKeyError)
})

test('the error for an unknown key contains its id and not the key', () => {
  const sealed = makeKeyring(KEY).seal('kept')
  assert.throws(
    () => makeKeyring(OTHER).unseal(sealed),
    (error: Error) =>
      error instanceof UnknownKeyError && error.message.includes(makeKeyring(KEY).keyId) && !error.message.includes(KEY),
  )
})

const sealed = makeKeyring(KEY).seal('the secret of a partner')
const [id, body] = sealed.split('.') as [string, string]
const bytes = Buffer.from(body, 'base64url')
const flip = (at: number) => {
  const copy = Buffer.from(bytes)
  copy[at]! ^= 1
  return `${id}.${copy.toString('base64url')}`
}

const TAMPERED: [what: string, text: string][] = [
  ['a bit of the nonce', flip(0)],
  ['a bit of the tag', flip(12)],
  ['a bit of the text', flip(28)],
  ['the last byte missing', `${id}.${bytes.subarray(0, -1).toString('base64url')}`],
  ['a tag cut short', makeKeyring(KEY).seal('').slice(0, -16)],
  ['only the key id', `${id}.`],
  ['nothing', ''],
  ['no key id', body],
]
for (const [what, text] of TAMPERED)
  test(`rejects a seal with ${what} changed`, () => assert.throws(() => makeKeyring(KEY).unseal(text)))

test('fingerprints depend on text and key and contain neither', () => {
  const ring = makeKeyring(KEY)
  assert.deepEqual(ring.fingerprint('ann@a.example'), makeKeyring(KEY).fingerprint('ann@a.example'))
  assert.notDeepEqual(ring.fingerprint('ann@a.example'), ring.fingerprint('ben@a.example'))
  assert.notDeepEqual(ring.fingerprint('ann@a.example'), makeKeyring(OTHER).fingerprint('ann@a.example'))
  assert.notDeepEqual(ring.fingerprint('ann@a.example'), hashSecret('ann@a.example'))
})

test('random secrets have the requested length and use all letters and digits', () => {
  assert.equal(randomSecret(1).length, 1)
  const text = randomSecret(20_000)
  assert.match(text, /^[A-Za-z0-9]{20000}$/)
  assert.equal(new Set(text).size, 62)
  assert.notEqual(randomSecret(32), randomSecret(32))
})

test('secrets of different lengths can be compared', () => {
  assert.ok(secretsMatch('abc', 'abc'))
  for (const [a, b] of [
    ['abc', 'abd'],
    ['abc', 'ab'],
    ['', 'a'],
  ] as const)
    assert.ok(!secretsMatch(a, b))
})
