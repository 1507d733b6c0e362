import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { canUndo, nextRequestAt, UNDO_MS } from './following.ts'

const NOW = new Date('2031-06-01T12:00:00Z')

describe('the address of a programme is requested again', () => {
  for (const [failures, at] of [
    [0, '2031-06-01T13:00:00.000Z'],
    [1, '2031-06-01T14:00:00.000Z'],
    [2, '2031-06-01T16:00:00.000Z'],
    [4, '2031-06-02T04:00:00.000Z'],
    [5, '2031-06-02T12:00:00.000Z'],
    [40, '2031-06-02T12:00:00.000Z'],
  ] as const)
    test(`after ${failures} failures at ${at}`, () => assert.equal(nextRequestAt(NOW, failures).toISOString(), at))
})

describe('the last step can be undone', () => {
  const former = (at: string) => ({ step: 1, at, links: [] })
  for (const [what, step, isPossible] of [
    ['at once', former('2031-06-01T12:00:00Z'), true],
    ['just before a day is over', former('2031-05-31T12:00:00.001Z'), true],
    ['not after a day', former('2031-05-31T12:00:00Z'), false],
    ['not without a step', null, false],
  ] as const)
    test(what, () => assert.equal(canUndo(step, NOW), isPossible))
  test('within a day', () => assert.equal(UNDO_MS, 86_400_000))
})
