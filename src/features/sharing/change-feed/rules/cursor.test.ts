import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatCursor, isCursor, readCursor, START } from './cursor.ts'

const FEED = { id: '01234567-89ab-cdef-0123-456789abcdef', position: 100, removedThrough: 40 }

test('a cursor contains the feed and the position', () => {
  const cursor = formatCursor(FEED, 71)
  assert.equal(cursor, '0123456789ab-1z')
  assert.equal(readCursor(cursor, FEED), 71)
})

const CASES: [what: string, cursor: string, expected: number | undefined][] = [
  ['start is everything that is kept', START, 40],
  ['the oldest position is known', formatCursor(FEED, 40), 40],
  ['an older one is not', formatCursor(FEED, 39), undefined],
  ['the newest position is known', formatCursor(FEED, 100), 100],
  ['a later one is not', formatCursor(FEED, 101), undefined],
  ['another feed is not', formatCursor({ id: 'f'.repeat(32) }, 71), undefined],
  ['other text is none', 'x', undefined],
]
for (const [what, cursor, expected] of CASES) test(what, () => assert.equal(readCursor(cursor, FEED), expected))

test('cursors are told from other text', () => {
  assert.deepEqual(['start', '0123456789ab-1z', '0123456789ab-', '0123456789a-1z', '0123456789ab-1Z', ''].map(isCursor), [
    true,
    true,
    false,
    false,
    false,
    false,
  ])
})
