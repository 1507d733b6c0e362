import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inOrder } from './table-order.ts'

const to = (from: string, ...others: string[]) => others.map((other) => ({ from, to: other }))

test('a table comes after those that it refers to', () => {
  const references = [...to('participation', 'shift', 'user'), ...to('shift', 'event'), ...to('event', 'user')]
  assert.deepEqual(inOrder(['participation', 'shift', 'event', 'user'], references), ['user', 'event', 'shift', 'participation'])
})

test('the order does not depend on how the tables were named', () => {
  const references = to('c', 'a')
  assert.deepEqual(inOrder(['c', 'b', 'a'], references), inOrder(['a', 'b', 'c'], references))
})

test('a table may refer to itself and to tables that are elsewhere', () => {
  assert.deepEqual(inOrder(['a'], [...to('a', 'a'), ...to('a', 'elsewhere')]), ['a'])
})

test('a circle is named', () => {
  assert.throws(() => inOrder(['a', 'b', 'c'], [...to('a', 'b'), ...to('b', 'a')]), /circle: a, b/)
})
