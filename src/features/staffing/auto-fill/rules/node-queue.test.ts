import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { NodeQueue } from './node-queue.ts'

function* ordersOf(list: readonly number[]): Generator<number[]> {
  if (list.length === 0) yield []
  for (const [index, first] of list.entries()) for (const rest of ordersOf(list.toSpliced(index, 1))) yield [first, ...rest]
}

describe('the queue of nodes', () => {
  test('returns the nearest node first, in whatever order they were added', () => {
    for (const order of ordersOf([1, 2, 3, 4, 5, 6, 6])) {
      const queue = new NodeQueue()
      for (const key of order) queue.push(10 * key, key)
      const popped = Array.from({ length: order.length }, () => queue.pop())
      assert.deepEqual(popped, [10, 20, 30, 40, 50, 60, 60], `added as ${order}`)
    }
  })

  test('takes nodes between those that it returned', () => {
    for (const [a, b, c, d, e, f] of ordersOf([1, 2, 3, 4, 5, 6])) {
      const queue = new NodeQueue()
      const left = [a!, b!, c!, d!]
      for (const key of left) queue.push(key, key)
      const expectNearest = () => {
        const nearest = Math.min(...left)
        assert.equal(queue.pop(), nearest)
        left.splice(left.indexOf(nearest), 1)
      }
      expectNearest()
      for (const key of [e!, f!]) {
        queue.push(key, key)
        left.push(key)
      }
      while (left.length > 0) expectNearest()
    }
  })

  test('is empty before the first node and after the last', () => {
    const queue = new NodeQueue()
    assert.equal(queue.pop(), -1)
    queue.push(7, 3)
    assert.deepEqual([queue.pop(), queue.pop()], [7, -1])
  })
})
