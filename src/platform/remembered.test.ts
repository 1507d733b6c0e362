import assert from 'node:assert/strict'
import { test } from 'node:test'
import { remembered } from './remembered.ts'

test('each text is made once, and again after as many others as are kept', () => {
  const made: string[] = []
  const upper = remembered((text) => {
    made.push(text)
    return text.toUpperCase()
  }, 2)
  const asked = ['a', 'b', 'a', 'b', '', 'b', 'a', '']
  assert.deepEqual(asked.map(upper), ['A', 'B', 'A', 'B', '', 'B', 'A', ''])
  assert.deepEqual(made, ['a', 'b', '', 'b', 'a', ''])
})
