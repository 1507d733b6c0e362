import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { describeAssignments, problemOf, type Sketch } from '#test/support/small-fill-problem.ts'
import { fillGreedily } from './greedy.ts'
import { indexProblem } from './problem.ts'

describe('the greedy plan', () => {
  const b = { shift: 2 }
  const CASES: [what: string, places: Sketch['places'], options: Sketch['options'], expected: string[]][] = [
    ['takes the person with the lowest cost', { a: {} }, { '1 a': 5, '2 a': 4 }, ['2 a']],
    ['takes the first of equal people', { a: {} }, { '2 a': 0, '1 a': 0 }, ['1 a']],
    ['fills the place that is worth more first', { a: { value: 30 }, b }, { '1 a': 0, '1 b': 0 }, ['1 b']],
    ['then the place that fewer people can take', { a: {}, b }, { '1 a': 0, '2 a': 9, '1 b': 0 }, ['2 a', '1 b']],
    [
      'compares people with the number of places',
      { a: {}, b: { shift: 2, count: 3 } },
      { '1 a': 0, '4 a': 9, '1 b': 1, '2 b': 2, '3 b': 3 },
      ['4 a', '1 b', '2 b', '3 b'],
    ],
    ['then the first place', { a: {}, b }, { '1 a': 0, '1 b': 0 }, ['1 a']],
    ['leaves a place open that is worth nothing', { a: {} }, { '1 a': 100 }, []],
    ['fills a place that is worth little', { a: {} }, { '1 a': 99 }, ['1 a']],
    ['fills all of a place', { a: { count: 2 } }, { '1 a': 0, '2 a': 0, '3 a': 0 }, ['1 a', '2 a']],
    ['leaves a place open that nobody can take', { a: {}, b }, { '1 b': 0 }, ['1 b']],
  ]
  for (const [what, places, options, expected] of CASES)
    test(what, () => {
      const plan = fillGreedily(indexProblem(problemOf({ shifts: { 1: [0, 4], 2: [0, 4] }, places, options })))
      assert.deepEqual(describeAssignments(plan.assignments()), expected)
    })
})
