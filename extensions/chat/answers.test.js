import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findCodes, readObject } from './answers.js'

for (const [text, codes] of [
  ['/start abcDEF123456', ['abcDEF123456']],
  ['abcDEF123456', ['abcDEF123456']],
  ['  My code: abcDEF123456. ', ['abcDEF123456']],
  ['abcDEF1234567', []],
  ['hello', []],
  [undefined, []],
])
  test(`codes in ${JSON.stringify(text)}`, () => assert.deepEqual(findCodes(text), codes))

for (const [text, value] of [
  ['{"ok":true}', { ok: true }],
  ['[1]', {}],
  ['null', {}],
  ['<html>', {}],
])
  test(`the object in ${text}`, () => assert.deepEqual(readObject({ status: 200, text }), value))

test('no response is an empty object', () => assert.deepEqual(readObject(undefined), {}))
