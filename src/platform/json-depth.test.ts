import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseForeignJson } from './json-depth.ts'

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

test('documents of usual depth are parsed', () => {
  for (const text of ['1', '"a"', '{"a":[{"b":"[[[{{{\\"[["}]}', nested(64), `[${`${nested(60)},`.repeat(50)}1]`])
    assert.deepEqual(parseForeignJson(text), JSON.parse(text))
})

test('deep nesting is refused before it is parsed', () => {
  for (const text of [
    nested(65),
    '['.repeat(400_000),
    `${'{"a":'.repeat(70)}1${'}'.repeat(70)}`,
    `{"a":"\\\\",${'"b":['.repeat(70)}`,
  ])
    assert.throws(() => parseForeignJson(text), SyntaxError)
})

test('a reviver is called', () => {
  assert.deepEqual(
    parseForeignJson('["a"]', (_name, value) => (value === 'a' ? 'b' : value)),
    ['b'],
  )
})
