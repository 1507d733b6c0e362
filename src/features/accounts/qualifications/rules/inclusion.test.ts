import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Edges, findAnyCycle, findCycle, findPath, findReachable, skipRemoved } from './inclusion.ts'

/** "a>b,c d>a" */
const edgesOf = (text: string): Edges<string> =>
  new Map(
    text
      .split(' ')
      .filter(Boolean)
      .map((part) => [part.split('>')[0]!, (part.split('>')[1] ?? '').split(',').filter(Boolean)]),
  )

describe('a cycle of inclusions', () => {
  const CASES: [what: string, edges: string, one: string, included: string[], cycle: string[] | undefined][] = [
    ['no cycle', 'a b', 'a', ['b'], undefined],
    ['itself', 'a', 'a', ['a'], ['a', 'a']],
    ['two that include each other', 'a b>a', 'a', ['b'], ['a', 'b', 'a']],
    ['a long cycle, with every step', 'a b>c c>d d>a', 'a', ['b'], ['a', 'b', 'c', 'd', 'a']],
    ['the shortest cycle', 'a b>c,a c>a', 'a', ['b'], ['a', 'b', 'a']],
    ['the second of two', 'a b c>a', 'a', ['b', 'c'], ['a', 'c', 'a']],
    ['two paths to the same key, which is no cycle', 'a b>d c>d d', 'a', ['b', 'c'], undefined],
    ['an unknown key', 'a', 'a', ['x'], undefined],
  ]
  for (const [what, edges, one, included, cycle] of CASES)
    test(what, () => assert.deepEqual(findCycle(edgesOf(edges), one, included), cycle))

  test('is found anywhere in the graph', () => {
    assert.deepEqual(findAnyCycle(edgesOf('x>a a>b b>c c>a')), ['a', 'b', 'c', 'a'])
    assert.equal(findAnyCycle(edgesOf('x>a,b a>b b>c c')), undefined)
  })
  test('does not cause an endless loop in other functions', () => {
    assert.deepEqual(findReachable(edgesOf('a>b b>a'), 'a'), new Set(['b']))
    assert.equal(findPath(edgesOf('a>b b>a'), 'a', 'c'), undefined)
    assert.deepEqual(
      skipRemoved(edgesOf('a>b b>c c>b'), (key) => key === 'a'),
      new Map([['a', []]]),
    )
  })
})

test('what is included by an included key can be reached, also if it is not listed itself', () =>
  assert.deepEqual(findReachable(edgesOf('a>b b>c c>x d>a'), 'a'), new Set(['b', 'c', 'x'])))

describe('removing keys and keeping inclusions through them', () => {
  const CASES: [what: string, edges: string, kept: string, left: string][] = [
    ['nothing removed', 'a>b b', 'ab', 'a>b b'],
    ['one in the middle', 'a>b b>c c', 'ac', 'a>c c'],
    ['two in a row', 'a>b b>c c>d d', 'ad', 'a>d d'],
    ['the top', 'a>b b', 'b', 'b'],
    ['the bottom', 'a>b b', 'a', 'a'],
    ['one with several inclusions', 'a>b b>c,d c d', 'acd', 'a>c,d c d'],
    ['existing inclusions are not duplicated', 'a>b,c b>c c', 'ac', 'a>c c'],
  ]
  for (const [what, edges, kept, left] of CASES)
    test(what, () =>
      assert.deepEqual(
        skipRemoved(edgesOf(edges), (key) => kept.includes(key)),
        edgesOf(left),
      ),
    )
})
