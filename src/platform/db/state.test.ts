import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { freshDatabase, openTestDatabase } from '#test/support/database.ts'
import { makeStateReader, StateCache } from './state.ts'

describe('the state of the database', async () => {
  const { url, drop } = await freshDatabase()
  const db = openTestDatabase({ url })
  after(async () => {
    await db.close()
    await drop()
  })
  await db.writePool.query('create table note (text text)')
  const write = () => db.writePool.query(`insert into note values ('x')`)

  type Query = (text: string, values: unknown[]) => Promise<unknown>
  const readerOver = (query: Query) => makeStateReader({ ...db, readPool: { query } as unknown as typeof db.readPool })
  const countQueries = () => {
    let queries = 0
    const readState = readerOver((text, values) => {
      queries++
      return db.readPool.query(text, values)
    })
    return { readState, queries: () => queries }
  }

  test('changes with every write', async () => {
    const readState = makeStateReader(db)
    const states = new Set<string>()
    for (let round = 0; round < 5; round++) {
      states.add(await readState())
      await write()
    }
    assert.equal(states.size, 5)
  })
  test('changes when a transaction commits that began before it was read', async () => {
    const readState = makeStateReader(db)
    const client = await db.writePool.connect()
    await client.query('begin')
    await client.query(`insert into note values ('y')`)
    await write()
    const before = await readState()
    await client.query('commit')
    client.release()
    assert.notEqual(await readState(), before)
  })
  test('is read once for concurrent calls', async () => {
    const { readState, queries } = countQueries()
    assert.equal(new Set(await Promise.all([readState(), readState(), readState()])).size, 1)
    assert.equal(queries(), 1)
  })
  test('is never taken from a query that began before the call', async () => {
    const { readState, queries } = countQueries()
    const early = readState()
    while (!queries()) await new Promise(setImmediate)
    // The look of the first is on its way; whoever comes now may know of a write that it did not see.
    const late = readState()
    await Promise.all([early, late])
    assert.equal(queries(), 2)
  })
  test('can be read again after a failure', async () => {
    let isAway = true
    const readState = readerOver(async (text, values) => {
      if (isAway) throw new Error('away')
      return db.readPool.query(text, values)
    })
    await assert.rejects(readState(), /away/)
    isAway = false
    assert.ok(await readState())
  })
})

describe('the cache by state', () => {
  test('returns a value only for the state in which it was stored', () => {
    const known = new StateCache<string>(10)
    known.set('a', 'one', 'x')
    assert.deepEqual([known.get('a', 'one'), known.get('a', 'two'), known.get('b', 'one')], ['x', undefined, undefined])
    assert.deepEqual([known.has('a'), known.has('b')], [true, false])
  })
  test('is bounded and drops the oldest entry first', () => {
    const known = new StateCache<number>(2)
    for (const key of ['a', 'b', 'a', 'c']) known.set(key, 's', 1)
    assert.deepEqual(
      ['a', 'b', 'c'].map((key) => known.has(key)),
      [true, false, true],
    )
  })
})
