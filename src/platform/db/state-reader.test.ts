import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import type { Database } from './pool.ts'
import { labelOfAll, makeStateReader, StateCache } from './state.ts'
import type { DB } from './tables.ts'

/** A server whose snapshot, start and marks a test changes, and the statements that it got. */
function makeServer() {
  const server = { snapshot: '1:1:', started: 'monday', kinds: [] as string[], unseen: 0 }
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
    const { access, events } = (await look()).state
    const lookAt = async (snapshot: string) => {
      server.snapshot = snapshot
      const { state, asked } = await look()
      assert.deepEqual([state.access, state.events], [access, events])
      return asked
    }
    assert.deepEqual(await lookAt('2:2:'), ['snapshot', 'marks since 1:1:'])
    assert.deepEqual(await lookAt('3:3:'), ['marks since 2:2:'])
    assert.deepEqual(await lookAt('3:3:'), ['marks since 3:3:'])
    assert.deepEqual(await lookAt('3:3:'), ['snapshot'])
  })

  const WRITES: [what: string, before: string, after: { snapshot: string; kinds?: string[]; unseen?: number }, isNew: boolean][] =
    [
      ['a write without a mark', '7:7:', { snapshot: '8:8:' }, true],
      ['a write that is marked as unseen', '7:7:', { snapshot: '8:8:', kinds: ['unseen'], unseen: 1 }, false],
      ['two of them', '7:7:', { snapshot: '9:9:', kinds: ['unseen'], unseen: 2 }, false],
      ['one of them and one without a mark', '7:7:', { snapshot: '9:9:', kinds: ['unseen'], unseen: 1 }, true],
      [
        'one of them in a transaction that writes what caches depend on',
        '7:7:',
        { snapshot: '8:8:', kinds: ['events', 'unseen'], unseen: 1 },
        true,
      ],
      ['a transaction that has begun', '7:7:', { snapshot: '7:8:7' }, false],
      ['the end of one of two that were running', '7:9:7,8', { snapshot: '8:9:8' }, true],
      ['the end of one that was running and is marked', '7:9:7,8', { snapshot: '8:9:8', kinds: ['unseen'], unseen: 1 }, false],
      ['one that has begun and one that was written meanwhile', '7:7:', { snapshot: '7:9:7' }, true],
      [
        'numbers beyond those that are exact',
        '9007199254740992:9007199254740992:',
        { snapshot: '9007199254740993:9007199254740993:' },
        true,
      ],
    ]
  for (const [what, before, after, isNew] of WRITES)
    test(`gives ${isNew ? 'a new' : 'the same'} label for anything written after: ${what}`, async () => {
      const { server, look } = makeServer()
      server.snapshot = before
      const { anything } = (await look()).state
      Object.assign(server, after)
      assert.equal((await look()).state.anything !== anything, isNew)
    })

  test('is quiet until it finds a change, and again once a look finds none or a second has passed', async (t) => {
    const passed = { ms: 0 }
    t.mock.method(performance, 'now', () => passed.ms)
    const { server, reader, look } = makeServer()
    const isQuietAt = async (snapshot: string) => {
      server.snapshot = snapshot
      await look()
      return reader.isQuiet()
    }
    assert.deepEqual([await isQuietAt('1:1:'), await isQuietAt('1:1:'), await isQuietAt('2:2:')], [true, true, false])
    passed.ms = 999
    assert.equal(reader.isQuiet(), false)
    passed.ms = 1000
    assert.equal(reader.isQuiet(), true)
    assert.deepEqual([await isQuietAt('3:3:'), await isQuietAt('3:3:')], [false, true])
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
    assert.equal(labelOfAll({ access: '1', events: '2', anything: '3' }), '1 2')
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
