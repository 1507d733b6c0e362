import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { ConnectionWatch } from './watch.ts'

/** Of the event loop, in each of which the watch can check. */
const MOST_TURNS = 1000

/** Lets the watch check a connection that waits for an answer, until it was probed twice or given up. */
async function watchOne(isAnswering: boolean, { isBusy = true } = {}) {
  const watch = new ConnectionWatch(1)
  const seen = { probes: 0, isGivenUp: false, looks: 0 }
  const since = performance.now()
  const connection = {
    busySince: () => {
      seen.looks++
      return isBusy ? since : undefined
    },
    probe: async () => {
      seen.probes++
      if (!isAnswering) throw new Error('no answer')
    },
    giveUp: () => {
      seen.isGivenUp = true
    },
  }
  watch.add(connection)
  while (!seen.isGivenUp && seen.probes < 2 && seen.looks < 20) await new Promise((done) => setTimeout(done))
  watch.remove(connection)
  return seen
}

test('a connection whose server answers nobody is given up', async () => {
  assert.equal((await watchOne(false)).isGivenUp, true)
})

test('a slow statement of a server that answers goes on', async () => {
  assert.equal((await watchOne(true)).isGivenUp, false)
})

test('a connection that waits for nothing is not probed', async () => {
  assert.equal((await watchOne(false, { isBusy: false })).probes, 0)
})

test('the others are watched after one connection has ended', async () => {
  const watch = new ConnectionWatch(1)
  const state = { isGivenUp: false }
  const since = performance.now()
  const idle = { busySince: () => undefined, probe: async () => {}, giveUp: () => {} }
  const busy = {
    busySince: () => since,
    probe: async () => Promise.reject(new Error('no answer')),
    giveUp: () => {
      state.isGivenUp = true
    },
  }
  watch.add(idle)
  watch.add(busy)
  watch.remove(idle)
  for (let turn = 0; turn < MOST_TURNS && !state.isGivenUp; turn++) await new Promise((done) => setTimeout(done))
  watch.remove(busy)
  assert.equal(state.isGivenUp, true)
})

test('a connection that got its answer while the server was probed is kept', async () => {
  const watch = new ConnectionWatch(1)
  const seen = { probes: 0, givenUp: [] as string[] }
  let answeredAt = performance.now()
  const since = performance.now()
  const probe = async () => {
    seen.probes++
    answeredAt = performance.now()
    throw new Error('no answer')
  }
  const connections = [
    { busySince: () => since, probe, giveUp: () => void seen.givenUp.push('stuck') },
    { busySince: () => (seen.probes ? answeredAt : since), probe, giveUp: () => void seen.givenUp.push('answered') },
  ]
  for (const connection of connections) watch.add(connection)
  for (let turn = 0; turn < MOST_TURNS && !seen.givenUp.length; turn++) await new Promise((done) => setTimeout(done))
  for (const connection of connections) watch.remove(connection)
  assert.deepEqual(seen.givenUp, ['stuck'])
})

describe('a watch', () => {
  /** Time that passes only when a test says so. The connections wait since the beginning. */
  function watchFor(t: TestContext, patienceMs: number, count = 1) {
    t.mock.timers.enable({ apis: ['setInterval'] })
    const clock = { now: 0 }
    t.mock.method(performance, 'now', () => clock.now)
    const watch = new ConnectionWatch(patienceMs)
    const seen = { looks: 0, probes: 0 }
    const answers: PromiseWithResolvers<void>[] = []
    const connections = Array.from({ length: count }, () => ({
      busySince: () => {
        seen.looks++
        return 0
      },
      probe: () => {
        seen.probes++
        answers.push(Promise.withResolvers())
        return answers.at(-1)!.promise
      },
      giveUp: () => {},
    }))
    for (const connection of connections) watch.add(connection)
    t.after(() => {
      for (const connection of connections) watch.remove(connection)
    })
    const pass = (ms: number) => {
      clock.now += ms
      t.mock.timers.tick(ms)
    }
    const answer = async () => {
      for (const each of answers) each.resolve()
      await new Promise(setImmediate)
    }
    return { watch, connections, seen, pass, answer }
  }

  for (const [patienceMs, interval] of [
    [100, 100],
    [1_000, 1_000],
    [5_000, 1_000],
  ] as const)
    test(`with a patience of ${patienceMs} ms looks every ${interval} ms`, (t) => {
      const { seen, pass } = watchFor(t, patienceMs)
      pass(interval - 1)
      assert.equal(seen.looks, 0)
      pass(1)
      assert.equal(seen.looks, 1)
    })

  test('probes when a connection has waited for longer than its patience, not for as long', (t) => {
    const { seen, pass } = watchFor(t, 2_000)
    pass(2_000)
    assert.deepEqual([seen.looks, seen.probes], [2, 0])
    pass(1_000)
    assert.equal(seen.probes, 1)
  })

  test('waits for a probe before it begins the next', async (t) => {
    const { seen, pass, answer } = watchFor(t, 100)
    pass(200)
    assert.equal(seen.probes, 1)
    pass(300)
    assert.equal(seen.probes, 1)
    await answer()
    pass(100)
    assert.equal(seen.probes, 2)
  })

  test('probes once for all connections that wait', (t) => {
    const { seen, pass } = watchFor(t, 100, 3)
    pass(200)
    assert.equal(seen.probes, 1)
  })

  test('has one timer, which ends with the last connection', (t) => {
    const { watch, connections } = watchFor(t, 5_000, 2)
    const clear = t.mock.method(globalThis, 'clearInterval')
    watch.remove(connections[0]!)
    assert.equal(clear.mock.callCount(), 0)
    watch.remove(connections[1]!)
    assert.equal(clear.mock.callCount(), 1)
    assert.ok(clear.mock.calls[0]!.arguments[0])
  })

  test('looks at nothing without connections, and goes on with the next one', (t) => {
    const { watch, connections, seen, pass } = watchFor(t, 5_000)
    watch.remove(connections[0]!)
    pass(1_000)
    assert.equal(seen.looks, 0)
    watch.add(connections[0]!)
    pass(1_000)
    assert.equal(seen.looks, 1)
  })
})
