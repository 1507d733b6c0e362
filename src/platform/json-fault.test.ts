import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findJsonFault } from './json-fault.ts'

describe('where a text stops being JSON', () => {
  for (const [text, line, column] of [
    ['', 1, 1],
    ['{', 1, 2],
    ['{"a":1,}', 1, 8],
    ['{"a":1', 1, 7],
    ['{"title": "x", bad}', 1, 16],
    ["{'a': 1}", 1, 2],
    ['{"a" 1}', 1, 6],
    ['{"a":}', 1, 6],
    ['[1, x]', 1, 5],
    ['[1 2]', 1, 4],
    ['[1}', 1, 3],
    ['{}{}', 1, 3],
    ['{\n  "a": 01\n}', 2, 9],
    ['{\n  "a": "tab\there"\n}', 2, 8],
    ['{"a": "\\x"}', 1, 7],
    ['[NaN]', 1, 2],
    ['[1,\n\n2,,3]', 3, 3],
  ] as const)
    test(`${JSON.stringify(text)}: line ${line}, column ${column}`, () => {
      assert.throws(() => JSON.parse(text))
      assert.deepEqual(findJsonFault(text), { line, column })
    })

  for (const text of ['{}', ' [ ] ', '0', '"x"', '[[],{},"a\\u00e9\\n",-1.5e+3,{"a":{"b":[true,null]}}]', '{"a":[],"b":{}}\n'])
    test(`${text} is JSON`, () => {
      JSON.parse(text)
      assert.equal(findJsonFault(text), undefined)
    })
})
