import assert from 'node:assert/strict'
import { test } from 'node:test'
import { STATE } from './model.ts'

test('states have the numbers that are stored and that clients of the API know', () => {
  assert.deepEqual(STATE, { requested: 0, confirmed: 1, declinedByUser: 2, rejectedByResponsible: 3, gettingDispatched: 4 })
})
