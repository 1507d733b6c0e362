import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { findDrift, rebuildDenormalised } from '#features/operations/backup/commands/denormalised.ts'
import type { Database } from '#platform/db/pool.ts'
import { openTestDatabase, type TestDatabase } from '#test/support/database.ts'
import { freshDemoDatabase } from '#test/support/demo-instance.ts'

/** One mistake in every column that triggers maintain, and the finding that names it. */
const MISTAKES: [column: string, statement: string, what: RegExp][] = [
  [
    'participation.event_id',
    'update participation set event_id = (select max(id) from event) where id = 1',
    /^participation: event/,
  ],
  ['participation.start_time', "update participation set start_time = '2020-01-01' where id = 1", /^participation: event/],
  ['participation.end_time', "update participation set end_time = '2040-01-01' where id = 1", /^participation: event/],
  [
    'participation.listed_audience_id',
    'update participation set listed_audience_id = null where id = (select min(id) from participation where listed_audience_id is not null)',
    /^participation: audience/,
  ],
  ['shift.requested_count', 'update shift set requested_count = requested_count + 1 where id = 1', /^shift: requested/],
  ['shift.confirmed_count', 'update shift set confirmed_count = confirmed_count + 1 where id = 1', /^shift: requested/],
  [
    'shift.listed_audience_id',
    'update shift set listed_audience_id = null where id = (select min(id) from shift where listed_audience_id is not null)',
    /^shift: audience/,
  ],
  ['event.start_time', "update event set start_time = '2020-01-01' where id = 1", /^event: start/],
  ['event.end_time', "update event set end_time = '2040-01-01' where id = 1", /^event: start/],
  ['event.shift_count', 'update event set shift_count = shift_count + 1 where id = 1', /^event: start/],
  [
    'event.audience_id',
    'update event set audience_id = (select max(id) from audience) where id = (select min(id) from event where audience_id <> (select max(id) from audience))',
    /^event: audience/,
  ],
  [
    'audience.listed_count',
    'update audience set listed_count = listed_count + 1 where id = (select max(id) from audience)',
    /^audience: /,
  ],
  [
    'audience.listed_shift_count',
    'update audience set listed_shift_count = listed_shift_count + 1 where id = (select max(id) from audience)',
    /^audience: /,
  ],
  [
    'event_participation_count',
    'update event_participation_count set local_count = local_count + 1 where event_id = (select min(event_id) from event_participation_count)',
    /^event: participations that lists count/,
  ],
  [
    'event_participation_count, one too few',
    'delete from event_participation_count where event_id = (select min(event_id) from event_participation_count)',
    /^event: participations that lists count/,
  ],
  [
    'participation_count.local_count',
    'update participation_count set local_count = local_count + 1 where id = (select min(id) from participation_count)',
    /^participations: sums/,
  ],
  [
    'participation_count_pending',
    'insert into participation_count_pending (count_id, local_count, other_count) select min(id), 0, 1 from participation_count',
    /^participations: sums/,
  ],
  [
    'qualification_closure, one too few',
    'delete from qualification_closure where ctid = (select min(ctid) from qualification_closure)',
    /^qualification: /,
  ],
  [
    'qualification_closure, one too many',
    `insert into qualification_closure (qualification_id, included_id)
     select a.id, b.id from qualification a, qualification b
     where a.id <> b.id and (a.id, b.id) not in (select qualification_id, included_id from qualification_closure) order by 1, 2 limit 1`,
    /^qualification: /,
  ],
]
const TABLES = [
  'participation',
  'shift',
  'event',
  'audience',
  'event_participation_count',
  'participation_count',
  'qualification_closure',
]

describe('derived data', () => {
  let database: TestDatabase
  let db: Database
  before(async () => {
    database = await freshDemoDatabase()
    db = openTestDatabase({ url: database.url, writes: 1 })
  })
  after(async () => {
    await db?.close()
    await database?.drop()
  })

  test('of the demo data is right', async () => assert.deepEqual(await findDrift(db.read), []))

  for (const [column, statement, what] of MISTAKES)
    test(`a mistake in ${column} is found and repaired`, async () => {
      for (const table of TABLES) await sql`alter table ${sql.table(table)} disable trigger user`.execute(db.write)
      const { numAffectedRows } = await sql`${sql.raw(statement)}`.execute(db.write)
      for (const table of TABLES) await sql`alter table ${sql.table(table)} enable trigger user`.execute(db.write)
      assert.equal(numAffectedRows, 1n)
      const found = (await findDrift(db.read)).map((drift) => drift.what)
      assert.ok(
        found.some((name) => what.test(name)),
        found.join(),
      )
      await rebuildDenormalised(db.write)
      assert.deepEqual(await findDrift(db.read), [])
    })
})
