import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import type { Database } from './pool.ts'
import { labelOfAll, makeStateReader, StateCache } from './state.ts'
import type { DB } from './tables.ts'

/** A server whose snapshot, start and marks a test changes, and the statements that it got. */
function makeServer() {
  const server = { snapshot: '1:1:', started: 'monday', kinds: [] as string[] }
  const asked: string[] = []
  const query = async (text: string, values: unknown[]) => {
    const isAboutMarks = text.includes('cache_mark')
    asked.push(isAboutMarks ? `marks since ${values[0]}` : 'snapshot')
    return { rows: [{ ...server }] }
  }
  const readPool = { query } as unknown as pg.Pool
  const read = new Kysely<DB>({ dialect: new PostgresDialect({ pool: readPool }) })
  const reader = makeStateReader({ readPool, read } as Database)
  /** The labels, and the statements since the last call. */
  const look = async () => ({ state: await reader.read(), asked: asked.splice(0) })
  return { server, reader, look }
}

describe('a reader of the state', () => {
  test('asks for the snapshot alone while it stays the same', async () => {
    const { look } = makeServer()
    const [first, second] = [await look(), await look()]
    assert.equal(second.state, first.state)
    assert.deepEqual([first.asked, second.asked], [['snapshot'], ['snapshot']])
  })

  test('asks for marks once the snapshot is another one, at once while it goes on changing', async () => {
    const { server, look } = makeServer()
    const { state } = await look()
    server.snapshot = '2:2:'
    assert.deepEqual(await look(), { state, asked: ['snapshot', 'marks since 1:1:'] })
    server.snapshot = '3:3:'
    assert.deepEqual(await look(), { state, asked: ['marks since 2:2:'] })
    assert.deepEqual(await look(), { state, asked: ['marks since 3:3:'] })
    assert.deepEqual(await look(), { state, asked: ['snapshot'] })
  })

  for (const kind of ['access', 'events'] as const)
    test(`gives a new label to the kind with a mark, and to no other: ${kind}`, async () => {
      const { server, look } = makeServer()
      const before = (await look()).state
      Object.assign(server, { snapshot: '2:2:', kinds: [kind] })
      const after = (await look()).state
      const other = kind === 'access' ? 'events' : 'access'
      assert.notEqual(after[kind], before[kind])
      assert.equal(after[other], before[other])
    })

  test('gives new labels after a restart, also if the snapshot is the same and nothing is marked', async () => {
    const { server, look } = makeServer()
    const before = (await look()).state
    server.started = 'tuesday'
    const after = (await look()).state
    assert.notEqual(after.access, before.access)
    assert.notEqual(after.events, before.events)
    assert.notEqual(after.access, after.events)
  })

  test('knows the state of a statement with the last snapshot of the same server', async () => {
    const { reader, look } = makeServer()
    const { state } = await look()
    assert.equal(reader.at({ snapshot: '1:1:', started: 'monday' }), state)
    assert.equal(reader.at({ snapshot: '2:2:', started: 'monday' }), undefined)
    assert.equal(reader.at({ snapshot: '1:1:', started: 'tuesday' }), undefined)
  })

  test('begins with the first statement if nothing was read before', async () => {
    const { reader, look } = makeServer()
    const state = reader.at({ snapshot: '1:1:', started: 'monday' })
    assert.ok(state)
    assert.equal((await look()).state, state)
  })

  test('has a label for both kinds together', () => {
    assert.equal(labelOfAll({ access: '1', events: '2' }), '1 2')
    assert.equal(labelOfAll(undefined), undefined)
  })
})

describe('the cache by state', () => {
  const value = (text: string) => async () => text

  test('keeps a newer value when the load of an older one fails', async () => {
    const known = new StateCache<string>(10)
    const failing = Promise.withResolvers<string>()
    const old = known.get('a', 'one', () => failing.promise)
    await known.get('a', 'two', value('new'))
    failing.reject(new Error('away'))
    await assert.rejects(old, /away/)
    assert.equal(known.has('a'), true)
    assert.equal(await known.get('a', 'two', value('loaded again')), 'new')
  })

  test('forgets one value or all', async () => {
    const known = new StateCache<string>(10)
    const fill = () => Promise.all(['a', 'b'].map((key) => known.get(key, 'one', value(key))))
    await fill()
    known.delete('a')
    assert.deepEqual([known.has('a'), known.has('b')], [false, true])
    await fill()
    known.clear()
    assert.deepEqual([known.has('a'), known.has('b')], [false, false])
  })
})
