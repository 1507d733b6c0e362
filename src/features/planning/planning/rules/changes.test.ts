import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stableStringify } from './changes.ts'

test('equal values have the same text, with keys in alphabetical order', () => {
  const text = '{"a":[{"c":1,"d":2}],"b":null,"e":{"f":"x","g":true}}'
  assert.equal(stableStringify({ a: [{ c: 1, d: 2 }], b: null, e: { f: 'x', g: true } }), text)
  assert.equal(stableStringify({ e: { g: true, f: 'x' }, b: null, a: [{ d: 2, c: 1 }] }), text)
  assert.equal(stableStringify(['b', 'a']), '["b","a"]')
})
