import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { SCOPES } from '#platform/auth/scopes.ts'
import type { Tx } from '#platform/db/transaction.ts'
import { actorOf, contextOf } from '#test/support/command-context.ts'
import { journalOf } from '#test/support/journal.ts'
import { findJobs } from '#test/support/mail-outbox.ts'
import { BEN, HELPERS, OLGA, type Person } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'
import { requireStaff } from '../access.ts'
import { deactivatePerson, deletePerson } from './account-state.ts'
import { lockAdministration } from './locks.ts'
import { changePerson } from './people.ts'

const PEOPLE = '/manage/people/'

describe('deactivating, revoking and deleting accounts', async () => {
  const world = await openWorld({ hasMail: true })
  const stella = await world.addPerson({ name: 'Stella', isStaff: true })
  const hanna = await world.addPerson({ name: 'Hanna', permissions: ['view_user', 'add_user', 'change_user', 'delete_user'] })
  const hr = await browserOf(world, hanna)
  const staff = await browserOf(world, stella)
  const row = (id: number) => world.db.read.selectFrom('user_profile').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const status = (token: string) => world.with({ authorization: `Bearer ${token}` }).status('/api/users/me/', { unchecked: true })

  test('deactivation ends all sessions; tokens work again after reactivation', async () => {
    const cem = await world.addPerson({ name: 'Cem' })
    const browser = await browserOf(world, cem)
    const token = await world.makeToken(cem, ['ME_READ'])
    assert.deepEqual([(await browser.get('/')).statusCode, await status(token)], [200, 200])
    assert.equal((await hr.post(`${PEOPLE}${cem.id}/deactivate/`)).statusCode, 303)
    assert.deepEqual([(await browser.get('/')).statusCode, await status(token)], [303, 401])
    assert.match((await hr.get(`${PEOPLE}${cem.id}/`)).body, /inactive</)
    const before = (await findJobs(world.db, 'account_mail')).length
    await hr.post(`${PEOPLE}${cem.id}/send-link/`)
    assert.equal((await findJobs(world.db, 'account_mail')).length, before)
    await hr.post(`${PEOPLE}${cem.id}/reactivate/`)
    assert.deepEqual([(await browser.get('/')).statusCode, await status(token)], [303, 200])
    assert.deepEqual(
      (await journalOf(world, 'user', cem.id)).map(({ kind }) => kind),
      ['user.deactivated', 'user.reactivated'],
    )
  })

  test('revoking access disables every credential', async () => {
    const dora = await world.addPerson({ name: 'Dora' })
    const browser = await browserOf(world, dora)
    const token = await world.makeToken(dora, ['ME_READ'])
    await world.db.write
      .updateTable('user_profile')
      .set({ password_hash: 'x', calendar_token_hash: Buffer.from('c'), calendar_token_sealed: 's' })
      .where('id', '=', dora.id)
      .execute()
    await sql`insert into one_time_link (token_hash, purpose, user_id, created_at, expires_at)
      values ('l', 'reset_password', ${dora.id}, ${world.now}, ${new Date(world.now.getTime() + 1e6)})`.execute(world.db.write)
    assert.equal((await hr.post(`${PEOPLE}${dora.id}/revoke/`)).statusCode, 303)
    const { password_hash, calendar_token_hash, calendar_token_sealed, is_active } = await row(dora.id)
    assert.deepEqual([password_hash, calendar_token_hash, calendar_token_sealed, is_active], [null, null, null, true])
    assert.deepEqual([(await browser.get('/')).statusCode, await status(token)], [303, 401])
    const links = await world.db.read.selectFrom('one_time_link').select('token_hash').where('user_id', '=', dora.id).execute()
    assert.equal(links.length, 0)
  })

  test('HR cannot close accounts of administrators, and people cannot close their own', async () => {
    for (const [browser, person] of [
      [hr, stella],
      [hr, OLGA],
      [hr, hanna],
      [staff, OLGA],
      [staff, stella],
    ] as const)
      for (const what of ['deactivate', 'revoke', 'delete']) {
        await browser.post(`${PEOPLE}${person.id}/${what}/`)
        const { is_active, deleted_at } = await row(person.id)
        assert.deepEqual([is_active, deleted_at], [true, null], `${what} ${person.name}`)
        assert.equal((await browser.get(`${PEOPLE}${person.id}/${what}/`)).headers.location, `${PEOPLE}${person.id}/`)
      }
    assert.equal((await hr.get('/')).statusCode, 200)
  })

  test('deletion erases personal data, also in the journal, and keeps counts', async () => {
    const emil = await world.addPerson({ name: 'Emil Erased', email: 'emil.erased@a.example', phone: '+4940777777' })
    const token = await world.makeToken(emil, ['ME_READ'])
    await world.db.write.insertInto('user_group_member').values({ group_id: HELPERS.id, user_id: emil.id }).execute()
    await world.holds(emil, await world.addQualification('Cook'))
    const { shifts, id: eventId } = await world.addEvent({
      seenBy: [HELPERS],
      responsible: [emil],
      shifts: [{ start: '2031-04-01T08:00:00Z' }, { start: '2031-06-01T08:00:00Z' }],
    })
    const past = await world.addParticipation({ who: emil, shift: shifts[0]!, state: 1 })
    await world.addParticipation({ who: emil, shift: shifts[1]!, state: 1 })
    await world.db.write
      .insertInto('participation_comment')
      .values({
        participation_id: past,
        text: 'I limp',
        visible_for: 0,
        author_kind: 'participant',
        author_id: emil.id,
        created_at: world.now,
      })
      .execute()
    await world.db.write
      .insertInto('working_hours')
      .values({ user_id: emil.id, hours: '3.5', reason: 'Emil helped', date: '2031-04-01' })
      .execute()
    const form = { name: 'Emil Renamed', email: emil.email, language: 'en', is_visible: 'on', phone: '+4940778778' }
    await staff.post(`${PEOPLE}${emil.id}/`, { form: { ...form, groups: String(HELPERS.id) } })
    const asked = await hr.get(`${PEOPLE}${emil.id}/delete/`)
    assert.match(asked.body, /1 shift they worked stays.*1 place in an upcoming shift.*responsible for 1 upcoming event/s)
    assert.equal((await hr.post(`${PEOPLE}${emil.id}/delete/`)).headers.location, PEOPLE)
    assert.equal(await status(token), 401)
    assert.equal((await hr.get(`${PEOPLE}${emil.id}/`)).statusCode, 404)
    assert.equal((await hr.post(`${PEOPLE}${emil.id}/reactivate/`)).statusCode, 404)
    const everything = await Promise.all(
      ['user_profile', 'journal', 'participation_comment', 'working_hours', 'access_token', 'known_device'].map(async (table) =>
        JSON.stringify((await sql`select * from ${sql.table(table)}`.execute(world.db.write)).rows),
      ),
    )
    for (const text of everything) assert.doesNotMatch(text, /Emil|emil\.erased|\+49407|I limp/)
    const counted = await sql<{
      count: number
    }>`select count(*)::int as count from participation where user_id = ${emil.id}`.execute(world.db.read)
    assert.equal(counted.rows[0]!.count, 2)
    const hours = await world.db.read.selectFrom('working_hours').select('hours').where('user_id', '=', emil.id).execute()
    assert.equal(Number(hours[0]!.hours), 3.5)
    const grants = await world.db.read.selectFrom('event_user_grant').selectAll().where('event_id', '=', eventId).execute()
    assert.equal(grants.length, 0)
    assert.ok(!(await world.as(OLGA, 'CONFIDENTIAL_READ').ids('/api/users/')).includes(emil.id))
  })
})

describe('the last administrator', async () => {
  const world = await openWorld({ hasMail: true })
  const formOf = (person: Person) => ({
    name: person.name,
    email: person.email,
    date_of_birth: null,
    phone: null,
    language: 'en' as const,
    groups: [],
    is_staff: false,
    is_visible: true,
  })
  const staffLeft = async () =>
    (
      await world.db.read
        .selectFrom('user_profile')
        .select('id')
        .where('is_staff', '=', true)
        .where('is_active', '=', true)
        .execute()
    ).length

  test('cannot be demoted, deactivated or deleted, not even by an operator', async () => {
    const sole = await world.addPerson({ name: 'Sole', isStaff: true })
    const olga = contextOf(world, actorOf(OLGA))
    assert.deepEqual(await changePerson(olga, sole.id, formOf(sole)), { ok: false, reasons: ['is_staff_last'] })
    assert.deepEqual(await deactivatePerson(olga, sole.id), { ok: false, reason: 'last_administrator' })
    assert.deepEqual(await deletePerson(olga, sole.id), { ok: false, reason: 'last_administrator' })
    assert.equal(await staffLeft(), 1)
    const second = await world.addPerson({ name: 'Second', isStaff: true })
    assert.equal((await deactivatePerson(olga, second.id)).ok, true)
    // An inactive administrator does not count.
    assert.deepEqual(await deletePerson(olga, sole.id), { ok: false, reason: 'last_administrator' })
    await world.db.write.updateTable('user_profile').set({ is_staff: false }).execute()
  })

  /** Starts both transactions before either takes the lock. Without the lock, both read before either writes. */
  async function demoteEachOther(lock: (tx: Tx) => Promise<void>): Promise<number> {
    const pair = [await world.addPerson({ name: 'One', isStaff: true }), await world.addPerson({ name: 'Two', isStaff: true })]
    let started = 0
    let release!: () => void
    const bothStarted = new Promise<void>((resolve) => {
      release = resolve
    })
    const lockAfterBoth = async (tx: Tx) => {
      if (++started === 2) release()
      await bothStarted
      await lock(tx)
    }
    await Promise.all(
      pair.map((person, at) =>
        changePerson(contextOf(world, actorOf(pair[1 - at]!)), person.id, formOf(person), { lock: lockAfterBoth }),
      ),
    )
    const left = await staffLeft()
    await world.db.write.updateTable('user_profile').set({ is_staff: false }).execute()
    return left
  }

  test('stays when two administrators demote each other at the same time', async () =>
    assert.equal(await demoteEachOther(lockAdministration), 1))

  test('is lost without the lock', async () => {
    // Repeats until both transactions read before either writes.
    for (let tries = 0; tries < 20; tries++) if ((await demoteEachOther(async () => {})) === 0) return
    assert.fail('the race did not occur')
  })

  test('stays when one administrator deactivates the other who deletes the first', async () => {
    const pair = [
      await world.addPerson({ name: 'One', isStaff: true }),
      await world.addPerson({ name: 'Two', isStaff: true }),
    ] as const
    const by = (person: Person) => contextOf(world, actorOf(person))
    await Promise.all([deactivatePerson(by(pair[0]), pair[1].id), deletePerson(by(pair[1]), pair[0].id)])
    assert.equal(await staffLeft(), 1)
  })

  test('commands refuse callers with an API token for something else', async () => {
    const stella = await world.addPerson({ name: 'Stella', isStaff: true })
    const actor = actorOf(stella, { via: { kind: 'token', tokenId: 1, scopes: new Set(['ME_READ']) } })
    await assert.rejects(deactivatePerson(contextOf(world, actor), BEN.id), /permission_denied/)
  })

  test('settings of the organisation need a session, whatever the scopes of a token', async () => {
    const stella = await world.addPerson({ name: 'Stella', isStaff: true })
    const actor = actorOf(stella, { via: { kind: 'token', tokenId: 1, scopes: new Set(SCOPES) } })
    assert.throws(() => requireStaff(actor), /permission_denied/)
    assert.equal(requireStaff(actorOf(stella)).userId, stella.id)
  })
})
