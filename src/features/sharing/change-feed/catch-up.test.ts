import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import type { DB } from '#platform/db/tables.ts'
import { OLGA } from '#test/support/people.ts'
import { NOW, openWorld } from '#test/support/world.ts'
import { sequenceChanges } from './commands/sequence.ts'

/** More than two requests give positions to. */
const ROWS = 22_000

/** Without a time limit, on a connection of its own. */
async function runLong(db: Kysely<DB>, ...statements: string[]): Promise<void> {
  await db.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection)
    for (const statement of statements) await sql.raw(statement).execute(connection)
    await sql`set statement_timeout = 5000`.execute(connection)
  })
}

const countPending = async (db: Kysely<DB>): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from change_pending`.execute(db)
  return rows[0]!.count
}

describe(`${ROWS} changes in one commit`, async () => {
  const world = await openWorld()
  const { db } = world
  const caller = world.as(OLGA, 'PUBLIC_READ')
  await runLong(
    db.write,
    `insert into event (title, location, type_id, active) select 'Long', '', 1, true from generate_series(1, ${ROWS})`,
  )
  await sequenceChanges(db.write, NOW)
  const { next: start } = (await caller.get('/api/changes/')).body
  await runLong(db.write, `update event set title = 'Longer'`)

  test('a request gives positions to a part of them and tells that there is more', async () => {
    const before = await countPending(db.read)
    const { body } = await caller.get('/api/changes/', { query: { after: start, limit: 1 } })
    assert.deepEqual([body.results.length, body.has_more], [1, true])
    const left = await countPending(db.read)
    assert.ok(left > 0 && left < before, `${left} of ${before} are pending`)
    const end = (await caller.get('/api/changes/')).body
    assert.deepEqual([end.results, end.has_more], [[], true])
  })

  test('a client that goes on gets each of them once', async () => {
    const got: number[] = []
    for (let after = start, hasMore = true; hasMore; ) {
      const { body } = await caller.get('/api/changes/', { query: { after, limit: 1000 } })
      got.push(...body.results.map(({ id }: { id: number }) => id))
      after = body.next
      hasMore = body.has_more
    }
    assert.deepEqual([got.length, new Set(got).size, await countPending(db.read)], [ROWS, ROWS, 0])
  })
})

/** Tables with few rows. */
const SMALL: Record<string, string> = {
  mark_event_type_sight: 'event types',
  mark_participants: 'names of guests and visitors, which change one by one',
}

/** Trigger functions that could compare each row before with each row after: PostgreSQL never does that for a full join. */
async function findSlowJoins(db: Kysely<DB>): Promise<string[]> {
  const { rows } = await sql<{ name: string; source: string }>`
    select proname as name, regexp_replace(prosrc, '\\s+', ' ', 'g') as source from pg_proc
    where prosrc ~ 'new_rows' and prosrc ~ 'old_rows' order by proname`.execute(db)
  assert.ok(rows.length > 15)
  const join = /\b(?:new|old)_rows(?: (?:as )?(?!full\b)\w+)?(?:,| (?:inner |left |right |cross )?join) (?:new|old)_rows\b/
  return rows.filter(({ source }) => join.test(source)).map(({ name }) => name)
}

const SOME = 1_000

describe('one statement that changes many rows, on a connection that changed one before', async () => {
  const { db } = await openWorld()
  await runLong(
    db.write,
    `insert into event (title, location, type_id, active) select 'Long', '', 1, true from generate_series(1, ${SOME})`,
    `insert into shift (event_id, meeting_time, start_time, end_time, signup_flow_slug, structure_slug)
      select id, now(), now(), now() + interval '1 hour', 'manual', 'uniform' from event`,
    `insert into participation (shift_id, kind, user_id, state) select id, 'local', ${OLGA.id}, 1 from shift`,
  )
  for (const [table, change] of [
    ['event', `title = title || '.'`],
    ['shift', `label = label || '.', end_time = end_time + interval '1 hour'`],
    ['participation', 'state = 3 - state'],
  ] as const)
    test(`of the table ${table} announces each of them`, async () => {
      await sql`delete from change_pending`.execute(db.write)
      await runLong(
        db.write,
        'discard plans',
        `update ${table} set ${change} where id = (select min(id) from ${table})`,
        'delete from change_pending',
        `update ${table} set ${change}`,
      )
      const { rows } = await sql<{ count: number }>`
        select count(distinct record_id)::int as count from change_pending where kind = ${table}`.execute(db.read)
      assert.equal(rows[0]!.count, SOME)
    })

  test('compares rows before and after only by a full join', async () => {
    assert.deepEqual(await findSlowJoins(db.read), Object.keys(SMALL))
  })

  for (const [kind, joined] of [
    ['an inner join', 'new_rows n join old_rows o using (id)'],
    ['a left join', 'new_rows left join old_rows using (id)'],
    ['a list', 'old_rows as o, new_rows as n'],
  ])
    test(`finds ${kind}`, async () => {
      await sql
        .raw(`create or replace function event_listed() returns trigger language plpgsql as $$
          begin perform 1 from ${joined}; return null; end $$`)
        .execute(db.write)
      assert.ok((await findSlowJoins(db.read)).includes('event_listed'))
    })
})
