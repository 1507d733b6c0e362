import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { bridge, type Edges, findAnyCycle, findCycle, findPath, reach } from './inclusion.ts'

/** "a>b,c d>a" */
const edgesOf = (text: string): Edges<string> =>
  new Map(
    text
      .split(' ')
      .filter(Boolean)
      .map((part) => [part.split('>')[0]!, (part.split('>')[1] ?? '').split(',').filter(Boolean)]),
  )

describe('a circle of inclusions', () => {
  const CASES: [what: string, edges: string, one: string, included: string[], cycle: string[] | undefined][] = [
    ['nothing to close', 'a b', 'a', ['b'], undefined],
    ['itself', 'a', 'a', ['a'], ['a', 'a']],
    ['two that include each other', 'a b>a', 'a', ['b'], ['a', 'b', 'a']],
    ['the way round, named step by step', 'a b>c c>d d>a', 'a', ['b'], ['a', 'b', 'c', 'd', 'a']],
    ['the shortest way round', 'a b>c,a c>a', 'a', ['b'], ['a', 'b', 'a']],
    ['the second of two', 'a b c>a', 'a', ['b', 'c'], ['a', 'c', 'a']],
    ['two ways to the same, which is no circle', 'a b>d c>d d', 'a', ['b', 'c'], undefined],
    ['something unknown', 'a', 'a', ['x'], undefined],
  ]
  for (const [what, edges, one, included, cycle] of CASES)
    test(what, () => assert.deepEqual(findCycle(edgesOf(edges), one, included), cycle))

  test('is found wherever it is', () => {
    assert.deepEqual(findAnyCycle(edgesOf('x>a a>b b>c c>a')), ['a', 'b', 'c', 'a'])
    assert.equal(findAnyCycle(edgesOf('x>a,b a>b b>c c')), undefined)
  })
  test('does not keep other questions from ending', () => {
    assert.deepEqual(reach(edgesOf('a>b b>a'), 'a'), new Set(['b']))
    assert.equal(findPath(edgesOf('a>b b>a'), 'a', 'c'), undefined)
    assert.deepEqual(
      bridge(edgesOf('a>b b>c c>b'), (key) => key === 'a'),
      new Map([['a', []]]),
    )
  })
})

describe('taking some out and keeping what was included through them', () => {
  const CASES: [what: string, edges: string, kept: string, left: string][] = [
    ['nothing out', 'a>b b', 'ab', 'a>b b'],
    ['one in the middle', 'a>b b>c c', 'ac', 'a>c c'],
    ['two in a row', 'a>b b>c c>d d', 'ad', 'a>d d'],
    ['the top', 'a>b b', 'b', 'b'],
    ['the bottom', 'a>b b', 'a', 'a'],
    ['one that leads to several', 'a>b b>c,d c d', 'acd', 'a>c,d c d'],
    ['what is there already is not doubled', 'a>b,c b>c c', 'ac', 'a>c c'],
  ]
  for (const [what, edges, kept, left] of CASES)
    test(what, () =>
      assert.deepEqual(
        bridge(edgesOf(edges), (key) => kept.includes(key)),
        edgesOf(left),
      ),
    )
})
