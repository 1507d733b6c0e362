import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { ANONYMOUS, type GuestActor, makeActor } from '#platform/auth/actor.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import { transact } from '#platform/db/transaction.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { contextAs } from '#test/support/command-context.ts'
import { ANN, OLGA, PAUL, type Person } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import {
  authenticateGuest,
  findDeclarable,
  findDeclared,
  findFormerGuests,
  findOwnPlaces,
  findPublicShifts,
  getEventOfLink,
  getMailedGuest,
  getMailedLink,
  getManagedEvent,
  getOwnGuest,
} from '../queries.ts'
import { MAX_UNPROVED_GUESTS, mailCode, makeMailToken } from '../rules.ts'
import { clearGuestMailFailure, recordGuestMailFailure } from './mail-failure.ts'
import { decideQualification, mailLinkTo } from './manage.ts'
import { changeOwnDetails, deleteSelf, mailOwnLink } from './own.ts'
import { proveAddress } from './prove.ts'
import { registerGuest } from './register.ts'
import { deleteFormerGuests, removeGuest } from './removal.ts'
import { copyGuestShare, lockManagedEvent, renewGuestShare, switchGuestShare } from './share.ts'

const HOUR_MS = 3_600_000

describe('guests in the database', async () => {
  const world = await openWorld({ hasMail: true })
  const { write } = world.db
  const { keyring } = world.app.site
  const as = (person: Person) => contextAs(world, person)
  const at = (hours: number) => new Date(world.now.getTime() + hours * HOUR_MS)
  const span = (from: number, until: number, label = '') => ({
    label,
    start: at(from).toISOString(),
    end: at(until).toISOString(),
  })
  const fair = await world.addEvent({
    title: 'Fair',
    responsible: [PAUL],
    shifts: [span(5, 6, 'late'), span(1, 2, 'early'), span(-3, -1, 'over'), span(-3, 0, 'ends now')],
  })
  const market = await world.addEvent({ title: 'Market', responsible: [PAUL], shifts: [span(1, 2)] })
  const drill = await world.addEvent({ title: 'Drill', responsible: [OLGA], shifts: [span(1, 2)] })
  const [medic, boat] = [await world.addQualification('Medic'), await world.addQualification('boat')]
  let added = 0
  const addGuest = async (eventId: number, more: object = {}) => {
    const name = `guest${++added}`
    const row = {
      event_id: eventId,
      email: `${name}@mail.example`,
      display_name: name,
      date_of_birth: '1990-02-03',
      created_at: world.now,
      access_token_hash: hashSecret(name),
      access_token_sealed: keyring.seal(name),
      ...more,
    }
    return (await write.insertInto('guest').values(row).returning('id').executeTakeFirstOrThrow()).id
  }
  const place = (guest: number, shift: number, state: number) =>
    write
      .insertInto('participation')
      .values({
        kind: 'guest',
        guest_id: guest,
        shift_id: shift,
        state,
        structure_data: '{}',
        created_at: world.now,
        event_id: 0,
        start_time: world.now,
        end_time: world.now,
      })
      .execute()
  const rowOf = (id: number) => write.selectFrom('guest').selectAll().where('id', '=', id).executeTakeFirst()
  const actorOf = (guestId: number, eventId = fair.id) =>
    makeActor<GuestActor>({ kind: 'guest', guestId, eventId, displayName: 'Gus', language: 'en' })
  const asGuest = (guestId: number, eventId = fair.id) => ({ ...as(PAUL), actor: actorOf(guestId, eventId) })
  const journal = async () =>
    (
      await write
        .selectFrom('journal')
        .select(['kind', 'subject_kind', 'subject_id', 'event_id', 'changes'])
        .where('kind', 'like', '%guest%')
        .orderBy('id')
        .execute()
    ).map(({ kind, subject_kind, subject_id, event_id, changes }) => [kind, `${subject_kind} ${subject_id}`, event_id, changes])
  const shareOf = (eventId: number) =>
    write.selectFrom('guest_share').selectAll().where('event_id', '=', eventId).executeTakeFirst()
  const form = (more: object = {}) => ({
    name: 'Gus',
    email: 'gus@mail.example',
    date_of_birth: '1991-01-01',
    phone: '12',
    qualifications: [],
    ...more,
  })
  for (const event of [fair, market]) await switchGuestShare(as(PAUL), event.id, true)
  const token = keyring.unseal((await shareOf(fair.id))!.token_sealed)
  beforeEach(async () => {
    await write.deleteFrom('guest').execute()
    await write.deleteFrom('journal').execute()
  })

  test('qualifications are decided one by one, by those who may change the event, with one entry each', async () => {
    const [gus, other] = [await addGuest(fair.id), await addGuest(fair.id)]
    for (const guest_id of [gus, other])
      for (const { id } of [medic, boat])
        await write.insertInto('guest_qualification').values({ guest_id, qualification_id: id }).execute()
    const declared = async (id: number) => (await findDeclared(write, id)).map(({ title, state }) => `${title} ${state}`)
    const decide = (verdict: 'confirm' | 'reject' | 'reopen', more: object = {}, person = PAUL) =>
      decideQualification(as(person), { eventId: fair.id, guestId: gus, qualificationId: medic.id, verdict, ...more })
    const waiting = ['boat waiting', 'Medic waiting']
    assert.deepEqual(await declared(gus), waiting)
    assert.equal(await decide('confirm', {}, ANN), undefined)
    assert.equal(await decide('confirm', { eventId: market.id }), undefined)
    assert.equal(await decide('confirm', { guestId: 999_999 }), undefined)
    assert.equal(await decide('confirm', { qualificationId: 999_999 }), undefined)
    assert.deepEqual(await decide('reopen'), { isChanged: false })
    assert.deepEqual(await decide('confirm'), { isChanged: true })
    assert.deepEqual(await decide('confirm'), { isChanged: false })
    const row = () =>
      write
        .selectFrom('guest_qualification')
        .select(['verified_at', 'verified_by_id', 'rejected_at'])
        .where('guest_id', '=', gus)
        .where('qualification_id', '=', medic.id)
        .executeTakeFirstOrThrow()
    assert.deepEqual(await row(), { verified_at: world.now, verified_by_id: PAUL.id, rejected_at: null })
    assert.deepEqual([await declared(gus), await declared(other)], [['boat waiting', 'Medic verified'], waiting])
    assert.deepEqual(await decide('reject'), { isChanged: true })
    assert.deepEqual(await row(), { verified_at: null, verified_by_id: null, rejected_at: world.now })
    assert.deepEqual(await decide('reject'), { isChanged: false })
    assert.deepEqual(await decide('reopen'), { isChanged: true })
    assert.deepEqual([await declared(gus), await declared(other)], [waiting, waiting])
    const changes = { qualification_id: medic.id }
    assert.deepEqual(
      await journal(),
      ['confirmed', 'rejected', 'reopened'].map((what) => [`guest.qualification_${what}`, `guest ${gus}`, fair.id, changes]),
    )
    assert.deepEqual(
      (await findDeclarable(write)).map(({ title }) => title),
      ['boat', 'Medic'],
    )
  })

  test('links are mailed by planners of the event and by the guest, and the mail is noted', async () => {
    const [gus, other] = [await addGuest(fair.id), await addGuest(fair.id)]
    for (const [person, eventId] of [[ANN, fair.id], [PAUL, market.id], [OLGA, drill.id]] as const) // biome-ignore format: a table
      assert.equal(await mailLinkTo(as(person), { eventId, guestId: gus }), false)
    assert.deepEqual([await journal(), (await rowOf(gus))!.link_mailed_at], [[], null])
    assert.equal(await mailLinkTo(as(PAUL), { eventId: fair.id, guestId: gus }), true)
    assert.deepEqual([(await rowOf(gus))!.link_mailed_at, (await rowOf(other))!.link_mailed_at], [world.now, null])
    assert.deepEqual(await mailOwnLink(asGuest(other)), { ok: true })
    assert.deepEqual((await rowOf(other))!.link_mailed_at, world.now)
    await assert.rejects(mailOwnLink(as(PAUL)), { code: 'permission_denied' })
    await assert.rejects(mailOwnLink(asGuest(other, drill.id)), { code: 'permission_denied' })
    assert.deepEqual(await journal(), [
      ['guest.link_sent', `guest ${gus}`, fair.id, {}],
      ['guest.link_sent', `guest ${other}`, fair.id, {}],
    ])
  })

  test('a failed mail is noted at its address, recorded once, and forgotten with the next mail that arrives', async () => {
    const [gus, other] = [await addGuest(fair.id), await addGuest(fair.id, { mail_failed_at: world.now, mail_failure: 'full' })]
    const { actor: _actor, ...context } = as(PAUL)
    const { email } = (await rowOf(gus))!
    const note = (more: object = {}) =>
      recordGuestMailFailure(context, { guestId: gus, email: email.toUpperCase(), reason: 'no mailbox', ...more })
    const failureOf = async (id: number) => [(await rowOf(id))!.mail_failed_at, (await rowOf(id))!.mail_failure]
    assert.equal(await note({ email: 'former@mail.example' }), false)
    assert.equal(await note({ guestId: 999_999 }), false)
    assert.deepEqual(await failureOf(gus), [null, null])
    assert.equal(await note(), true)
    assert.equal(await recordGuestMailFailure({ ...context, now: at(1) }, { guestId: gus, email, reason: 'full' }), true)
    assert.deepEqual(await failureOf(gus), [at(1), 'full'])
    assert.deepEqual(await journal(), [['guest.mail_failed', `guest ${gus}`, fair.id, {}]])
    await clearGuestMailFailure(write, gus)
    assert.deepEqual(
      [await failureOf(gus), await failureOf(other)],
      [
        [null, null],
        [world.now, 'full'],
      ],
    )
  })

  test('the event of a link is locked while the link changes', async () => {
    const lock = () => sql`select from event where id = ${market.id} for no key update nowait`.execute(write)
    await transact(write, async (tx) => {
      assert.equal(await lockManagedEvent(tx, as(ANN), market.id), false)
      await lock()
      assert.equal(await lockManagedEvent(tx, as(PAUL), market.id), true)
      await assert.rejects(lock(), { code: '55P03' })
    })
    await lock()
  })

  test('the link of an event is switched, renewed and copied; only planners do it', async () => {
    assert.equal(await switchGuestShare(as(ANN), drill.id, true), undefined)
    assert.equal(await renewGuestShare(as(ANN), fair.id), false)
    assert.equal(await renewGuestShare(as(OLGA), drill.id), false, 'it never had one')
    const copy = await world.addEvent({ responsible: [PAUL], shifts: [{}] })
    const bare = await world.addEvent({ responsible: [PAUL], shifts: [{}] })
    assert.deepEqual(await switchGuestShare(as(PAUL), copy.id, false), { isChanged: false })
    const [before, others] = [(await shareOf(market.id))!, await shareOf(fair.id)]
    assert.deepEqual(await switchGuestShare(as(PAUL), market.id, true), { isChanged: false })
    assert.deepEqual(await switchGuestShare(as(PAUL), market.id, false), { isChanged: true })
    assert.deepEqual(await shareOf(market.id), { ...before, active: false })
    await transact(write, (tx) => copyGuestShare(tx, as(PAUL), { from: market.id, to: copy.id }))
    await transact(write, (tx) => copyGuestShare(tx, as(PAUL), { from: drill.id, to: bare.id }))
    const copied = (await shareOf(copy.id))!
    assert.deepEqual(
      [copied.active, copied.token_hash.equals(before.token_hash), await shareOf(bare.id)],
      [false, false, undefined],
    )
    assert.equal(await renewGuestShare(as(PAUL), market.id), true)
    const renewed = (await shareOf(market.id))!
    assert.deepEqual([renewed.active, renewed.token_hash], [true, hashSecret(keyring.unseal(renewed.token_sealed))])
    assert.notDeepEqual(renewed.token_hash, before.token_hash)
    assert.deepEqual([await shareOf(fair.id), (await shareOf(copy.id))!.active], [others, false])
    assert.deepEqual(await journal(), [
      ['event.guest_link_deactivated', `event ${market.id}`, market.id, {}],
      ['event.guest_link_renewed', `event ${market.id}`, market.id, {}],
    ])
    const managed = async (person: Person, eventId: number) =>
      (await getManagedEvent(write, as(person).actor, eventId))?.share?.isActive
    assert.deepEqual(
      [await managed(PAUL, copy.id), await managed(PAUL, fair.id), await managed(ANN, fair.id), await managed(OLGA, drill.id)],
      [false, true, undefined, undefined],
    )
    const context = { ...as(ANN), words: wordsFor('en', 'UTC') }
    const linked = async (eventId: number, secret: string) => (await getEventOfLink(context, eventId, secret))?.title
    assert.deepEqual(
      [await linked(fair.id, token), await linked(market.id, token), await linked(fair.id, 'x')],
      ['Fair', undefined, undefined],
    )
    const type = await write.selectFrom('event_type').selectAll().where('id', '=', 1).executeTakeFirstOrThrow()
    const common = {
      id: fair.id,
      title: 'Fair',
      location: 'Pier 3',
      start: at(-3),
      end: at(6),
      isPublished: true,
      isCancelled: false,
    }
    const shown = {
      ...common,
      description: 'Come!',
      typeTitle: type.title,
      typeColor: type.color,
      isLinkActive: true,
      isDeleted: false,
      isOpenToReader: false,
    }
    const set = (values: object) => write.updateTable('event').set(values).where('id', '=', fair.id).execute()
    const linkedEvent = (actor = context.actor) => getEventOfLink({ ...context, actor }, fair.id, token)
    await set({ description: 'Come!', location: 'Pier 3' })
    assert.deepEqual(await linkedEvent(), shown)
    assert.deepEqual(await linkedEvent(as(OLGA).actor), { ...shown, isOpenToReader: true })
    const { token_sealed: tokenSealed } = (await shareOf(fair.id))!
    const managedFair = { ...common, share: { tokenSealed, isActive: true } }
    assert.deepEqual(await getManagedEvent(write, as(PAUL).actor, fair.id), managedFair)
    assert.equal((await getManagedEvent(write, as(PAUL).actor, bare.id))?.share, undefined)
    const back = { active: true, deleted_at: null, cancelled_at: null, cancellation_reason: null }
    for (const [values, told] of [
      [{ active: false }, { isPublished: false }],
      [{ cancelled_at: world.now, cancellation_reason: 'Storm' }, { isCancelled: true }],
    ] as const) {
      await set(values)
      assert.deepEqual(await linkedEvent(), { ...shown, ...told })
      assert.deepEqual(await getManagedEvent(write, as(PAUL).actor, fair.id), { ...managedFair, ...told })
      await set(back)
    }
    await set({ deleted_at: world.now })
    assert.deepEqual(await linkedEvent(), { ...shown, isDeleted: true })
    assert.equal(await getManagedEvent(write, as(PAUL).actor, fair.id), undefined)
    await set(back)
    await switchGuestShare(as(PAUL), fair.id, false)
    assert.deepEqual(await linkedEvent(), { ...shown, isLinkActive: false })
    assert.equal((await getManagedEvent(write, as(PAUL).actor, fair.id))?.share?.isActive, false)
    await switchGuestShare(as(PAUL), fair.id, true)
    assert.deepEqual(
      (await findPublicShifts(context, fair.id)).map(({ label }) => label),
      ['ends now', 'early', 'late'],
    )
  })

  test('people register once by an address of an event, with what they declare', async () => {
    const register = (more: object = {}, wish: object = {}) =>
      registerGuest(
        { ...as(PAUL), actor: ANONYMOUS },
        { eventId: fair.id, token, language: 'de', hasMail: true, form: form(more), ...wish },
      )
    const made = await register({ qualifications: [medic.id] })
    assert.ok(made.ok && made.isNew)
    const { id, access_token_hash, access_token_sealed, ...row } = (await rowOf(made.guestId))!
    assert.deepEqual(
      [id, access_token_hash, keyring.unseal(access_token_sealed!)],
      [made.guestId, hashSecret(made.token), made.token],
    )
    assert.deepEqual(row, {
      event_id: fair.id,
      email: 'gus@mail.example',
      display_name: 'Gus',
      date_of_birth: '1991-01-01',
      phone: '12',
      language: 'de',
      created_at: world.now,
      link_mailed_at: world.now,
      email_confirmed_at: null,
      mail_failed_at: null,
      mail_failure: null,
    })
    const declared = async () => (await findDeclared(write, made.guestId)).map((each) => `${each.title} ${each.state}`)
    assert.deepEqual(await declared(), ['Medic waiting'])
    assert.deepEqual(await register({}, { eventId: market.id }), { ok: false, reason: 'closed' }, 'the link of another event')
    assert.deepEqual(await register({ qualifications: [medic.id, 999_999] }), { ok: false, reason: 'unknown_qualification' })
    await decideQualification(as(PAUL), {
      eventId: fair.id,
      guestId: made.guestId,
      qualificationId: medic.id,
      verdict: 'confirm',
    })
    assert.deepEqual(await register({ name: 'Gustav', email: 'GUS@mail.example', qualifications: [boat.id] }), {
      ok: true,
      isNew: false,
    })
    const replaced = (await rowOf(made.guestId))!
    assert.deepEqual(
      [replaced.display_name, replaced.email, replaced.access_token_hash.equals(access_token_hash)],
      ['Gustav', 'GUS@mail.example', false],
    )
    assert.deepEqual(await declared(), ['boat waiting', 'Medic verified'])
    assert.deepEqual(await register({ name: 'Screen' }, { hasMail: false }), { ok: true, isNew: false })
    await write.updateTable('guest').set({ email_confirmed_at: world.now }).where('id', '=', made.guestId).execute()
    assert.deepEqual(await register({ name: 'Stranger' }), { ok: true, isNew: false })
    assert.equal((await rowOf(made.guestId))!.display_name, 'Gustav', 'nobody replaces what was proved')
    assert.deepEqual(
      (await journal()).filter(([kind]) => kind !== 'guest.qualification_confirmed'),
      [
        ['guest.registered', `guest ${made.guestId}`, fair.id, {}],
        ...[1, 2, 3].map(() => ['guest.registered_again', `guest ${made.guestId}`, fair.id, {}]),
      ],
    )
    await sql`insert into guest (event_id, email, display_name, date_of_birth, access_token_hash)
      select ${fair.id}, 'many' || n || '@mail.example', 'Many', '1990-02-03', decode(md5(n::text) || md5(n::text), 'hex')
      from generate_series(1, ${MAX_UNPROVED_GUESTS - 1}::int) n`.execute(write)
    assert.ok((await register({ email: 'last@mail.example' })).ok)
    await addGuest(market.id)
    assert.deepEqual(await register({ email: 'more@mail.example' }), { ok: false, reason: 'too_many' })
    assert.deepEqual(await register({ name: 'Known' }), { ok: true, isNew: false })
  })

  test('guests change what they said about themselves, each field, and leave', async () => {
    const [gus, other] = [await addGuest(fair.id), await addGuest(fair.id)]
    const untouched = await rowOf(other)
    const base = {
      name: 'guest',
      email: (await rowOf(gus))!.email,
      date_of_birth: '1990-02-03',
      phone: null,
      qualifications: [] as number[],
    }
    const name = (await rowOf(gus))!.display_name
    const change = (more: object) => changeOwnDetails(asGuest(gus), { ...base, name, ...more })
    const CHANGED = { ok: true, isChanged: true, isMailed: false }
    assert.deepEqual(await change({}), { ok: true, isChanged: false, isMailed: false })
    for (const [more, column, value] of [
      [{ name: 'Gustav' }, 'display_name', 'Gustav'],
      [{ date_of_birth: '1970-01-01' }, 'date_of_birth', '1970-01-01'],
      [{ phone: '040' }, 'phone', '040'],
    ] as const) {
      assert.deepEqual(await change(more), CHANGED)
      assert.equal((await rowOf(gus))![column], value)
      assert.deepEqual(await change({}), CHANGED)
    }
    const declared = async () => (await findDeclared(write, gus)).map((each) => `${each.title} ${each.state}`)
    assert.deepEqual(await change({ qualifications: [medic.id] }), CHANGED)
    await decideQualification(as(PAUL), { eventId: fair.id, guestId: gus, qualificationId: medic.id, verdict: 'confirm' })
    assert.deepEqual(await change({ qualifications: [boat.id, medic.id] }), CHANGED)
    assert.deepEqual(await declared(), ['boat waiting', 'Medic verified'])
    assert.deepEqual(await change({ qualifications: [boat.id] }), CHANGED)
    assert.deepEqual(await declared(), ['boat waiting'])
    assert.deepEqual(await change({ qualifications: [999_999] }), { ok: false, reason: 'unknown_qualification' })
    assert.deepEqual((await journal()).at(-1), ['guest.changed', `guest ${gus}`, fair.id, {}])
    assert.deepEqual(await rowOf(other), untouched)
    await assert.rejects(changeOwnDetails(as(PAUL), { ...base, name }), { code: 'permission_denied' })
    const own = {
      id: gus,
      eventId: fair.id,
      eventTitle: 'Fair',
      start: at(-3),
      end: at(6),
      isDeleted: false,
      isReachable: true,
      name,
      email: base.email,
      birthDate: '1990-02-03',
      phone: null,
      isProved: false,
    }
    assert.deepEqual(await getOwnGuest(write, actorOf(gus)), own)
    await write.updateTable('guest').set({ phone: '040', email_confirmed_at: world.now }).where('id', '=', gus).execute()
    await write.updateTable('event').set({ deleted_at: world.now }).where('id', '=', fair.id).execute()
    const binned = { ...own, phone: '040', isProved: true, isDeleted: true, isReachable: false }
    assert.deepEqual(await getOwnGuest(write, actorOf(gus)), binned)
    await write.updateTable('event').set({ deleted_at: null }).where('id', '=', fair.id).execute()
    assert.equal(await getOwnGuest(write, as(PAUL).actor), undefined)
    await deleteSelf(asGuest(gus))
    assert.deepEqual([await rowOf(gus), await rowOf(other)], [undefined, untouched])
    assert.deepEqual((await journal()).at(-1), ['guest.left', `guest ${gus}`, fair.id, {}])
  })

  test('are removed by planners of their event, and their places keep a name without a person', async () => {
    const [gus, other] = [await addGuest(fair.id), await addGuest(fair.id)]
    await place(gus, fair.shifts[0]!, 1)
    await place(gus, fair.shifts[2]!, 1)
    await place(other, fair.shifts[0]!, 0)
    assert.deepEqual(await findOwnPlaces(write, gus), [
      { label: 'over', start: at(-3), end: at(-1), state: 1 },
      { label: 'late', start: at(5), end: at(6), state: 1 },
    ])
    const former = (hours: number) => findFormerGuests(write, at(hours))
    assert.deepEqual(
      [await former(6), await former(6.001)],
      [
        { count: 0, oldest: null },
        { count: 2, oldest: at(6) },
      ],
    )
    for (const [person, eventId] of [[ANN, fair.id], [PAUL, market.id], [OLGA, drill.id]] as const) // biome-ignore format: a table
      assert.equal(await removeGuest(as(person), { eventId, guestId: gus }), undefined)
    const { display_name } = (await rowOf(gus))!
    assert.deepEqual(await removeGuest(as(PAUL), { eventId: fair.id, guestId: gus }), { name: display_name })
    assert.deepEqual([await rowOf(gus), (await rowOf(other))?.id], [undefined, other])
    assert.deepEqual((await journal()).at(-1), ['guest.removed', `guest ${gus}`, fair.id, {}])
    const rest = await write
      .selectFrom('participation')
      .select(['kind', 'shift_id', 'state', 'placeholder_name'])
      .where('event_id', '=', fair.id)
      .orderBy('id')
      .execute()
    assert.deepEqual(
      rest.map(({ kind, shift_id, state, placeholder_name }) => [kind, shift_id, state === 1, placeholder_name]),
      [
        ['placeholder', fair.shifts[0], false, 'Former guest (1)'],
        ['placeholder', fair.shifts[2], true, 'Former guest (1)'],
        ['guest', fair.shifts[0], false, null],
      ],
    )
    const [kept, gone] = [await addGuest(market.id), await addGuest(drill.id)]
    await write
      .updateTable('shift')
      .set({ start_time: at(-9), meeting_time: at(-9), end_time: at(-8) })
      .where('event_id', '=', drill.id)
      .execute()
    const { actor: _actor, ...context } = as(PAUL)
    assert.equal(await deleteFormerGuests(context, at(-8)), 0, 'it ended then')
    assert.equal(await deleteFormerGuests(context, new Date(at(-8).getTime() + 1)), 1)
    assert.deepEqual([await rowOf(gone), (await rowOf(kept))?.id], [undefined, kept])
    assert.deepEqual((await journal()).at(-1), ['event.guests_expired', `event ${drill.id}`, drill.id, { count: 1 }])
    await write.deleteFrom('participation').execute()
  })

  test('guests of an event without times are removed by the day they came, also without a language of the site', async () => {
    const { id: open } = await world.addEvent({ shifts: [] })
    const [former, last] = [await addGuest(open, { created_at: at(-9) }), await addGuest(open, { created_at: at(-8) })]
    await place(former, fair.shifts[0]!, 1)
    const { actor: _actor, ...context } = as(PAUL)
    const { defaultLanguage: _none, ...site } = context.site
    assert.equal(await deleteFormerGuests({ ...context, site }, at(-8)), 1)
    assert.deepEqual([await rowOf(former), (await rowOf(last))?.id], [undefined, last])
    const { rows } = await sql<{ name: string }>`select placeholder_name as name from participation`.execute(write)
    assert.deepEqual(rows, [{ name: 'Former guest (1)' }])
    await write.deleteFrom('participation').execute()
  })

  test('links of mails prove the address they went to, and open the page from then on', async () => {
    const [gus, other] = [await addGuest(fair.id, { language: 'de' }), await addGuest(fair.id)]
    const { email, display_name } = (await rowOf(gus))!
    const mailToken = makeMailToken(keyring, { id: gus, email })
    const code = mailCode(keyring, { id: gus, email })
    const stateOf = async (secret: Parameters<typeof getMailedLink>[2]) => (await getMailedLink(write, keyring, secret))?.state
    const foreign = makeMailToken(keyring, { id: gus, email: 'former@mail.example' })
    const cases = async () => [
      await stateOf({ mailToken }),
      await stateOf({ guestId: gus, code }),
      await stateOf({ mailToken: foreign }),
      await stateOf({ guestId: gus, code: 'x' }),
      await stateOf({ guestId: other, code }),
      await stateOf({ mailToken: 'nonsense' }),
      await stateOf({ guestId: 999_999, code }),
    ]
    assert.deepEqual(await cases(), ['open', 'open', ...Array(5).fill(undefined)])
    const link = (await getMailedLink(write, keyring, { mailToken }))!
    assert.deepEqual(
      [link.name, link.email, link.actor.guestId, link.actor.eventId, link.actor.language],
      [display_name, email, gus, fair.id, 'de'],
    )
    assert.equal(await proveAddress(as(PAUL), { mailToken: foreign }), undefined)
    assert.equal(await proveAddress(as(PAUL), { mailToken }), mailToken)
    const proved = (await rowOf(gus))!
    assert.deepEqual(
      [proved.email_confirmed_at, proved.access_token_hash, keyring.unseal(proved.access_token_sealed!), proved.link_mailed_at],
      [world.now, hashSecret(mailToken), mailToken, null],
    )
    assert.equal((await rowOf(other))!.email_confirmed_at, null)
    assert.deepEqual(await cases(), ['current', 'current', ...Array(5).fill(undefined)])
    assert.equal(await proveAddress({ ...as(PAUL), now: at(1) }, { mailToken }), mailToken)
    assert.deepEqual((await rowOf(gus))!.email_confirmed_at, world.now)
    const otherCode = mailCode(keyring, { id: other, email: (await rowOf(other))!.email })
    assert.equal(
      await proveAddress(as(PAUL), { guestId: other, code: otherCode }),
      makeMailToken(keyring, { id: other, email: (await rowOf(other))!.email }),
    )
    assert.deepEqual((await rowOf(other))!.link_mailed_at, world.now, 'the former link ended, so the new one is mailed')
    assert.deepEqual(await journal(), [
      ['guest.address_proved', `guest ${gus}`, fair.id, {}],
      ['guest.address_proved', `guest ${other}`, fair.id, {}],
    ])
    await write.updateTable('guest').set({ email: 'new@mail.example', email_confirmed_at: null }).where('id', '=', gus).execute()
    assert.equal(await stateOf({ mailToken }), 'current', 'until the new address is proved')
    assert.equal(
      await proveAddress(as(PAUL), { mailToken }),
      mailToken,
      'the token of the new address does not open anything yet',
    )
    assert.equal(await stateOf({ guestId: gus, code }), undefined)
    const known = authenticateGuest(world.db)
    const found = await known(mailToken, 'en')
    assert.deepEqual(found && [found.guestId, found.eventId, found.displayName, found.language], [
      gus,
      fair.id,
      display_name,
      'de',
    ])
    assert.deepEqual(
      [
        await known('x', 'en'),
        (await known(makeMailToken(keyring, { id: other, email: (await rowOf(other))!.email }), 'de'))?.language,
      ],
      [undefined, 'de'],
    )
    const event = { title: 'Fair', location: 'Pier 3', start: at(-3), end: at(6) }
    const mailed = { id: gus, name: display_name, email: 'new@mail.example', language: 'de', isProved: false, event }
    assert.deepEqual(await getMailedGuest(write, gus), mailed)
    const { email: otherEmail, display_name: otherName } = (await rowOf(other))!
    const proven = { ...mailed, id: other, name: otherName, email: otherEmail, language: null, isProved: true }
    assert.deepEqual(await getMailedGuest(write, other), proven)
    await write.updateTable('event').set({ deleted_at: world.now }).where('id', '=', fair.id).execute()
    assert.equal(await getMailedGuest(write, gus), undefined)
    await write.updateTable('event').set({ deleted_at: null }).where('id', '=', fair.id).execute()
  })
})
