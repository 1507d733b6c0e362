import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { Circulation } from './circulation.ts'

/** An arc leads to a node with a higher number, so there are no cycles. The flow goes from the first node to the last. */
type Arc = { from: number; to: number; capacity: number; cost: number }
const NODES = 5

const someArcs: fc.Arbitrary<Arc[]> = fc.array(
  fc
    .record({
      from: fc.nat(NODES - 2),
      length: fc.integer({ min: 1, max: NODES - 1 }),
      capacity: fc.nat(2),
      cost: fc.integer({ min: -6, max: 4 }),
    })
    .map(({ from, length, capacity, cost }) => ({ from, to: Math.min(NODES - 1, from + length), capacity, cost })),
  { maxLength: 7 },
)

const costOf = (arcs: readonly Arc[], flows: readonly number[]): number =>
  arcs.reduce((sum, { cost }, index) => sum + cost * flows[index]!, 0)

/** As much arrives at each node between the first and the last as leaves it. */
const isBalanced = (arcs: readonly Arc[], flows: readonly number[]): boolean =>
  [1, 2, 3].every((node) => {
    const through = (end: 'from' | 'to') => arcs.reduce((sum, arc, index) => sum + (arc[end] === node ? flows[index]! : 0), 0)
    return through('from') === through('to')
  })

/** The lowest cost of all flows. */
function bruteForce(arcs: readonly Arc[]): number {
  let flows: number[][] = [[]]
  for (const { capacity } of arcs)
    flows = flows.flatMap((some) => Array.from({ length: capacity + 1 }, (_, amount) => [...some, amount]))
  return Math.min(...flows.filter((some) => isBalanced(arcs, some)).map((some) => costOf(arcs, some)))
}

/** The flow of the lowest cost, and of those the smallest. */
function minimize(arcs: readonly Arc[]): { cost: number; flows: number[] } {
  const network = new Circulation()
  for (let node = 0; node < NODES; node++) network.addNode()
  for (const { from, to, capacity } of arcs) network.addArc(from, to, capacity)
  const back = network.addArc(NODES - 1, 0, 100)
  network.maximise((arc) => -(arcs[arc]?.cost ?? 0))
  network.maximise((arc) => (arc === back ? -1 : 0))
  const flows = arcs.map((_, arc) => network.flow(arc))
  return { cost: costOf(arcs, flows), flows }
}

describe('a flow from one node to another', () => {
  test('numbers nodes from 0 in the order in which they are added', () => {
    const network = new Circulation()
    assert.deepEqual([network.addNode(), network.addNode(), network.addNode()], [0, 1, 2])
  })

  test('finds a flow of the lowest cost', () => {
    fc.assert(
      fc.property(someArcs, (arcs) => {
        const { cost, flows } = minimize(arcs)
        assert.ok(isBalanced(arcs, flows))
        assert.ok(flows.every((flow, index) => flow >= 0 && flow <= arcs[index]!.capacity))
        assert.equal(cost - bruteForce(arcs), 0)
      }),
      { numRuns: 300 },
    )
  })

  const CASES: [
    what: string,
    arcs: [from: number, to: number, capacity: number, cost: number][],
    cost: number,
    flows: number[],
  ][] = [
    ['without arcs', [], 0, []],
    ['that does not reach the last node', [[0, 1, 1, -5]], 0, [0]],
    ['with an arc of no capacity', [[0, 4, 0, -5]], 0, [0]],
    ['as much as an arc takes', [[0, 4, 2, -5]], -10, [2]],
    [
      'by the cheaper of two arcs',
      [
        [0, 4, 1, -5],
        [0, 4, 1, 1],
      ],
      -5,
      [1, 0],
    ],
    ['not for nothing', [[0, 4, 1, 0]], 0, [0]],
    ['for little', [[0, 4, 1, -1]], -1, [1]],
    [
      'over an arc that costs something',
      [
        [0, 1, 1, -5],
        [1, 4, 1, 4],
      ],
      -1,
      [1, 1],
    ],
    [
      'not over an arc that costs as much',
      [
        [0, 1, 1, -5],
        [1, 4, 1, 5],
      ],
      0,
      [0, 0],
    ],
    [
      'not over arcs that save as much together',
      [
        [2, 4, 1, 8],
        [1, 2, 1, -3],
        [0, 1, 1, -5],
      ],
      0,
      [0, 0, 0],
    ],
    [
      'by four arcs',
      [
        [0, 1, 1, -1],
        [1, 2, 1, -1],
        [2, 3, 1, -1],
        [3, 4, 1, -1],
      ],
      -4,
      [1, 1, 1, 1],
    ],
    [
      'that gives way to a second unit',
      [
        [0, 1, 1, -9],
        [0, 2, 1, -5],
        [1, 3, 1, 0],
        [1, 4, 1, 2],
        [2, 3, 1, 0],
        [3, 4, 1, 0],
      ],
      -12,
      [1, 1, 0, 1, 1, 1],
    ],
    [
      'only as long as a unit lowers the cost',
      [
        [0, 1, 3, -5],
        [1, 4, 1, 0],
        [1, 4, 1, 4],
        [1, 4, 1, 6],
      ],
      -6,
      [2, 1, 1, 0],
    ],
  ]
  for (const [what, arcs, cost, flows] of CASES)
    test(`sends a flow ${what}`, () => {
      const found = minimize(arcs.map(([from, to, capacity, price]) => ({ from, to, capacity, cost: price })))
      assert.deepEqual(found, { cost, flows })
    })
})
