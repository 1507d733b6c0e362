import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sortByReferences } from './table-order.ts'

const referencesOf = (from: string, ...others: string[]) => others.map((other) => ({ from, to: other }))

test('a table comes after the tables it refers to', () => {
  const references = [
    ...referencesOf('participation', 'shift', 'user'),
    ...referencesOf('shift', 'event'),
    ...referencesOf('event', 'user'),
  ]
  assert.deepEqual(sortByReferences(['participation', 'shift', 'event', 'user'], references), [
    'user',
    'event',
    'shift',
    'participation',
  ])
})

test('the order does not depend on the order of the input', () => {
  const references = referencesOf('c', 'a')
  assert.deepEqual(sortByReferences(['c', 'b', 'a'], references), sortByReferences(['a', 'b', 'c'], references))
})

test('references to the table itself and to other schemas are ignored', () => {
  assert.deepEqual(sortByReferences(['a'], [...referencesOf('a', 'a'), ...referencesOf('a', 'elsewhere')]), ['a'])
})

test('a cycle is reported with its tables', () => {
  assert.throws(() => sortByReferences(['a', 'b', 'c'], [...referencesOf('a', 'b'), ...referencesOf('b', 'a')]), /cycle: a, b/)
})
