import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import { ownerOf } from './body-cache.ts'
import { Replicas } from './replicas.ts'
import type { DB } from './tables.ts'

type Server = { position: number | 'down' | 'promoted'; asked: number; isEnded: boolean }

/** A primary and two replicas whose positions a test changes. Nothing polls by itself, unless `pollMs` says so. */
function makeServers(first: Server['position'] = 0, second: Server['position'] = 'down', pollMs = 1e9) {
  const serverAt = (position: Server['position']): Server => ({ position, asked: 0, isEnded: false })
  const [primary, a, b] = [serverAt(10), serverAt(first), serverAt(second)]
  const poolOf = (server: Server) =>
    ({
      query: async () => {
        server.asked++
        const { position } = server
        if (position === 'down') throw new Error('ECONNREFUSED')
        return { rows: position === 'promoted' ? [] : [{ position: `0/${position.toString(16)}` }] }
      },
      end: async () => {
        server.isEnded = true
      },
    }) as object as pg.Pool
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool: poolOf(primary) }) })
  const opened: string[] = []
  const replicas = new Replicas({
    url: 'postgresql://u@a:1,b:2/t',
    primary: { pool: poolOf(primary), db },
    openPool: (url) => {
      opened.push(new URL(url).host)
      return poolOf(opened.length === 1 ? a : b)
    },
    pollMs,
  })
  const names = new Map<object, string>([[db, 'primary']])
  /** `first` and `second` in the order in which they were chosen. */
  const choose = async () => {
    const chosen = await replicas.choose()
    if (!names.has(chosen)) names.set(chosen, `replica ${names.size}`)
    return names.get(chosen)!
  }
  const pollTwice = async () => {
    await replicas.poll()
    await replicas.poll()
  }
  return { replicas, primary, a, b, db, opened, choose, pollTwice }
}

test('each server of the list has its own connections, and all are ended', async () => {
  const { replicas, opened, a, b, primary } = makeServers()
  assert.deepEqual(opened, ['a:1', 'b:2'])
  await replicas.close()
  assert.deepEqual([a.isEnded, b.isEnded, primary.isEnded], [true, true, false])
})

test('a replica is used after two polls, once it has what the primary had at the first', async () => {
  const { replicas, a, choose } = makeServers(10)
  assert.equal(await choose(), 'primary')
  await replicas.poll()
  assert.equal(await choose(), 'primary', 'it is not known how far behind it is')
  a.position = 9
  await replicas.poll()
  assert.equal(await choose(), 'primary', 'more than one poll behind')
  a.position = 10
  await replicas.poll()
  assert.equal(await choose(), 'replica 1')
  await replicas.close()
})

test('a replica that is one position behind is not used, one that has caught up is', async () => {
  const { replicas, primary, a, choose, pollTwice } = makeServers(10)
  await pollTwice()
  assert.equal(await choose(), 'replica 1')
  const asked = a.asked
  assert.equal(await choose(), 'replica 1')
  assert.equal(a.asked, asked, 'it is known that it has this position')
  primary.position = 11
  assert.equal(await choose(), 'primary')
  assert.equal(a.asked, asked + 1)
  a.position = 11
  assert.equal(await choose(), 'replica 1', 'it is asked again and has caught up')
  await replicas.close()
})

test('replicas take turns', async () => {
  const { replicas, choose, pollTwice } = makeServers(10, 10)
  await pollTwice()
  const chosen = [await choose(), await choose(), await choose(), await choose()]
  assert.deepEqual(chosen, ['replica 1', 'replica 2', 'replica 1', 'replica 2'])
  await replicas.close()
})

for (const failure of ['down', 'promoted'] as const)
  test(`a replica that is ${failure} is left alone until a poll finds it again`, async () => {
    const { replicas, primary, a, choose, pollTwice } = makeServers(10)
    await pollTwice()
    assert.equal(await choose(), 'replica 1')
    Object.assign(a, { position: failure })
    primary.position = 11
    assert.equal(await choose(), 'primary')
    const asked = a.asked
    assert.equal(await choose(), 'primary')
    assert.equal(a.asked, asked, 'requests do not wait for it')
    Object.assign(a, { position: 11 })
    assert.equal(await choose(), 'primary')
    await replicas.poll()
    assert.equal(await choose(), 'replica 1')
    await replicas.close()
  })

test('a poll without the primary makes no replica usable', async () => {
  const { replicas, primary, choose, pollTwice } = makeServers(10)
  await pollTwice()
  primary.position = 'down'
  await replicas.poll()
  await replicas.poll()
  primary.position = 10
  assert.equal(await choose(), 'primary')
  await pollTwice()
  assert.equal(await choose(), 'replica 1')
  await replicas.close()
})

test('requests of one moment share a question to the primary; later ones ask again', async () => {
  const { replicas, primary, choose, pollTwice } = makeServers(10)
  await pollTwice()
  const before = primary.asked
  await Promise.all([choose(), choose(), choose()])
  assert.equal(primary.asked, before + 1)
  const first = choose()
  // A commit between the first request and the question counts: it is asked after the last of them.
  primary.position = 11
  assert.deepEqual([await first, await choose()], ['primary', 'primary'])
  assert.equal(primary.asked, before + 3)
  await replicas.close()
})

test('polls at the same time are one', async () => {
  const { replicas, primary, a } = makeServers(10)
  await Promise.all([replicas.poll(), replicas.poll()])
  assert.deepEqual([primary.asked, a.asked], [1, 1])
  await replicas.poll()
  assert.deepEqual([primary.asked, a.asked], [2, 2])
  await replicas.close()
})

test('what is cached for the primary is used with a replica', async () => {
  const { replicas, db, pollTwice } = makeServers(10)
  await pollTwice()
  const replica = await replicas.choose()
  assert.notEqual(replica, db)
  assert.equal(ownerOf(replica), db)
  await replicas.close()
})

test('replicas are polled by themselves, until they are closed', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const { replicas, a } = makeServers(10, 'down', 100)
  const pass = async (ms: number) => {
    t.mock.timers.tick(ms)
    await replicas.poll()
  }
  t.mock.timers.tick(99)
  await new Promise(setImmediate)
  assert.equal(a.asked, 0)
  await pass(1)
  assert.equal(a.asked, 1, 'the poll of the timer, which the other one shares')
  await replicas.close()
  t.mock.timers.tick(1_000)
  await new Promise(setImmediate)
  assert.equal(a.asked, 1)
})
