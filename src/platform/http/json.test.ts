import assert from 'node:assert/strict'
import { test } from 'node:test'
import { indentJson, JsonBytes, jsonBytes } from './json.ts'

test('text that is JSON already is sent unchanged', () => {
  const written = Buffer.from('{"duration":16200.0}')
  assert.equal(jsonBytes(new JsonBytes(written)), written)
  assert.equal(jsonBytes({ a: 'ü' }).toString(), '{"a":"ü"}')
})

const INDENTED: [text: string, expected: string][] = [
  ['{}', '{}'],
  ['[]', '[]'],
  ['null', 'null'],
  ['{"a":1,"b":[]}', '{\n  "a": 1,\n  "b": []\n}'],
  ['[1,{"a":[true,null]}]', '[\n  1,\n  {\n    "a": [\n      true,\n      null\n    ]\n  }\n]'],
  ['{"d":16200.0,"n":-1e3}', '{\n  "d": 16200.0,\n  "n": -1e3\n}'],
  ['{"a:b,{c":"x\\"y\\\\ [1,2]: {}"}', '{\n  "a:b,{c": "x\\"y\\\\ [1,2]: {}"\n}'],
]
for (const [text, expected] of INDENTED) {
  test(`${text} keeps its value when indented`, () => {
    assert.equal(indentJson(text, 2), expected)
    assert.deepEqual(JSON.parse(indentJson(text, 8)), JSON.parse(text))
  })
}
