import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from 'kysely'
import { findDrift } from '#features/operations/backup/commands/denormalised.ts'
import { STRUCTURES } from '#features/staffing/staffing/structures/registry.ts'
import { checkPassword } from '#platform/auth/passwords.ts'
import { makeKeyring } from '#platform/auth/secrets.ts'
import type { Database } from '#platform/db/pool.ts'
import { freshDatabase, openTestDatabase, type TestDatabase } from '#test/support/database.ts'
import { makeMemoryStore } from '#test/support/file-store.ts'
import { NotEmpty } from './base.ts'
import { loadDemoWorld } from './world.ts'

const keyring = makeKeyring('a key of thirty-two bytes or more')
const passwords = { olga: 'olga needs this', paul: 'paul needs this', ann: 'ann needs this' }
const NOW = new Date('2026-05-20T09:30:00Z')
const files = makeMemoryStore()
const demo = { language: 'de', now: NOW, seed: 7, timeZone: 'Europe/Berlin', keyring, passwords, files } as const

async function rowsOf<T>(db: Database, query: string): Promise<T[]> {
  const { rows } = await sql.raw<T>(query).execute(db.read)
  return rows
}
const numberOf = async (db: Database, query: string) =>
  (await rowsOf<{ n: number }>(db, `select count(*) as n from ${query}`))[0]!.n

const OVERLAPS = `participation a join participation b using (user_id)
  where a.id < b.id and a.state = 1 and b.state = 1 and a.start_time < b.end_time and b.start_time < a.end_time`

describe('the demo world', () => {
  const opened: { db: Database; test: TestDatabase }[] = []

  async function openFresh(): Promise<Database> {
    const test = await freshDatabase()
    const db = openTestDatabase({ url: test.url })
    opened.push({ db, test })
    return db
  }

  after(async () => {
    for (const { db, test } of opened) {
      await db.close()
      await test.drop()
    }
  })

  let db: Database
  before(async () => {
    db = await openFresh()
    const counts = await loadDemoWorld({ ...demo, db })
    assert.equal(counts.events, 41)
  })

  it('has a series of training evenings that differ in their titles only', async () => {
    const series = await rowsOf<{ rrule: string }>(db, 'select rrule from event_series')
    assert.match(series[0]!.rrule, /^FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;/)
    assert.equal(await numberOf(db, 'event_series_member'), 5)
    assert.equal(await numberOf(db, 'event_template'), 1)
    assert.equal(await numberOf(db, 'programme'), 1)
  })

  it('has people of every sort, and only three can sign in', async () => {
    assert.equal(await numberOf(db, `user_profile where not is_service_account`), 61)
    assert.equal(await numberOf(db, `user_profile where not is_service_account and email not like '%@demo.example'`), 2)
    // The children have no address.
    assert.equal(await numberOf(db, `user_profile where email like '%@no-address.invalid'`), 2)
    assert.equal(await numberOf(db, `user_profile where not is_active`), 1)
    assert.equal(await numberOf(db, `user_profile where not is_visible and not is_service_account`), 1)
    assert.ok(
      (await numberOf(db, `user_profile where date_of_birth > date '${NOW.toISOString().slice(0, 10)}' - interval '18 years'`)) >=
        4,
    )
    const able = await rowsOf<{ email: string; password_hash: string; is_staff: boolean }>(
      db,
      'select email, password_hash, is_staff from user_profile where password_hash is not null order by email',
    )
    assert.deepEqual(
      able.map(({ email, is_staff }) => [email, is_staff]),
      [
        ['ann@demo.example', false],
        ['olga@demo.example', true],
        ['paul@demo.example', false],
      ],
    )
    assert.ok((await checkPassword(passwords.ann, able[0]!.password_hash)).ok)
  })

  it('has an event today, with people who are there, did not come, or are expected', async () => {
    const marked = await rowsOf<{ no_show: boolean }>(db, 'select distinct no_show from attendance order by 1')
    assert.deepEqual(marked, [{ no_show: false }, { no_show: true }])
    assert.equal(await numberOf(db, 'event_check_in where is_active'), 1)
    assert.ok(
      (await numberOf(
        db,
        'participation p join event_check_in c on c.event_id = p.event_id where p.state = 1 and not exists (select from attendance where participation_id = p.id)',
      )) > 0,
    )
  })

  it('has groups, qualifications, types and blocks', async () => {
    assert.equal(await numberOf(db, 'user_group'), 8)
    assert.equal(await numberOf(db, 'qualification'), 12)
    assert.equal(await numberOf(db, 'qualification_category'), 4)
    assert.ok((await numberOf(db, 'qualification_closure')) > (await numberOf(db, 'qualification_inclusion')))
    assert.ok((await numberOf(db, `qualification_grant where expires_at < '${NOW.toISOString()}'`)) > 0)
    assert.ok((await numberOf(db, `qualification_grant where expires_at > '${NOW.toISOString()}'`)) > 0)
    assert.equal((await rowsOf(db, 'select distinct show_participant_data from event_type')).length, 4)
    assert.equal((await rowsOf(db, 'select distinct color from event_type')).length, 5)
    assert.equal((await rowsOf(db, 'select distinct block_type from building_block')).length, 2)
    assert.ok((await numberOf(db, 'building_block where allow_more')) > 0)
  })

  it('has events in every condition, and every listed one has shifts', async () => {
    assert.ok((await numberOf(db, 'event where not active')) >= 2)
    assert.equal(await numberOf(db, 'event where cancellation_reason is not null'), 1)
    assert.equal(await numberOf(db, 'event where deleted_at is not null'), 1)
    assert.equal(await numberOf(db, 'event where listed and not exists (select from shift where event_id = event.id)'), 0)
    assert.equal(await numberOf(db, '(select from shift group by event_id having count(*) > 4) crowded'), 0)
    assert.ok(
      (await numberOf(
        db,
        `shift where (start_time at time zone 'Europe/Berlin')::date < (end_time at time zone 'Europe/Berlin')::date`,
      )) > 5,
    )
    assert.ok((await numberOf(db, `shift where end_time - start_time > interval '24 hours'`)) > 0)
    assert.ok((await numberOf(db, `event where end_time < '${NOW.toISOString()}'`)) >= 12)
    assert.ok((await numberOf(db, `event where listed and start_time > '${NOW.toISOString()}'`)) >= 12)
  })

  it('uses every flow and structure, with configurations that can be read', async () => {
    type Row = { signup_flow_slug: string; structure_slug: string; structure_configuration: unknown }
    const shifts = await rowsOf<Row>(db, 'select signup_flow_slug, structure_slug, structure_configuration from shift')
    const flows = new Set(shifts.map((shift) => shift.signup_flow_slug))
    assert.deepEqual([...flows].sort(), ['coupled', 'instant_confirmation', 'manual', 'request_confirm'])
    assert.equal(new Set(shifts.map((shift) => shift.structure_slug)).size, STRUCTURES.length)
    for (const { slug, configuration } of STRUCTURES) {
      for (const shift of shifts.filter(({ structure_slug }) => structure_slug === slug)) {
        assert.ok(configuration.safeParse(shift.structure_configuration).success, slug)
      }
    }
    const leaders = `shift join shift leader on leader.id = (shift.signup_flow_configuration->>'leader_shift_id')::bigint
      where shift.signup_flow_slug = 'coupled' and leader.event_id = shift.event_id and leader.signup_flow_slug <> 'coupled'`
    assert.equal(await numberOf(db, leaders), shifts.filter(({ signup_flow_slug }) => signup_flow_slug === 'coupled').length)
  })

  it('has participations of every kind and state, but none getting dispatched', async () => {
    assert.equal((await rowsOf(db, 'select distinct kind from participation')).length, 4)
    const states = await rowsOf<{ state: number }>(db, 'select distinct state from participation order by state')
    assert.deepEqual(
      states.map(({ state }) => state),
      [0, 1, 2, 3],
    )
    assert.ok(
      (await numberOf(db, 'participation where individual_start_time is not null or individual_end_time is not null')) > 5,
    )
    assert.equal((await rowsOf(db, 'select distinct visible_for from participation_comment')).length, 3)
    assert.equal(await numberOf(db, `participation where finished <> (state = 1 and end_time <= '${NOW.toISOString()}')`), 0)
    const strangers = `participation join user_profile on user_profile.id = user_id where not exists (
      select from event_group_grant join user_group_member using (group_id)
      where event_id = participation.event_id and user_group_member.user_id = participation.user_id)`
    assert.equal(await numberOf(db, strangers), 0)
  })

  it('has no conflicts, and no instant shift beyond its capacity', async () => {
    assert.equal(await numberOf(db, OVERLAPS), 0)
    assert.equal(await numberOf(db, `shift where signup_flow_slug = 'instant_confirmation' and confirmed_count > max_count`), 0)
    assert.equal(
      await numberOf(
        db,
        `shift join participation on shift_id = shift.id where signup_flow_slug = 'instant_confirmation' and state = 0`,
      ),
      0,
    )
    assert.equal(await numberOf(db, 'shift where free is null and max_count is not null'), 0)
  })

  it('gives each of the cast something behind and something ahead, in more than one state', async () => {
    for (const name of ['olga', 'paul', 'ann']) {
      const own = `participation join user_profile on user_profile.id = user_id where email = '${name}@demo.example'`
      assert.ok((await rowsOf(db, `select distinct state from ${own}`)).length >= 2, name)
      assert.ok((await numberOf(db, `${own} and end_time < '${NOW.toISOString()}'`)) > 0, name)
      assert.ok((await numberOf(db, `${own} and start_time > '${NOW.toISOString()}'`)) > 0, name)
    }
    const seen = `event where listed and exists (select from event_group_grant join user_group_member using (group_id)
      join user_profile on user_profile.id = user_id where event_id = event.id and email = 'ann@demo.example')`
    const listed = await numberOf(db, 'event where listed')
    assert.ok((await numberOf(db, seen)) > listed / 2)
    assert.ok((await numberOf(db, seen)) < listed)
    const led = `event_user_grant join user_profile on user_profile.id = user_id where email = 'paul@demo.example' and permission = 'change'`
    assert.ok((await numberOf(db, led)) >= 12)
  })

  it('knows partners, and all of them are paused', async () => {
    assert.equal(await numberOf(db, 'federated_guest'), 1)
    assert.equal(await numberOf(db, 'federated_host'), 1)
    assert.equal(
      await numberOf(
        db,
        '(select paused from federated_guest union all select paused from federated_host) partner where not paused',
      ),
      0,
    )
    assert.equal(await numberOf(db, 'visitor'), 2)
    assert.equal(await numberOf(db, 'partner_event'), 2)
    assert.ok((await numberOf(db, 'event_share')) >= 3)
    const elsewhere = `participation where kind = 'visitor' and not exists (select from event_share where event_id = participation.event_id)`
    assert.equal(await numberOf(db, elsewhere), 0)
    assert.equal(
      await numberOf(db, `participation join guest on guest.id = guest_id where guest.event_id <> participation.event_id`),
      0,
    )
    assert.ok((await numberOf(db, 'working_hours')) >= 10)
  })

  it('leaves nothing drifted', async () => {
    assert.deepEqual(await findDrift(db.read), [])
  })

  it('is refused where people are already', async () => {
    await assert.rejects(loadDemoWorld({ ...demo, db }), NotEmpty)
    assert.equal(await numberOf(db, 'event'), 41)
  })

  it('is the same for the same seed at the same time', async () => {
    const again = await openFresh()
    await loadDemoWorld({ ...demo, db: again })
    for (const [table, secrets] of Object.entries(TABLES)) {
      // The database notes when rows were written.
      const left = [...secrets, 'modified_at'].join(',')
      const query = `select to_jsonb(${table}) - '{${left}}'::text[] as row from ${table} order by to_jsonb(${table})->'id', ${table}`
      assert.deepEqual(await rowsOf(again, query), await rowsOf(db, query), table)
    }
  })

  for (const [seed, now] of [
    [1, '2027-01-03T23:30:00Z'],
    [2, '2026-03-29T01:00:00Z'],
  ] as const) {
    it(`holds together with seed ${seed} at ${now}`, async () => {
      const other = await openFresh()
      await loadDemoWorld({ ...demo, db: other, seed, now: new Date(now) })
      assert.equal(await numberOf(other, OVERLAPS), 0)
      assert.deepEqual(await findDrift(other.read), [])
    })
  }
})

/** Tables with the columns that hold secrets or values derived from them; they differ on each load. */
const TABLES: Record<string, string[]> = {
  qualification: [],
  user_profile: ['password_hash'],
  user_group_member: [],
  service_account: [],
  webhook: ['secret_sealed'],
  qualification_grant: [],
  building_block: [],
  block_position: [],
  event_type: [],
  event: [],
  audience: [],
  event_group_grant: [],
  event_user_grant: [],
  shift: [],
  participation: [],
  participation_comment: [],
  guest: ['access_token_hash', 'access_token_sealed'],
  guest_share: ['token_hash', 'token_sealed'],
  visitor: [],
  federated_guest: ['client_secret_sealed'],
  federated_host: ['access_token_sealed'],
  partner_event: [],
  participation_abroad: [],
  working_hours: [],
  decision_request: [],
  event_qualification: [],
  content_page: [],
  resource_category: [],
  resource: [],
  shift_resource: [],
  question: [],
  shift_question: [],
  answer: [],
  saved_answer: [],
  stored_file: ['id'],
  attachment: ['file_id'],
  event_attachment: [],
}
