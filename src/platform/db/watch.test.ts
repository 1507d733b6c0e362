import assert from 'node:assert/strict'
import { test } from 'node:test'
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
