import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkInPath, fillPath } from './paths.ts'

test('proposals are for a shift or an event', () => {
  assert.equal(fillPath({ shift: 4 }), '/planning/fill/?shift=4')
  assert.equal(fillPath({ event: 5 }), '/planning/fill/?event=5')
})

test('pages below the check-in of an event', () => {
  assert.equal(checkInPath(5), '/events/5/check-in/')
  assert.equal(checkInPath(5, 'marks'), '/events/5/check-in/marks/')
})
