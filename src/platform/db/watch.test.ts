import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConnectionWatch } from './watch.ts'

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
