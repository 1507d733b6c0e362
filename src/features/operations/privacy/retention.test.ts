import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { retentionRulesOf } from '#platform/features/retention.ts'
import { dumpTables, TRACES } from '#test/support/canary.ts'
import { NORD, OLGA } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'
import { FEATURES } from '../../../features.ts'
import { runRetention } from './commands/retention.ts'
import { findInactiveAccounts, previewRules } from './queries/retention.ts'

const RETENTION_RULES = retentionRulesOf(FEATURES)
const PRIVACY = '/manage/privacy/'

describe('retention rules', async () => {
  const world = await openWorld()
  const { write } = world.db
  const days = (count: number) => new Date(world.now.getTime() - count * 86_400_000)
  const context = () => ({ db: write, now: world.now, site: world.app.site, requestId: null })
  const old = await world.addEvent({ title: 'Old fair', sharedWith: [NORD], shifts: [{ start: '2029-01-01T08:00:00Z' }] })
  const shift = old.shifts[0]!
  await world.addParticipation({ who: { guest: { name: 'Zacharias Guest', email: 'guest@canary.example' } }, shift, state: 1 })
  await world.addParticipation({
    who: { visitor: { name: 'Zacharias Visitor', email: 'visitor@canary.example' }, of: NORD },
    shift,
    state: 1,
  })
  await sql`update visitor set created_at = ${days(900)}`.execute(write)
  const fresh = (await world.addEvent({ shifts: [{ start: '2031-06-01T08:00:00Z' }] })).shifts[0]!
  await world.addParticipation({ who: { guest: { name: 'Recent guest' } }, shift: fresh, state: 1 })
  await world.addParticipation({ who: { visitor: { name: 'Recent visitor' }, of: NORD }, shift: fresh, state: 1 })
  const idle = await world.addPerson({ name: 'Idle', dateOfBirth: '1950-01-02' })
  const active = await world.addPerson({ name: 'Active', dateOfBirth: '1951-01-02' })
  const young = await world.addPerson({ name: 'Young', dateOfBirth: '1952-01-02' })
  await sql`update user_profile set created_at = ${days(2000)}, last_sign_in_at = ${days(1500)} where id in (${idle.id}, ${active.id})`.execute(
    write,
  )
  await world.addParticipation({ who: active, shift: fresh, state: 1 })
  const entry = (at: Date) => sql`insert into journal (at, kind, actor_kind, subject_kind, subject_id, person_id, personal)
    values (${at}, 'user.changed', 'system', 'user', ${idle.id}, ${idle.id}, '{"date_of_birth": [null, "1950-01-02"], "phone": [null, "1"]}')`
  await entry(days(1100)).execute(write)
  await entry(days(1000)).execute(write)
  const notice = (
    at: Date,
    source: string,
  ) => sql`insert into notification (user_id, kind, source, bundle, created_at, next_attempt_at)
    values (${idle.id}, 'reminder', ${source}, 'b', ${at}, ${at})`
  await notice(days(91), 'a').execute(write)
  await notice(days(89), 'b').execute(write)
  const message = (at: Date) =>
    sql`insert into event_message (event_id, subject, text, created_at) values (${old.id}, 'S', 'T', ${at})`
  await message(days(731)).execute(write)
  await message(days(729)).execute(write)

  const { id: place } = await sql<{ id: number }>`select id from participation where shift_id = ${fresh} order by id limit 1`
    .execute(write)
    .then(({ rows }) => rows[0]!)
  const mark = (at: Date, outcome: string) =>
    sql`insert into attendance_mark (id, participation_id, kind, no_show, no_show_before, outcome, source, made_at, received_at)
      values (gen_random_uuid(), ${place}, 'arrived', false, false, ${outcome}, 'planner', ${at}, ${at})`
  await mark(days(366), 'applied').execute(write)
  await mark(days(366), 'conflict').execute(write)
  await mark(days(364), 'applied').execute(write)

  const expected = { guests: 1, visitors: 1, journal: 1, notifications: 1, messages: 1, attendance: 1, birth_dates: 1 }

  test('are previewed', async () => {
    const previews = await previewRules(write, RETENTION_RULES, world.now)
    assert.deepEqual(Object.fromEntries(previews.map(({ name, count }) => [name, count])), expected)
    assert.deepEqual(previews.find(({ name }) => name === 'journal')?.oldest, days(1100))
    const page = (await (await browserOf(world, OLGA)).get(PRIVACY)).body
    assert.match(page, /Visitors of partners.*365 days.*>1</s)
    assert.match(page, /The rules have not run yet/)
  })

  test('are off with 0 days', async () => {
    const olga = await browserOf(world, OLGA)
    const form = {
      retention_visitors_days: '0',
      retention_journal_days: '1095',
      retention_notifications_days: '90',
      retention_messages_days: '730',
      retention_attendance_days: '365',
      retention_birth_dates_days: '730',
      retention_accounts_days: '1095',
      erasure_waiting_days: '14',
    }
    await olga.get(PRIVACY)
    assert.equal((await olga.post(PRIVACY, { form: { ...form, retention_journal_days: 'x' } })).statusCode, 422)
    assert.equal((await olga.post(PRIVACY, { form: { ...form, erasure_waiting_days: '91' } })).statusCode, 422)
    assert.equal((await olga.post(PRIVACY, { form })).statusCode, 303)
    const visitors = async () => (await previewRules(write, RETENTION_RULES, world.now)).find(({ name }) => name === 'visitors')
    assert.deepEqual(await visitors(), { name: 'visitors', days: 0, count: 0, oldest: null })
    await olga.post(PRIVACY, { form: { ...form, retention_visitors_days: '365' } })
    assert.equal((await visitors())?.count, 1)
  })

  test('delete what the preview names, keep counts, and write what they did', async () => {
    const results = await runRetention(context(), RETENTION_RULES)
    assert.deepEqual(Object.fromEntries(results.map(({ name, removed }) => [name, removed])), expected)
    const dump = await dumpTables(write)
    for (const [table, text] of dump) assert.doesNotMatch(text, TRACES, table)
    const { rows: places } = await sql<{ kind: string; placeholder_name: string }>`
      select kind, placeholder_name from participation where shift_id = ${shift} order by id`.execute(write)
    assert.deepEqual(places, [
      { kind: 'placeholder', placeholder_name: 'Former guest (1)' },
      { kind: 'placeholder', placeholder_name: 'Former guest of Nord (1)' },
    ])
    const births = await write
      .selectFrom('user_profile')
      .select('display_name')
      .where('date_of_birth', 'is not', null)
      .where('id', '>', 100)
      .orderBy('id')
      .execute()
    assert.deepEqual(
      births.map(({ display_name }) => display_name),
      ['Active', 'Young'],
    )
    assert.doesNotMatch(dump.get('public.journal')!, /1950-01-02/)
    assert.match(dump.get('public.journal')!, /"phone"/)
    assert.ok(young)
    const again = await runRetention(context(), RETENTION_RULES)
    assert.ok(again.every(({ removed }) => removed === 0))
    const page = (await (await browserOf(world, OLGA)).get(PRIVACY)).body
    assert.match(page, /Runs.*Birth dates of inactive people/s)
  })

  test('suggest inactive accounts and delete none', async () => {
    const found = await findInactiveAccounts(write, days(1095), 10)
    assert.deepEqual(
      found.map(({ name }) => name),
      ['Idle'],
    )
    const page = (await (await browserOf(world, OLGA)).get(PRIVACY)).body
    assert.match(page, new RegExp(`/manage/people/${idle.id}/delete/`))
  })

  test('a rule that fails does not keep the others from running', async () => {
    const ran: string[] = []
    const rule = (name: string, fails: boolean) => ({
      name,
      getDays: async () => 1,
      find: async () => ({ count: 0, oldest: null }),
      remove: async () => {
        ran.push(name)
        if (fails) throw new Error('broken rule')
        return 0
      },
    })
    await assert.rejects(runRetention(context(), [rule('first', true), rule('second', false)]), /broken rule/)
    assert.deepEqual(ran, ['first', 'second'])
  })
})
