import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { freshDatabase, openTestDatabase } from '#test/support/database.ts'
import { deleteOldMarks, makeStateReader, markAll, StateCache } from './state.ts'

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
  const readerOver = (query: Query) => makeStateReader({ ...db, readPool: { query } as unknown as typeof db.readPool }).read
  /** Counts reads of the snapshot. Whether one of the marks follows depends on commits in other databases of the server. */
  const countQueries = () => {
    let queries = 0
    const readState = readerOver((text, values) => {
      if (!text.includes('cache_mark')) queries++
      return db.readPool.query(text, values)
    })
    return { readState, queries: () => queries }
  }

  const MATTERING: [kind: 'access' | 'events' | 'access events', statement: string][] = [
    [
      'access',
      `insert into access_token (token_hash, kind, user_id, created_at) select '\\x01', 'personal', min(id), now() from user_profile`,
    ],
    ['access', 'update access_token set revoked_at = now()'],
    ['access', 'delete from access_token'],
    ['access', `update user_profile set is_active = false`],
    ['access', `insert into user_permission select min(id), 'view_user' from user_profile`],
    ['access', `insert into user_group (id, name) values (9, 'Helpers'); insert into group_permission values (9, 'view_user')`],
    ['access', 'insert into user_group_member (group_id, user_id) select 9, min(id) from user_profile'],
    ['access', 'insert into profile_group_grant (group_id, user_id) select 9, min(id) from user_profile'],
    ['access', 'insert into profile_user_grant (viewer_id, user_id) select min(id), min(id) from user_profile'],
    ['access', 'delete from profile_user_grant'],
    // Deletes the grants on events as well.
    ['access events', 'delete from user_group where id = 9'],
    ['access', `update oauth_grant set revoked_at = now()`],
    ['access', `update oauth_application set disabled_at = now()`],
    ['access', `update service_account set scopes = '{}'`],
    ['access', 'update user_profile set is_active = true'],
    ['events', `insert into event_type (id, title) values (9, 'Service')`],
    ['events', `insert into event (id, title, location, type_id, active) values (9, 'Fair', '', 9, true)`],
    [
      'events',
      `insert into shift (id, event_id, meeting_time, start_time, end_time, signup_flow_slug, structure_slug)
      values (9, 9, now(), now(), now() + interval '1 hour', 'manual', 'uniform')`,
    ],
    ['events', `insert into participation (shift_id, kind, placeholder_name, state) values (9, 'placeholder', 'X', 1)`],
    ['events', 'update participation set state = 2'],
    ['events', `insert into audience (group_ids) values ('{7}')`],
    ['events', `update event_user_grant set permission = 'view'`],
    ['events', `update event_group_grant set permission = 'change'`],
    ['events', `update event_type set title = 'Course'`],
    ['events', 'truncate participation cascade'],
    ['events', 'delete from event'],
  ]
  /** Kinds whose label the work changes, for a reader that has read before. */
  async function changedBy(work: () => Promise<unknown>, readers = [makeStateReader(db)]): Promise<string[][]> {
    const before = await Promise.all(readers.map(({ read }) => read()))
    await work()
    const after = await Promise.all(readers.map(({ read }) => read()))
    return after.map((state, i) => (['access', 'events'] as const).filter((kind) => state[kind] !== before[i]![kind]))
  }

  test('stays the same while others write what no cache depends on', async () => {
    assert.deepEqual(await changedBy(write), [[]])
    await db.writePool.query(
      `insert into user_profile (display_name, email, date_of_birth) values ('Ann', 'ann@a.example', null)`,
    )
    assert.deepEqual(await changedBy(() => db.writePool.query(`update user_profile set phone = '1'`)), [[]])
    assert.deepEqual(await changedBy(() => db.writePool.query('update access_token set last_used_at = now()')), [[]])
  })
  for (const [kind, statement] of MATTERING)
    test(`changes on all nodes with: ${statement.replaceAll(/\s+/g, ' ').slice(0, 70)}`, async () => {
      const nodes = [makeStateReader(db), makeStateReader(db)]
      const changed = await changedBy(() => db.writePool.query(statement), nodes)
      assert.deepEqual(changed, [kind.split(' '), kind.split(' ')])
    })
  test('misses a change of a table without the trigger', async () => {
    await db.writePool.query('alter table event_type disable trigger event_type_cache')
    assert.deepEqual(await changedBy(() => db.writePool.query(`update event_type set title = 'Other'`)), [[]])
    await db.writePool.query('alter table event_type enable trigger event_type_cache')
  })
  test('changes when a transaction commits that began before it was read, also after unrelated commits', async () => {
    const client = await db.writePool.connect()
    await client.query('begin')
    await client.query(`update event_type set title = 'Late'`)
    const reader = makeStateReader(db)
    await reader.read()
    for (let i = 0; i < 3; i++) {
      await write()
      await reader.read()
    }
    assert.deepEqual(await changedBy(() => client.query('commit'), [reader]), [['events']])
    client.release()
  })
  test('stays the same when a transaction that matters is rolled back', async () => {
    const work = () => db.writePool.query(`begin; update event_type set title = 'Never'; rollback`)
    assert.deepEqual(await changedBy(work), [[]])
  })
  test('changes for readers that did not see the marks before they were deleted', async () => {
    const work = async () => {
      await db.writePool.query(`update event_type set title = 'Marked'`)
      await db.writePool.query(
        `insert into cache_mark (xid, kind) select n::text::xid8, 'access' from generate_series(1, 2000) n on conflict do nothing`,
      )
      await deleteOldMarks(db.write)
    }
    assert.deepEqual(await changedBy(work), [['access', 'events']])
    const { rows } = await db.writePool.query('select count(*)::int as count from cache_mark')
    assert.equal(rows[0].count, 2)
  })
  test('deletes marks when there are a thousand, and not before', async () => {
    const countAfter = async (marks: number) => {
      await db.writePool.query('delete from cache_mark')
      await db.writePool.query(
        `insert into cache_mark (xid, kind) select n::text::xid8, 'access' from generate_series(1, $1::int) n`,
        [marks],
      )
      await deleteOldMarks(db.write)
      return (await db.writePool.query('select count(*)::int as count from cache_mark')).rows[0].count
    }
    assert.deepEqual([await countAfter(999), await countAfter(1_000)], [999, 2])
  })
  test('is marked once by a transaction that marks it twice', async () => {
    const work = () =>
      db.write.transaction().execute(async (tx) => {
        await markAll(tx)
        await markAll(tx)
      })
    assert.deepEqual(await changedBy(work), [['access', 'events']])
  })
  test('is read once for concurrent calls', async () => {
    const { readState, queries } = countQueries()
    const states = await Promise.all([readState(), readState(), readState()])
    assert.equal(new Set(states).size, 1)
    assert.equal(queries(), 1)
  })
  test('is never taken from a query that began before the call', async () => {
    const { readState, queries } = countQueries()
    const early = readState()
    while (!queries()) await new Promise(setImmediate)
    // The first read is under way; a later caller may know of a write that it did not see.
    const late = readState()
    await Promise.all([early, late])
    assert.equal(queries(), 2)
  })
  test('is read with one statement while others write', async () => {
    const texts: string[] = []
    const readState = readerOver((text, values) => {
      texts.push(text)
      return db.readPool.query(text, values)
    })
    await readState()
    await write()
    const before = await readState()
    texts.length = 0
    await db.writePool.query(`update event_type set title = 'Busy'`)
    const after = await readState()
    assert.equal(texts.length, 1)
    assert.notEqual(after.events, before.events)
    assert.equal(after.access, before.access)
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
  test('loads a value once for each label', async () => {
    const known = new StateCache<string>(10)
    let loads = 0
    const load = async () => `value ${++loads}`
    const values = await Promise.all(['one', 'one', 'two', 'two'].map((label) => known.get('a', label, load)))
    assert.deepEqual(values, ['value 1', 'value 1', 'value 2', 'value 2'])
  })
  test('does not keep a failure', async () => {
    const known = new StateCache<string>(10)
    await assert.rejects(
      known.get('a', 'one', () => Promise.reject(new Error('away'))),
      /away/,
    )
    assert.equal(await known.get('a', 'one', async () => 'back'), 'back')
  })
  test('is bounded and drops the oldest entry first', async () => {
    const known = new StateCache<string>(2)
    for (const [key, label] of ['a1', 'b1', 'a2', 'c1']) await known.get(key!, label!, async () => 'old')
    const kept = await Promise.all([known.get('a', '2', async () => 'new'), known.get('c', '1', async () => 'new')])
    assert.deepEqual([...kept, await known.get('b', '1', async () => 'new')], ['old', 'old', 'new'])
  })
})
