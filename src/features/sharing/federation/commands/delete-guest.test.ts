import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { replaceByPlaceholders } from '#features/staffing/participations/commands/cascades.ts'
import { type Actor, ANONYMOUS } from '#platform/auth/actor.ts'
import { actorOf } from '#test/support/command-context.ts'
import {
  addEvent,
  addPartner,
  addType,
  addVisitor,
  ask,
  NOW,
  openTestApp,
  type Partner,
  share,
  type TestApp,
} from '#test/support/federation-setup.ts'
import { OLGA } from '#test/support/people.ts'
import { deleteGuest } from './delete-guest.ts'

const DELETE = '/api/federation/guest/delete/'
const MORNING: [string, string] = ['2031-05-04T04:00:00Z', '2031-05-04T08:00:00Z']
const EVENING: [string, string] = ['2031-05-04T16:00:00Z', '2031-05-04T20:00:00Z']

describe('ending the link to a guest instance', () => {
  let testApp: TestApp
  let type: number

  before(async () => {
    testApp = await openTestApp()
    type = await addType(testApp, 'Race')
  })
  after(() => testApp.close())

  type Place = { shift_id: number; visitor_id: number } | { shift_id: number; placeholder_name: string }
  type Facts = { state?: number; structure_data?: object; individual_start_time?: string; individual_end_time?: string }
  async function addPlace(place: Place, { structure_data = {}, state = 1, ...times }: Facts = {}): Promise<number> {
    const kind = 'visitor_id' in place ? 'visitor' : 'placeholder'
    const row = { ...place, kind, state, structure_data: JSON.stringify(structure_data), ...times }
    // The times and the event are set by a trigger.
    const insert = testApp.db.write.insertInto('participation').values(row as never)
    return (await insert.returning('id').executeTakeFirstOrThrow()).id
  }

  const end = ({ token }: Partner) => ask(testApp, DELETE, { method: 'DELETE', token })
  const placeOf = async (id: number) => {
    const row = await testApp.db.read.selectFrom('participation').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const { modified_at: _at, ...place } = row
    return place
  }
  const namesOn = async (...shifts: number[]) => {
    const { rows } = await sql<{ name: string | null }>`
      select placeholder_name as name from participation where shift_id = any (${shifts}::bigint[]) order by id`.execute(
      testApp.db.read,
    )
    return rows.map(({ name }) => name)
  }
  const count = async (table: 'visitor' | 'event_share' | 'access_token', partner: Partner) => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from ${sql.table(table)} where federated_guest_id = ${partner.id}`.execute(testApp.db.read)
    return rows[0]!.n
  }

  test('returns 204 without body and content type, and 403 afterwards', async () => {
    const nord = await addPartner(testApp, 'Nord')
    const answer = await end(nord)
    assert.deepEqual([answer.statusCode, answer.body, answer.headers['content-type']], [204, '', undefined])
    assert.equal((await end(nord)).statusCode, 403)
    assert.equal((await ask(testApp, '/api/federation/events/', { token: nord.token })).statusCode, 403)
  })

  test('deletes its token, shares and visitors, and nothing of other guests', async () => {
    const nord = await addPartner(testApp, 'Nord')
    const sued = await addPartner(testApp, 'Süd')
    const { id } = await addEvent(testApp, { title: 'Run', type_id: type }, MORNING)
    for (const partner of [nord, sued]) {
      await share(testApp, partner, id)
      await addVisitor(testApp, partner, 'Nils')
    }
    await end(nord)
    for (const table of ['visitor', 'event_share', 'access_token'] as const)
      assert.deepEqual([await count(table, nord), await count(table, sued)], [0, 1], table)
    assert.equal((await ask(testApp, '/api/federation/events/', { token: sued.token })).json().count, 1)
  })

  test('keeps participations with state, times and assignment as placeholders, numbered by visitor', async () => {
    const nord = await addPartner(testApp, 'Nord')
    const { shifts } = await addEvent(testApp, { title: 'Run', type_id: type }, MORNING, EVENING)
    const [morning, evening] = shifts as [number, number]
    const nils = await addVisitor(testApp, nord, 'Nils')
    const nora = await addVisitor(testApp, nord, 'Nora')
    await addVisitor(testApp, nord, 'Never')
    const before: number[] = [
      await addPlace({ shift_id: morning, visitor_id: nora }, { state: 0 }),
      await addPlace(
        { shift_id: morning, visitor_id: nils },
        {
          structure_data: { dispatched_team_uuid: 'a' },
          individual_start_time: '2031-05-04T05:00:00Z',
          individual_end_time: '2031-05-04T06:00:00Z',
        },
      ),
      await addPlace({ shift_id: evening, visitor_id: nils }, { state: 3 }),
      await addPlace({ shift_id: evening, visitor_id: nora }, { state: 2 }),
    ]
    const places = await Promise.all(before.map(placeOf))
    const counts = () =>
      testApp.db.read
        .selectFrom('shift')
        .select(['requested_count', 'confirmed_count', 'missing', 'free'])
        .where('id', 'in', shifts)
        .orderBy('id')
        .execute()
    const countsBefore = await counts()
    await end(nord)
    const names = ['Former guest of Nord (2)', 'Former guest of Nord (1)', 'Former guest of Nord (1)', 'Former guest of Nord (2)']
    for (const [index, id] of before.entries()) {
      const { version } = places[index]!
      const expected = {
        ...places[index]!,
        kind: 'placeholder',
        visitor_id: null,
        placeholder_name: names[index],
        version: version + 1,
      }
      assert.deepEqual(await placeOf(id), expected)
    }
    assert.deepEqual(await counts(), countsBefore)
  })

  test('skips numbers that existing placeholders use at one of the events', async () => {
    const nord = await addPartner(testApp, 'Nord')
    const first = await addEvent(testApp, { title: 'Run', type_id: type }, MORNING, EVENING)
    const second = await addEvent(testApp, { title: 'Walk', type_id: type }, MORNING)
    await addPlace({ shift_id: first.shifts[1]!, placeholder_name: 'Former guest of Nord (1)' })
    await addPlace({ shift_id: second.shifts[0]!, placeholder_name: 'Former guest of Nord (3)' })
    for (const name of ['Nils', 'Nora', 'Nele']) {
      const visitor_id = await addVisitor(testApp, nord, name)
      await addPlace({ shift_id: first.shifts[0]!, visitor_id })
      await addPlace({ shift_id: second.shifts[0]!, visitor_id })
    }
    assert.equal((await end(nord)).statusCode, 204)
    const names = [2, 4, 5].map((n) => `Former guest of Nord (${n})`)
    assert.deepEqual(await namesOn(first.shifts[0]!), names)
    assert.deepEqual(await namesOn(second.shifts[0]!), ['Former guest of Nord (3)', ...names])
  })

  test('shortens the placeholder name of a guest with a very long name', async () => {
    const nord = await addPartner(testApp, '𝒩'.repeat(255))
    const { shifts } = await addEvent(testApp, { title: 'Run', type_id: type }, MORNING)
    await addPlace({ shift_id: shifts[0]!, visitor_id: await addVisitor(testApp, nord, 'Nils') })
    assert.equal((await end(nord)).statusCode, 204)
    const [name] = await namesOn(...shifts)
    assert.match(name!, /^Former guest of 𝒩+… \(1\)$/u)
  })

  test('names the placeholders in the language of the administrator, or else of the instance', async () => {
    const context = { db: testApp.db.write, now: NOW, requestId: null }
    const site = { ...testApp.app.site, defaultLanguage: 'de' as const }
    const endAs = async (actor: Actor, name: string) => {
      const partner = await addPartner(testApp, name)
      const { shifts } = await addEvent(testApp, { title: 'Run', type_id: type }, MORNING)
      await addPlace({ shift_id: shifts[0]!, visitor_id: await addVisitor(testApp, partner, 'Nils') })
      assert.deepEqual(await deleteGuest({ ...context, site, actor }, partner.id), { ok: true })
      return namesOn(...shifts)
    }
    assert.deepEqual(await endAs(ANONYMOUS, 'Ost'), ['Ehemaliger Gast von Ost (1)'])
    assert.deepEqual(await endAs(actorOf(OLGA, { language: 'en' }), 'Süd'), ['Former guest of Süd (1)'])
  })

  test('is recorded in the journal, without names of visitors', async () => {
    const nord = await addPartner(testApp, 'Nord')
    const { shifts } = await addEvent(testApp, { title: 'Run', type_id: type }, MORNING)
    await addPlace({ shift_id: shifts[0]!, visitor_id: await addVisitor(testApp, nord, 'Nils') })
    await end(nord)
    const entries = await testApp.db.read.selectFrom('journal').selectAll().where('subject_id', '=', nord.id).execute()
    assert.equal(entries.length, 1)
    const { kind, actor_kind, actor_id, subject_kind, changes, personal } = entries[0]!
    assert.deepEqual(
      { kind, actor_kind, actor_id, subject_kind, changes, personal },
      {
        kind: 'federated_guest.deleted',
        actor_kind: 'partner',
        actor_id: nord.id,
        subject_kind: 'federated_guest',
        changes: { name: 'Nord', url: 'https://nord.example', visitors: 1, participations: 1 },
        personal: null,
      },
    )
  })

  test('succeeds once for concurrent requests', async () => {
    const nord = await addPartner(testApp, 'Nord')
    const { shifts } = await addEvent(testApp, { title: 'Run', type_id: type }, MORNING)
    await addPlace({ shift_id: shifts[0]!, visitor_id: await addVisitor(testApp, nord, 'Nils') })
    const answers = await Promise.all(Array.from({ length: 8 }, () => end(nord)))
    const statuses = answers.map(({ statusCode }) => statusCode).sort()
    assert.deepEqual(statuses, [204, ...Array.from({ length: 7 }, () => 403)])
    assert.deepEqual(await namesOn(...shifts), ['Former guest of Nord (1)'])
  })

  test('waits for a concurrent sign-up and keeps its participation', async () => {
    const nord = await addPartner(testApp, 'Nord')
    const { id, shifts } = await addEvent(testApp, { title: 'Run', type_id: type }, MORNING)
    const visitor_id = await addVisitor(testApp, nord, 'Nils')
    const ending: { answer?: ReturnType<typeof end> } = {}
    await testApp.db.read.transaction().execute(async (tx) => {
      await sql`select from visitor where id = ${visitor_id} for update`.execute(tx)
      await sql`select from event where id = ${id} for update`.execute(tx)
      ending.answer = end(nord)
      await sql`insert into participation (shift_id, kind, visitor_id, state) values (${shifts[0]!}, 'visitor', ${visitor_id}, 0)`.execute(
        tx,
      )
      await waitForLockOn(testApp, 'visitor')
    })
    assert.equal((await ending.answer)!.statusCode, 204)
    assert.deepEqual(await namesOn(...shifts), ['Former guest of Nord (1)'])
  })

  test('counter-check: without locking visitors, it misses that participation and fails', async () => {
    const nord = await addPartner(testApp, 'Nord')
    const { shifts } = await addEvent(testApp, { title: 'Run', type_id: type }, MORNING)
    const visitor_id = await addVisitor(testApp, nord, 'Nils')
    const ending = testApp.db.write.transaction().execute(async (tx) => {
      const kept = await testApp.db.read.transaction().execute(async (signUp) => {
        await sql`insert into participation (shift_id, kind, visitor_id, state) values (${shifts[0]!}, 'visitor', ${visitor_id}, 0)`.execute(
          signUp,
        )
        return replaceByPlaceholders(tx, { kind: 'visitor', ids: [visitor_id], name: 'Former guest of Nord' })
      })
      assert.equal(kept.participations, 0)
      await tx.deleteFrom('visitor').where('id', '=', visitor_id).execute()
    })
    await assert.rejects(ending, /violates.*constraint/)
  })
})

/** Polls until a statement on this table waits for a lock. */
async function waitForLockOn({ db }: TestApp, table: string): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like ${`%from ${table}%`}`.execute(db.read)
    if (rows[0]!.n > 0) return
  }
}
