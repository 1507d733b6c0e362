import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AcyclicGraph } from './acyclic-graph.ts'

const CASES: [what: string, edges: [number, number][], added: boolean[]][] = [
  [
    'a chain',
    [
      [1, 2],
      [2, 3],
    ],
    [true, true],
  ],
  ['an edge from a node to itself', [[1, 1]], [false]],
  [
    'a cycle of two',
    [
      [1, 2],
      [2, 1],
    ],
    [true, false],
  ],
  [
    'a cycle of four',
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
    'two paths to one node',
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

for (const [what, edges, added] of CASES)
  test(`edges that close a cycle are not added: ${what}`, () => {
    const graph = new AcyclicGraph()
    assert.deepEqual(
      edges.map(([from, to]) => graph.addEdge(from, to)),
      added,
    )
  })

test('a node that many paths lead to is looked at once', () => {
  const graph = new AcyclicGraph()
  const LEVELS = 100
  // Two paths from each level to the next: 2^100 paths in all.
  for (let level = 0; level < LEVELS; level++)
    for (const way of [1, 2]) {
      assert.ok(graph.addEdge(3 * level, 3 * level + way))
      assert.ok(graph.addEdge(3 * level + way, 3 * (level + 1)))
    }
  assert.equal(graph.addEdge(3 * LEVELS, 0), false)
  assert.equal(graph.addEdge(0, 3 * LEVELS), true)
})
