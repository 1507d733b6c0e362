import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { Circulation } from './circulation.ts'

type Arc = { from: number; to: number; capacity: number; worths: number[] }

const NODES = 4
const someArcs: fc.Arbitrary<Arc[]> = fc.array(
  fc.record({
    from: fc.nat({ max: NODES - 1 }),
    to: fc.nat({ max: NODES - 1 }),
    capacity: fc.nat({ max: 2 }),
    worths: fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 3, maxLength: 3 }),
  }),
  { maxLength: 7 },
)

function networkOf(arcs: readonly Arc[]): Circulation {
  const net = new Circulation()
  for (let i = 0; i < NODES; i++) net.addNode()
  for (const { from, to, capacity } of arcs) net.addArc(from, to, capacity)
  return net
}

const LEVELS = [0, 1, 2]
const scoreOf = (arcs: readonly Arc[], flows: readonly number[]) =>
  LEVELS.map((level) => arcs.reduce((sum, arc, i) => sum + flows[i]! * arc.worths[level]!, 0))

const balanced = (arcs: readonly Arc[], flows: readonly number[]) =>
  [...Array(NODES).keys()].every(
    (node) => arcs.reduce((sum, arc, i) => sum + ((arc.to === node ? 1 : 0) - (arc.from === node ? 1 : 0)) * flows[i]!, 0) === 0,
  )

/** All flows, filtered to those that are best in the first level, then in the second, … */
function bestFlows(arcs: readonly Arc[]): number[][] {
  let flows: number[][] = [[]]
  for (const { capacity } of arcs)
    flows = flows.flatMap((some) => [...Array(capacity + 1).keys()].map((amount) => [...some, amount]))
  flows = flows.filter((some) => balanced(arcs, some))
  for (const level of LEVELS) {
    const most = Math.max(...flows.map((some) => scoreOf(arcs, some)[level]!))
    flows = flows.filter((some) => scoreOf(arcs, some)[level] === most)
  }
  return flows
}

function solve(arcs: readonly Arc[]): Circulation {
  const net = networkOf(arcs)
  for (const level of LEVELS) net.maximise((arc) => arcs[arc]!.worths[level]!)
  return net
}
const flowsOf = (net: Circulation) => [...Array(net.arcs).keys()].map((arc) => net.flow(arc))

describe('Circulation', () => {
  test('reaches the best value of each level among the best of the levels before', () => {
    fc.assert(
      fc.property(someArcs, (arcs) => {
        const flows = flowsOf(solve(arcs))
        assert.ok(balanced(arcs, flows))
        assert.ok(flows.every((flow, i) => flow >= 0 && flow <= arcs[i]!.capacity))
        assert.deepEqual(scoreOf(arcs, flows), scoreOf(arcs, bestFlows(arcs)[0]!))
      }),
      { numRuns: 500 },
    )
  })

  test('removes a cycle exactly if a best flow contains it, and leaves a best flow of the rest', () => {
    // A ring over all nodes guarantees a cycle; capacities and other arcs are random.
    const ring = fc.tuple(...[0, 1, 2, 3].map((from) => someArcs.map((more) => ({ from, more }))))
    const input = ring.map((parts) => {
      const arcs = parts.map(({ from, more }) => ({
        from,
        to: (from + 1) % NODES,
        capacity: more[0]?.capacity ?? 1,
        worths: more[0]?.worths ?? [0, 0, 0],
      }))
      return [...arcs, ...(parts[0]!.more.slice(1, 5) ?? [])]
    })
    let out = 0
    fc.assert(
      fc.property(input, (arcs) => {
        const net = solve(arcs)
        const before = flowsOf(net)
        const possible = bestFlows(arcs).some((flows) => flows.slice(0, NODES).every((flow) => flow > 0))
        assert.equal(net.removeUnit([0, 1, 2, 3]), possible)
        if (!possible) assert.deepEqual(flowsOf(net), before)
        else {
          out++
          const whole = flowsOf(net).map((flow, i) => flow + (i < NODES ? 1 : 0))
          assert.ok(balanced(arcs, whole))
          assert.ok(whole.every((flow, i) => flow <= arcs[i]!.capacity))
          assert.deepEqual(scoreOf(arcs, whole), scoreOf(arcs, before))
        }
      }),
      { numRuns: 800 },
    )
    assert.ok(out > 20, `only ${out} cycles taken out`)
  })

  test('undoes the first rerouting if the second is impossible', () => {
    const net = new Circulation()
    for (let i = 0; i < NODES; i++) net.addNode()
    const ring = [0, 1, 2, 3].map((from) => net.addArc(from, (from + 1) % NODES, 1))
    const [back, needed] = [net.addArc(2, 1, 1), net.addArc(0, 3, 1)]
    net.maximise((arc) => (arc === needed ? 1 : 0))
    net.maximise((arc) => (arc === ring[1] ? 1 : 0))
    assert.deepEqual(flowsOf(net), [0, 1, 0, 1, 1, 1])
    assert.equal(net.removeUnit(ring), false)
    assert.deepEqual(flowsOf(net), [0, 1, 0, 1, 1, 1])
    assert.ok(net.removeUnit([ring[1]!, back]))
    assert.ok(net.removeUnit([ring[3]!, needed]))
  })

  test('does not remove a cycle over an arc without capacity', () => {
    const net = networkOf([
      { from: 0, to: 1, capacity: 0, worths: [] },
      { from: 0, to: 1, capacity: 2, worths: [] },
      { from: 1, to: 0, capacity: 1, worths: [] },
    ])
    net.maximise((arc) => (arc === 2 ? 1 : 0))
    assert.equal(net.removeUnit([0, 2]), false)
    assert.deepEqual(flowsOf(net), [0, 1, 1])
    assert.ok(net.removeUnit([1, 2]))
  })

  test('uses up the capacity of an arc without flow', () => {
    const net = networkOf([
      { from: 0, to: 1, capacity: 2, worths: [] },
      { from: 1, to: 0, capacity: 2, worths: [] },
      { from: 0, to: 1, capacity: 1, worths: [] },
    ])
    net.maximise((arc) => (arc === 1 ? 1 : 0))
    assert.deepEqual(flowsOf(net), [2, 2, 0])
    assert.ok(net.removeUnit([2, 1]))
    assert.deepEqual(flowsOf(net), [1, 1, 0])
    assert.equal(net.removeUnit([2, 1]), false)
    assert.ok(net.removeUnit([0, 1]))
  })

  test('needs one detour for neighbouring arcs without flow', () => {
    const net = networkOf([
      { from: 0, to: 1, capacity: 1, worths: [] },
      { from: 1, to: 2, capacity: 1, worths: [] },
      { from: 2, to: 0, capacity: 1, worths: [] },
      // A detour must not end at the node between the two arcs.
      { from: 2, to: 1, capacity: 1, worths: [] },
      { from: 0, to: 2, capacity: 2, worths: [] },
    ])
    net.maximise((arc) => (arc === 2 ? 1 : 0))
    assert.deepEqual(flowsOf(net), [0, 0, 1, 0, 1])
    assert.ok(net.removeUnit([0, 1, 2]))
    assert.deepEqual(flowsOf(net), [0, 0, 0, 0, 0])
  })

  test('needs a detour of its own for each part of a cycle without flow', () => {
    const net = new Circulation()
    for (let i = 0; i < NODES; i++) net.addNode()
    const ring = [0, 1, 2, 3].map((from) => net.addArc(from, (from + 1) % NODES, 1))
    net.addArc(2, 1, 1)
    const needed = net.addArc(0, 3, 1)
    // Both parts can be rerouted over this arc to node 2, none to node 0.
    net.addArc(3, 2, 1)
    net.maximise((arc) => (arc === needed ? 1 : 0))
    net.maximise((arc) => (arc === ring[1] ? 1 : 0))
    assert.deepEqual(flowsOf(net), [0, 1, 0, 1, 1, 1, 0])
    assert.equal(net.removeUnit(ring), false)
    assert.deepEqual(flowsOf(net), [0, 1, 0, 1, 1, 1, 0])
  })
})

/** Node 0 is the hub; people come from it, one arc each, and positions lead back to it. The worth of a pair is 1 unless said otherwise. */
function matchingOf(people: number, positions: number, pairs: readonly [person: number, position: number, worth?: number][]) {
  const net = new Circulation()
  const hub = net.addNode()
  const peopleNodes = Array.from({ length: people }, () => net.addNode())
  const positionNodes = Array.from({ length: positions }, () => net.addNode())
  for (const node of peopleNodes) net.addArc(hub, node, 1)
  for (const node of positionNodes) net.addArc(node, hub, 1)
  const worths = new Map(
    pairs.map(([person, position, worth = 1]) => [net.addArc(peopleNodes[person]!, positionNodes[position]!, 1), worth]),
  )
  net.maximise((arc) => worths.get(arc) ?? 0)
  return { net, size: [...worths.keys()].filter((arc) => net.flow(arc) > 0).length }
}

describe('the amount of work', () => {
  const all = (people: number, positions: number, worth = (_person: number, _position: number) => 1) =>
    Array.from({ length: people * positions }, (_, index): [number, number, number] => {
      const [person, position] = [index % people, Math.floor(index / people)]
      return [person, position, worth(person, position)]
    })
  const CASES: [what: string, found: () => ReturnType<typeof matchingOf>, size: number, visits: number][] = [
    ['nobody', () => matchingOf(0, 0, []), 0, 0],
    ['one person', () => matchingOf(1, 1, [[0, 0]]), 1, 9],
    ['three people for three positions', () => matchingOf(3, 3, all(3, 3)), 3, 99],
    ['five people for two positions', () => matchingOf(5, 2, all(5, 2)), 2, 107],
    ['two people for five positions', () => matchingOf(2, 5, all(2, 5)), 2, 123],
    [
      'people who are worth more and less',
      () =>
        matchingOf(
          4,
          2,
          all(4, 2, (person) => 1 + person),
        ),
      2,
      213,
    ],
    [
      'pairs that are worth more and less',
      () =>
        matchingOf(
          3,
          3,
          all(3, 3, (a, b) => 1 + ((2 * a + b) % 3)),
        ),
      3,
      128,
    ],
    [
      'a chain of people',
      () =>
        matchingOf(4, 4, [
          [0, 0],
          [0, 1],
          [1, 1],
          [1, 2],
          [2, 2],
          [2, 3],
          [3, 3],
        ]),
      4,
      76,
    ],
  ]
  for (const [what, find, size, visits] of CASES)
    test(`is small for ${what}`, () => {
      const found = find()
      assert.equal(found.size, size)
      assert.ok(found.net.visits <= visits, `${found.net.visits}`)
    })
})
