import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Circles } from './circles.ts'

const CASES: [what: string, edges: [number, number][], taken: boolean[]][] = [
  [
    'a line',
    [
      [1, 2],
      [2, 3],
    ],
    [true, true],
  ],
  ['an edge to itself', [[1, 1]], [false]],
  [
    'a way back',
    [
      [1, 2],
      [2, 1],
    ],
    [true, false],
  ],
  [
    'a long way back',
    [
      [1, 2],
      [2, 3],
      [3, 4],
      [4, 1],
      [4, 5],
    ],
    [true, true, true, false, true],
  ],
  [
    'two ways to one place',
    [
      [1, 2],
      [1, 3],
      [2, 4],
      [3, 4],
    ],
    [true, true, true, true],
  ],
  [
    'the same edge again',
    [
      [1, 2],
      [1, 2],
    ],
    [true, true],
  ],
]

for (const [what, edges, taken] of CASES)
  test(`edges that close a circle are not taken: ${what}`, () => {
    const circles = new Circles()
    assert.deepEqual(
      edges.map(([from, to]) => circles.join(from, to)),
      taken,
    )
  })
