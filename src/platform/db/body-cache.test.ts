import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { BodyCache, ownerOf, perDatabase, shareCaches } from './body-cache.ts'

const body = (size: number) => ({ bytes: Buffer.alloc(size) })
const keysOf = (cache: BodyCache<{ bytes: Buffer }>) => ['a', 'b', 'c', 'd'].filter((key) => cache.get(key)).join('')

describe('kept bodies', () => {
  const CASES: [what: string, sizes: [key: string, size: number][], kept: string][] = [
    [
      'fill the cache exactly',
      [
        ['a', 4],
        ['b', 6],
      ],
      'ab',
    ],
    [
      'drop the oldest above its size',
      [
        ['a', 4],
        ['b', 6],
        ['c', 1],
      ],
      'bc',
    ],
    [
      'drop as many as necessary, and no more',
      [
        ['a', 3],
        ['b', 3],
        ['c', 3],
        ['d', 6],
      ],
      'cd',
    ],
    [
      'are not kept if one alone is too large',
      [
        ['a', 4],
        ['b', 11],
      ],
      '',
    ],
    [
      'count once if a key is set again',
      [
        ['a', 4],
        ['a', 4],
        ['b', 6],
      ],
      'ab',
    ],
    [
      'count by their new size',
      [
        ['a', 1],
        ['b', 2],
        ['a', 8],
        ['c', 1],
      ],
      'ac',
    ],
    [
      'are new if they are set again',
      [
        ['a', 4],
        ['b', 4],
        ['a', 4],
        ['c', 4],
      ],
      'ac',
    ],
  ]
  for (const [what, sizes, kept] of CASES)
    test(what, () => {
      const cache = new BodyCache(10)
      for (const [key, size] of sizes) cache.set(key, body(size))
      assert.equal(keysOf(cache), kept)
    })

  test('are gone after clearing, and there is room again', () => {
    const cache = new BodyCache(10)
    cache.set('a', body(10))
    cache.clear()
    assert.equal(keysOf(cache), '')
    cache.set('b', body(5))
    cache.set('c', body(5))
    assert.equal(keysOf(cache), 'bc')
  })
})

test('a value per database is made once, and a replica shares that of its primary', () => {
  const [primary, replica, other] = [{}, {}, {}]
  shareCaches(replica, primary)
  assert.deepEqual([ownerOf(replica) === primary, ownerOf(primary) === primary, ownerOf(other) === other], [true, true, true])
  let made = 0
  const of = perDatabase(() => ({ number: ++made }))
  assert.deepEqual([of(replica).number, of(primary).number, of(other).number, of(primary).number], [1, 1, 2, 1])
})
