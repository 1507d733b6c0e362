import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { Server } from 'node:http'
import { describe, test } from 'node:test'
import { acceptWaitingConnections } from './stopping.ts'

type Turn = { ms: number; connections: number }

/** Runs with turns of the event loop that last as given, the last one again and again; returns how long accepting took. */
async function accept(...turns: Turn[]): Promise<{ ms: number; turns: number; listeners: number }> {
  const server = new EventEmitter()
  let ms = 0
  let count = 0
  await acceptWaitingConnections(server as Server, {
    now: () => ms,
    nextTurn: async () => {
      const turn = turns[Math.min(count, turns.length - 1)]!
      count++
      assert.ok(count < 10_000, 'it goes on without end')
      ms += turn.ms
      for (let n = 0; n < turn.connections; n++) server.emit('connection')
    },
  })
  return { ms, turns: count, listeners: server.listenerCount('connection') }
}

describe('a server that stops accepts connections that wait', () => {
  test('until a short turn of the event loop accepts none', async () => {
    const busy = { ms: 0.1, connections: 1 }
    assert.deepEqual(await accept(busy, busy, { ms: 0.1, connections: 0 }), { ms: 0.1 + 0.1 + 0.1, turns: 3, listeners: 0 })
  })

  test('also after a long turn that accepted none, during which others may have come', async () => {
    const long = { ms: 5, connections: 0 }
    assert.equal((await accept(long, { ms: 5, connections: 2 }, { ms: 0.1, connections: 0 })).turns, 3)
  })

  test('for half of the time if every turn is long, and stops after one that accepted none', async () => {
    assert.deepEqual(await accept({ ms: 10, connections: 0 }), { ms: 250, turns: 25, listeners: 0 })
  })

  test('for half a second at most, however many there are and however long the turns are', async () => {
    assert.deepEqual(await accept({ ms: 10, connections: 1 }), { ms: 500, turns: 50, listeners: 0 })
    assert.deepEqual(await accept({ ms: 0.125, connections: 1 }), { ms: 500, turns: 4_000, listeners: 0 })
    assert.deepEqual(await accept({ ms: 400, connections: 1 }), { ms: 800, turns: 2, listeners: 0 })
  })
})
