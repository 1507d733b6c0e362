import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { deactivatePerson } from '#features/accounts/users/commands/account-state.ts'
import { moveOnBoard } from '#test/support/board.ts'
import { contextAs } from '#test/support/command-context.ts'
import { journalOf } from '#test/support/journal.ts'
import { NotificationOutbox } from '#test/support/notification-outbox.ts'
import { OLGA, PAUL, type Person } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'
import { GUARD, type Guard } from './locks.ts'
import { signUp } from './sign-up.ts'

const PEOPLE = '/manage/people/'

describe('closing an account', async () => {
  const world = await openWorld()
  const outbox = new NotificationOutbox(world)
  const hanna = await world.addPerson({ name: 'Hanna', permissions: ['view_user', 'change_user', 'delete_user'] })
  const hr = await browserOf(world, hanna)
  const crew = await world.addGroup('Crew', [])
  const join = (person: Person) =>
    world.db.write.insertInto('user_group_member').values({ group_id: crew.id, user_id: person.id }).execute()

  /** A person on shifts of the past, of now and of the future, confirmed and requested. */
  async function hasBusyPerson(name: string) {
    const person = await world.addPerson({ name })
    await join(person)
    const configuration = { minimum_number_of_participants: 2, maximum_number_of_participants: 4 }
    const { id: eventId, shifts } = await world.addEvent({
      title: `Harbour run of ${name}`,
      seenBy: [crew],
      responsible: [PAUL],
      shifts: [
        { label: 'past', start: '2031-04-01T08:00:00Z', end: '2031-04-01T12:00:00Z', configuration },
        { label: 'now', start: '2031-05-01T08:00:00Z', end: '2031-05-01T12:00:00Z', configuration },
        { label: 'soon', start: '2031-05-04T08:00:00Z', end: '2031-05-04T12:00:00Z', configuration },
        { label: 'later', start: '2031-05-05T08:00:00Z', end: '2031-05-05T12:00:00Z', configuration },
        { label: 'asked', start: '2031-05-06T08:00:00Z', end: '2031-05-06T12:00:00Z', configuration },
      ],
    })
    const ids: number[] = []
    for (const [index, shift] of shifts.entries())
      ids.push(await world.addParticipation({ who: person, shift, state: index === 4 ? 0 : 1 }))
    return { person, eventId, shifts, ids }
  }
  const statesOf = async ({ id }: Person) =>
    (await world.db.read.selectFrom('participation').select('state').where('user_id', '=', id).orderBy('id').execute()).map(
      ({ state }) => state,
    )

  for (const what of ['deactivate', 'delete'] as const)
    test(`${what}: frees future places and requests, keeps the past and what runs now, and notifies the responsible`, async () => {
      const { person, shifts, ids } = await hasBusyPerson(`Gone ${what}`)
      await outbox.clear()
      assert.equal((await hr.post(`${PEOPLE}${person.id}/${what}/`)).statusCode, 303)
      assert.deepEqual(await statesOf(person), [1, 1, 2, 2, 2])
      const counts = await world.db.read
        .selectFrom('shift')
        .select(['confirmed_count', 'requested_count', 'missing'])
        .where('id', 'in', [...shifts])
        .orderBy('id')
        .execute()
      assert.deepEqual(
        counts.map(({ confirmed_count, requested_count }) => [confirmed_count, requested_count]),
        [
          [1, 0],
          [1, 0],
          [0, 0],
          [0, 0],
          [0, 0],
        ],
      )
      assert.deepEqual(
        counts.slice(2).map(({ missing }) => missing),
        [2, 2, 2],
      )
      const [entry] = await journalOf(world, 'participation', ids[2]!)
      assert.deepEqual([entry!.kind, entry!.actor_id], ['participation.given_up', hanna.id])
      assert.deepEqual(entry!.changes, { state: [1, 2], cause: what === 'delete' ? 'account_deleted' : 'account_deactivated' })
      assert.deepEqual(await journalOf(world, 'participation', ids[0]!), [])
      const mails = await outbox.deliver()
      assert.deepEqual(
        mails.map(({ to, subject }) => [to, subject]),
        [[PAUL.email, `3 changes: Harbour run of Gone ${what}`]],
      )
      const name = what === 'delete' ? 'A deleted person' : 'Gone deactivate'
      assert.match(mails[0]!.text, new RegExp(`${name} was confirmed; the account was closed[^]*2 people are missing now`))
      assert.match(mails[0]!.text, new RegExp(`${name} had requested a place`))
    })

  test('the mail counts what is missing at the worst moment, as pages do', async () => {
    const { person, shifts } = await hasBusyPerson('Quentin')
    await outbox.clear()
    assert.equal((await hr.post(`${PEOPLE}${person.id}/deactivate/`)).statusCode, 303)
    // As if the others came for a part of the time only.
    await world.db.write.updateTable('shift').set({ missing: 0, shortfall: 3 }).where('id', '=', shifts[2]!).execute()
    assert.match((await outbox.deliver())[0]!.text, /Quentin was confirmed; the account was closed.*3 people are missing now/s)
  })

  test('the page lists the places before, without titles of events that the caller cannot see', async () => {
    const { person } = await hasBusyPerson('Lena Listed')
    const seen = await (await browserOf(world, OLGA)).get(`${PEOPLE}${person.id}/deactivate/`)
    assert.match(seen.body, /3 places in upcoming shifts become free at once/)
    assert.match(seen.body, /Harbour run of Lena Listed<\/a>.*4 May.*soon.*confirmed.*later.*asked.*requested/s)
    assert.doesNotMatch(seen.body, /, past|, now/)
    const hidden = await hr.get(`${PEOPLE}${person.id}/deactivate/`)
    assert.match(hidden.body, /An event that you cannot see.*4 May/s)
    assert.doesNotMatch(hidden.body, /Harbour run|soon</)
    assert.deepEqual(await statesOf(person), [1, 1, 1, 1, 0])
    const idle = await world.addPerson({ name: 'Idle' })
    assert.match((await hr.get(`${PEOPLE}${idle.id}/delete/`)).body, /no places or requests in upcoming shifts/)
  })

  test('the page names places at partners, which stay', async () => {
    const person = await world.addPerson({ name: 'Vera Abroad' })
    const { write } = world.db
    const { id: host_id } = await write
      .insertInto('federated_host')
      .values({ name: 'Nord', url: 'https://nord.example', access_token_sealed: 'x' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const times = { start_time: new Date('2031-05-08T08:00:00Z'), end_time: new Date('2031-05-08T12:00:00Z') }
    const event = {
      host_id,
      remote_id: 1,
      title: 'Regatta',
      location: '',
      type_title: 'Race',
      signup_url: 'https://nord.example/1/',
    }
    const { id } = await write
      .insertInto('partner_event')
      .values({ ...event, ...times, fetched_at: world.now })
      .returning('id')
      .executeTakeFirstOrThrow()
    const place = { partner_event_id: id, user_id: person.id, shift_label: 'Finish', fetched_at: world.now, ...times }
    await write
      .insertInto('participation_abroad')
      .values([
        { ...place, remote_shift_id: 1, state: 1 },
        { ...place, remote_shift_id: 2, shift_label: 'Declined one', state: 2 },
      ])
      .execute()
    const { body } = await hr.get(`${PEOPLE}${person.id}/deactivate/`)
    assert.match(body, /Places at partner organisations that stay.*Regatta \(Nord\).*8 May.*Finish.*confirmed/s)
    assert.doesNotMatch(body, /Declined one/)
    assert.doesNotMatch((await hr.get(`${PEOPLE}${person.id}/revoke/`)).body, /Regatta/)
  })

  test('a planner cannot give a future place to a closed account, and can correct the past', async () => {
    const { person, shifts } = await hasBusyPerson('Closed')
    await hr.post(`${PEOPLE}${person.id}/deactivate/`)
    const who = { kind: 'local', id: person.id } as const
    const paul = contextAs(world, PAUL)
    assert.deepEqual(await moveOnBoard(paul, { shiftId: shifts[2]!, who, to: 1 }), {
      ok: false,
      reasons: [{ code: 'account_closed' }],
    })
    assert.equal((await moveOnBoard(paul, { shiftId: shifts[0]!, who, to: 3 })).ok, true)
    assert.equal((await moveOnBoard(paul, { shiftId: shifts[0]!, who, to: 1 })).ok, true)
  })

  test('coupled shifts follow their leader, without entries of their own', async () => {
    const person = await world.addPerson({ name: 'Coupled' })
    const { shifts } = await world.addEvent({ shifts: [{ start: '2031-05-04T08:00:00Z' }, { start: '2031-05-05T08:00:00Z' }] })
    const [leader, follower] = shifts as [number, number]
    await world.db.write
      .updateTable('shift')
      .set({ signup_flow_slug: 'coupled', signup_flow_configuration: JSON.stringify({ leader_shift_id: leader }) })
      .where('id', '=', follower)
      .execute()
    await world.addParticipation({ who: person, shift: leader })
    const followed = await world.addParticipation({ who: person, shift: follower })
    await hr.post(`${PEOPLE}${person.id}/deactivate/`)
    assert.deepEqual(await statesOf(person), [2, 2])
    assert.deepEqual(await journalOf(world, 'participation', followed), [])
  })

  /** Closes the account while a sign-up of the person has passed its checks. */
  async function closeDuringSignUp(locks: Omit<Guard, 'checked'>): Promise<number[]> {
    const person = await world.addPerson({ name: 'Quick' })
    await join(person)
    const { shifts } = await world.addEvent({
      seenBy: [crew],
      shifts: [{ start: '2031-05-04T08:00:00Z', flow: 'instant_confirmation' }],
    })
    let closing: Promise<unknown> | undefined
    let isClosed = false
    const isBlocked = async () => {
      const { rows } = await sql<{ blocked: number }>`select count(*)::int as blocked from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(world.db.read)
      return rows[0]!.blocked > 0
    }
    const guard: Guard = {
      ...locks,
      checked: async () => {
        closing = deactivatePerson(contextAs(world, OLGA), person.id, {}).then(() => {
          isClosed = true
        })
        while (!isClosed && !(await isBlocked()));
      },
    }
    const context = contextAs(world, person)
    const actor = { ...context.actor, groupIds: [crew.id] } as typeof context.actor
    await signUp({ ...context, actor }, { shiftId: shifts[0]! }, guard)
    await closing
    return statesOf(person)
  }

  test('a sign-up that is being stored is given up, too', async () => assert.deepEqual(await closeDuringSignUp(GUARD), [2]))

  test('without the lock of the person the place would stay', async () =>
    assert.deepEqual(await closeDuringSignUp({ ...GUARD, lockPeople: async () => {}, lockEvent: async () => true }), [1]))
})
