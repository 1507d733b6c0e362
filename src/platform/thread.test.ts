import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mapInTurns } from './thread.ts'

test('computations in turns let other work run between any two of them', async () => {
  const order: string[] = []
  let isDone = false
  const beat = () => {
    if (order.at(-1) !== 'turn') order.push('turn')
    if (!isDone) setImmediate(beat)
  }
  setImmediate(beat)
  const results = await mapInTurns([1, 2, 3], (item, index) => {
    order.push(`item ${item}`)
    return item * 10 + index
  })
  isDone = true
  assert.deepEqual(results, [10, 21, 32])
  assert.deepEqual(order.slice(order.indexOf('item 1'), order.indexOf('item 3') + 1), [
    'item 1',
    'turn',
    'item 2',
    'turn',
    'item 3',
  ])
})
