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
})
