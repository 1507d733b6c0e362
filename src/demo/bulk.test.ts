import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from 'kysely'
import { findDrift, rebuildDenormalised } from '#features/operations/backup/commands/denormalised.ts'
import { makeKeyring } from '#platform/auth/secrets.ts'
import type { Database } from '#platform/db/pool.ts'
import { freshDatabase, openTestDatabase, type TestDatabase } from '#test/support/database.ts'
import { NotEmpty } from './base.ts'
import { type BulkCounts, loadBulk } from './bulk.ts'

const NOW = new Date('2026-05-20T09:30:00Z')
const options = {
  now: NOW,
  seed: 7,
  language: 'en' as const,
  events: 2_300,
  timeZone: 'Europe/Berlin',
  keyring: makeKeyring('a key of thirty-two bytes or more'),
  passwords: { olga: 'olga needs this', paul: 'paul needs this', ann: 'ann needs this' },
}

describe('many events', () => {
  let test: TestDatabase
  let db: Database
  let counts: BulkCounts
  let schemaBefore: unknown
  const steps: number[] = []

  const rowsOf = async <T>(query: string) => (await sql.raw<T>(query).execute(db.read)).rows
  const numberOf = async (query: string) => (await rowsOf<{ n: number }>(`select count(*) as n from ${query}`))[0]!.n
  const schema = async () => [
    await rowsOf(`select conrelid::regclass::text, conname, pg_get_constraintdef(oid), convalidated from pg_constraint
      where connamespace = 'public'::regnamespace order by 1, 2`),
    await rowsOf(`select indexname, indexdef from pg_indexes where schemaname = 'public' order by 1`),
    await rowsOf(`select tgrelid::regclass::text, tgname, tgenabled from pg_trigger where not tgisinternal order by 1, 2`),
  ]

  before(async () => {
    test = await freshDatabase()
    db = openTestDatabase({ url: test.url })
    schemaBefore = await schema()
    counts = await loadBulk({ ...options, db, progress: ({ events }) => steps.push(events) })
  })
  after(async () => {
    await db.close()
    await test.drop()
  })

  it('are as many as requested, and progress is reported', async () => {
    assert.deepEqual(steps, [2_000, 2_300])
    assert.equal(counts.events, 2_300)
    assert.equal(await numberOf('event'), counts.events)
    assert.equal(await numberOf('shift'), counts.shifts)
    assert.equal(await numberOf('participation'), counts.participations)
    assert.equal(await numberOf('user_profile'), 230)
    assert.ok(counts.participations / counts.shifts > 4)
  })

  it('speak the language, with names of it', async () => {
    const german = /[äöüß]|wache|dienst|Posten|Bitte|Anmeldung/i
    const texts = await rowsOf<{ text: string }>(`
      select concat_ws(' ', e.title, e.description, e.location) as text from event e
      union select concat_ws(' ', structure_configuration, signup_flow_configuration) from shift
      union select display_name from user_profile where preferred_language <> 'en'`)
    assert.ok(texts.length > 100)
    assert.deepEqual(
      texts.filter(({ text }) => german.test(text)),
      [],
    )
    assert.equal((await numberOf(`user_profile where preferred_language = 'en'`)) > 200, true)
  })

  it('leave the schema as it was', async () => {
    assert.deepEqual(await schema(), schemaBefore)
  })

  it('keep what triggers would have kept', async () => {
    assert.deepEqual(await findDrift(db.read), [])
  })

  it('keep the rules: one place at a time, capacity, times', async () => {
    const overlaps = `participation a join participation b using (user_id)
      where a.id < b.id and a.state = 1 and b.state = 1 and a.start_time < b.end_time and b.start_time < a.end_time`
    assert.equal(await numberOf(overlaps), 0)
    assert.equal(await numberOf('shift where confirmed_count > max_count'), 0)
    assert.equal(await numberOf('participation where state = 4'), 0)
    assert.equal(await numberOf('event where not exists (select from shift where event_id = event.id)'), 0)
    assert.equal(await numberOf(`participation where created_at > start_time or created_at > '${NOW.toISOString()}'`), 0)
  })

  it('are visible to Ann for the most part', async () => {
    const seen = await numberOf(`event where exists (select from event_group_grant join user_group_member using (group_id)
      join user_profile on user_profile.id = user_id where event_id = event.id and email = 'ann@demo.example')`)
    assert.ok(Math.abs(seen / counts.events - 0.6) < 0.04, `${seen}`)
  })

  it('leave room for the next ids', async () => {
    const [type] = await rowsOf<{ id: number }>('select min(id) as id from event_type')
    const added = await db.write
      .insertInto('event')
      .values({ title: 'One more', location: '', type_id: type!.id })
      .returning('id')
      .executeTakeFirstOrThrow()
    assert.equal(added.id, counts.events + 1)
    await db.write.deleteFrom('event').where('id', '=', added.id).execute()
  })

  it('are refused where people are already', async () => {
    await assert.rejects(loadBulk({ ...options, db }), NotEmpty)
  })

  it('show planted drift, and the rebuild mends it', async () => {
    await db.write.transaction().execute(async (tx) => {
      const quietly = async (table: string, change: string) => {
        await sql.raw(`alter table ${table} disable trigger user`).execute(tx)
        await sql.raw(change).execute(tx)
        await sql.raw(`alter table ${table} enable trigger user`).execute(tx)
      }
      await quietly('event', `update event set start_time = start_time - interval '1 day' where id in (3, 4)`)
      await quietly('event', 'update event set audience_id = 1 where id = 5')
      await quietly('shift', 'update shift set confirmed_count = confirmed_count + 1 where id = 1')
      await quietly('shift', 'update shift set listed_audience_id = 1 where id in (1, 2)')
      await quietly('participation', `update participation set end_time = end_time + interval '1 hour' where id in (7, 8, 9)`)
      await quietly('event_group_grant', 'delete from event_group_grant where event_id = 6')
      await sql
        .raw(
          'delete from qualification_closure where qualification_id in (select max(qualification_id) from qualification_closure)',
        )
        .execute(tx)
      // Too low on purpose: removing events from this audience must not make the count negative.
      await sql.raw('update audience set listed_count = 0, listed_shift_count = 0').execute(tx)
    })
    const drifts = await findDrift(db.read)
    const found = new Map(drifts.map(({ what, count, examples }) => [what, { count, examples }]))
    assert.equal(drifts.length, 9)
    assert.deepEqual(found.get('event: start, end and number of shifts'), { count: 2, examples: [3, 4] })
    assert.deepEqual(found.get('event: audience'), { count: 2, examples: [5, 6] })
    assert.deepEqual(found.get('participation: event and effective times'), { count: 3, examples: [7, 8, 9] })
    assert.deepEqual(found.get('shift: requested and confirmed'), { count: 1, examples: [1] })
    assert.deepEqual(found.get('shift: audience of its listed event')?.examples.slice(0, 2), [1, 2])
    assert.equal(found.get('qualification: everything it includes')?.count, 1)

    await rebuildDenormalised(db.write)
    assert.deepEqual(await findDrift(db.read), [])
  })
})
