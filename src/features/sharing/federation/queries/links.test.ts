import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { transact } from '#platform/db/transaction.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import type { Outbound } from '#platform/outbound/outbound.ts'
import { contextAs, contextOf, VISITOR } from '#test/support/command-context.ts'
import type { EventOptions } from '#test/support/fixtures.ts'
import { ANN, BEN, HELPERS, NORD, OLGA, PAUL, type Partner } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { answerStatement } from '../commands/denials.ts'
import { deleteFormerVisitors } from '../commands/former-visitors.ts'
import { inviteInstance, withdrawInvite } from '../commands/invites.ts'
import { openAtHost } from '../commands/openings.ts'
import { shareManyWith } from '../commands/share-many.ts'
import { shareEventWith } from '../commands/shares.ts'
import { finishVisit, startVisit } from '../commands/visits.ts'
import { findFormerVisitors } from './former-visitors.ts'
import { findOpenInvites, getOpenInvite } from './invites.ts'
import { checkInvitation, findGuestLinks, findHostLinks, getGuestLink, getHostLink } from './links.ts'
import { findShareable } from './shareable.ts'
import { findShareSwitches } from './shares.ts'

describe('links to partners in the database', async () => {
  const world = await openWorld()
  const { write } = world.db
  const { now } = world
  const at = (hours: number) => new Date(now.getTime() + hours * 3_600_000)
  const add = (title: string, from: number, more: EventOptions = {}) =>
    world.addEvent({
      title,
      seenBy: [HELPERS],
      responsible: [PAUL],
      shifts: [{ start: at(from).toISOString(), end: at(from + 2).toISOString() }],
      ...more,
    })
  const { id: sued } = await write
    .insertInto('federated_guest')
    .values({ name: 'abt', url: 'https://abt.example', client_id: 'abt', client_secret_sealed: '' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const SUED: Partner = { kind: 'partner', id: sued, name: 'abt', url: 'https://abt.example' }
  const paul = contextAs(world, PAUL)
  const addHost = async (name: string, more: { speaks_turnout?: boolean; ended_by_partner_at?: Date } = {}) => {
    const values = { name, url: `https://${name.toLowerCase()}.example`, access_token_sealed: '', ...more }
    return (await write.insertInto('federated_host').values(values).returning('id').executeTakeFirstOrThrow()).id
  }
  const addPartnerEvent = async (host_id: number, remote_id: number) => {
    const values = { host_id, remote_id, title: 'There', location: '', type_title: '', fetched_at: now }
    const row = { ...values, signup_url: `https://host.example/${remote_id}` }
    return (await write.insertInto('partner_event').values(row).returning('id').executeTakeFirstOrThrow()).id
  }
  beforeEach(async () => {
    await write.deleteFrom('event').execute()
    await write.deleteFrom('visitor').execute()
    await write.deleteFrom('federated_host').execute()
  })
  const sharesOf = async (eventId: number) =>
    (
      await write
        .selectFrom('event_share')
        .select('federated_guest_id')
        .where('event_id', '=', eventId)
        .orderBy('federated_guest_id')
        .execute()
    ).map(({ federated_guest_id }) => federated_guest_id)

  test('guests are listed by name with their coming events, visitors and places', async () => {
    await add('ends now', -2, { sharedWith: [NORD] })
    await add('over', -3, { sharedWith: [NORD] })
    await add('draft', 1, { sharedWith: [NORD], draft: true })
    await add('deleted', 1, { sharedWith: [NORD], deleted: true })
    await add('of others', 1, { sharedWith: [SUED] })
    const { shifts } = await add('not shared', 1)
    for (const name of ['Vic', 'Val'])
      await world.addParticipation({ who: { visitor: { name }, of: NORD }, shift: shifts[0]!, state: 1 })
    const figures = (await findGuestLinks(write, now)).map(({ name, events, visitors, participations }) => [
      name,
      events,
      visitors,
      participations,
    ])
    assert.deepEqual(figures, [
      ['abt', 1, 0, 0],
      ['Nord', 2, 2, 2],
    ])
    assert.deepEqual(await getGuestLink(write, now, NORD.id), (await findGuestLinks(write, now))[1])
    assert.equal(await getGuestLink(write, now, 999_999), undefined)
  })

  test('hosts are listed by name with their events and the sign-ups there', async () => {
    const [west, ost] = [await addHost('West'), await addHost('ost')]
    const [first, second] = [await addPartnerEvent(west, 1), await addPartnerEvent(west, 2)]
    await addPartnerEvent(ost, 1)
    const states = [0, 1, 2, 3]
    await write
      .insertInto('participation_abroad')
      .values(
        states.map((state) => ({
          partner_event_id: state % 2 ? first : second,
          user_id: ANN.id,
          remote_shift_id: state,
          state,
          shift_label: '',
          start_time: now,
          fetched_at: now,
          end_time: now,
        })),
      )
      .execute()
    assert.deepEqual(
      (await findHostLinks(write)).map(({ id, events, externalSignups, paused }) => [id, events, externalSignups, paused]),
      [
        [ost, 1, 0, false],
        [west, 2, 2, false],
      ],
    )
    assert.deepEqual(await getHostLink(write, west), (await findHostLinks(write))[1])
    assert.equal(await getHostLink(write, 999_999), undefined)
    const statements = await write.selectFrom('participation_abroad').selectAll().orderBy('remote_shift_id').execute()
    const denied = async () =>
      (await write.selectFrom('participation_abroad').select('remote_shift_id').where('denied', '=', true).execute()).map(
        ({ remote_shift_id }) => remote_shift_id,
      )
    const answer = (isRight: boolean, person = ANN) =>
      answerStatement(contextAs(world, person), { statementId: statements[1]!.id, isRight })
    assert.equal(await answer(false, BEN), false, 'a statement about somebody else')
    assert.deepEqual([await answer(false), await answer(false), await denied()], [true, true, [1]])
    const stored = () => write.selectFrom('denied_statement').selectAll().execute()
    assert.deepEqual(await stored(), [{ user_id: ANN.id, host_id: west, remote_shift_id: 1, denied_at: now }])
    await write
      .insertInto('denied_statement')
      .values({ user_id: ANN.id, host_id: west, remote_shift_id: 2, denied_at: now })
      .execute()
    assert.deepEqual([await answer(true), await denied()], [true, []])
    assert.deepEqual(
      (await stored()).map(({ remote_shift_id }) => remote_shift_id),
      [2],
    )
  })

  test('events that were opened at a host are noted if the host does not tell where people stand', async () => {
    const [silent, speaking] = [
      await addHost('Silent', { speaks_turnout: false }),
      await addHost('Turn', { speaks_turnout: true }),
    ]
    const [there, known] = [await addPartnerEvent(silent, 1), await addPartnerEvent(speaking, 2)]
    const openings = () => write.selectFrom('partner_event_opening').selectAll().execute()
    const ann = contextAs(world, ANN)
    assert.equal(await openAtHost(ann, known), 'https://host.example/2')
    assert.equal(await openAtHost(ann, 999_999), undefined)
    assert.equal(await openAtHost(contextOf(world, VISITOR), there), 'https://host.example/1')
    assert.deepEqual(await openings(), [])
    await openAtHost(ann, there)
    await openAtHost({ ...ann, now: at(1) }, there)
    assert.deepEqual(await openings(), [{ user_id: ANN.id, partner_event_id: there, opened_at: at(1) }])
  })

  test('an invitation is checked against the hosts that are linked', async () => {
    const invited = await inviteInstance(contextAs(world, OLGA), 'https://other.example')
    assert.ok(invited.ok)
    // As the other instance reads it: its host is this one.
    const site = { ...world.app.site, url: 'https://other.example' }
    const check = () => checkInvitation(write, site, invited.shareString)
    const hostUrl = world.app.site.url
    assert.deepEqual(await check(), { ok: true, hostUrl, wasLinked: false })
    const values = { name: 'Here', url: hostUrl, access_token_sealed: '' }
    await write.insertInto('federated_host').values(values).execute()
    assert.deepEqual(await check(), { ok: false, reason: 'already_joined' })
    await write.updateTable('federated_host').set({ ended_by_partner_at: now }).execute()
    assert.deepEqual(await check(), { ok: true, hostUrl, wasLinked: true })
  })

  test('invitations are open for two days, until they are used or withdrawn', async () => {
    await write.deleteFrom('invite_code').execute()
    const olga = contextAs(world, OLGA)
    const ids: number[] = []
    for (const name of ['one', 'two', 'three']) {
      const made = await inviteInstance(olga, `https://${name}.example`)
      assert.ok(made.ok)
      ids.push(made.id)
      assert.equal((await getOpenInvite(write, world.app.site, now, made.id))?.shareString, made.shareString)
    }
    assert.deepEqual(await inviteInstance(olga, 'no address'), { ok: false, reason: 'bad_url' })
    assert.deepEqual(await inviteInstance(olga, world.app.site.url), { ok: false, reason: 'own_url' })
    const [one, two, three] = ids as [number, number, number]
    await write
      .updateTable('invite_code')
      .set({ expires_at: at(1) })
      .where('id', '=', three)
      .execute()
    await write.updateTable('invite_code').set({ used_at: now }).where('id', '=', two).execute()
    const open = async (hours: number) => (await findOpenInvites(write, at(hours))).map(({ id }) => id)
    assert.deepEqual([await open(1), await open(1.001), await open(48), await open(48.001)], [[three, one], [one], [one], []])
    assert.deepEqual((await findOpenInvites(write, now))[1], {
      id: one,
      url: 'https://one.example',
      expiresAt: at(48),
      by: 'Olga',
    })
    assert.equal(await getOpenInvite(write, world.app.site, now, two), undefined)
    assert.equal(await getOpenInvite(write, world.app.site, at(2), three), undefined)
    assert.equal(await withdrawInvite(olga, two), false, 'a used one')
    assert.deepEqual([await withdrawInvite(olga, one), await withdrawInvite(olga, one), await open(0)], [true, false, [three]])
  })

  test('events are shared one by one or many at once, with what may be changed only', async () => {
    const fair = await add('Fair', 3, { sharedWith: [SUED] })
    const party = await add('Party', 1, { location: 'fairground' })
    const draft = await add('Draft', 3, { draft: true, sharedWith: [NORD] })
    const now2 = await add('ends now', -2)
    await add('over', -3)
    await add('cancelled', 1, { cancelled: true })
    const foreign = await add('foreign', 1, { responsible: [OLGA] })
    const gone = await add('deleted', 1, { deleted: true })
    const context = { ...paul, words: wordsFor('en', 'Europe/Berlin') }
    const list = async (terms: string[] = [], page = { limit: 10, offset: 0 }) => {
      const { count, rows } = await findShareable(context, NORD.id, terms, page)
      return [count, rows.map(({ title, isDraft, isShared }) => `${title}${isDraft ? ' draft' : ''}${isShared ? ' shared' : ''}`)]
    }
    assert.deepEqual(await list(), [4, ['ends now', 'Party', 'Fair', 'Draft draft shared']])
    assert.deepEqual(await list(['fair']), [2, ['Party', 'Fair']])
    assert.deepEqual(await list([], { limit: 1, offset: 1 }), [4, ['Party']])
    const shown = [fair, party, draft, foreign, gone].map(({ id }) => id)
    const chosen = [fair, foreign, gone, now2].map(({ id }) => id)
    assert.equal(await shareManyWith(paul, { guestId: NORD.id, shown, chosen }), 2, 'Fair is shared, the draft no longer')
    assert.equal(await shareManyWith(paul, { guestId: NORD.id, shown, chosen }), 0)
    assert.equal(await shareManyWith(paul, { guestId: 999_999, shown, chosen }), undefined)
    const all = await Promise.all([fair, party, draft, foreign, gone, now2].map(({ id }) => sharesOf(id)))
    assert.deepEqual(all, [[NORD.id, SUED.id].sort((a, b) => a - b), [], [], [], [], []])
    const switches = async (id: number | undefined) =>
      (await findShareSwitches(write, id)).map(({ name, isShared }) => [name, isShared])
    await transact(write, (tx) => shareEventWith(tx, paul, fair.id, [SUED.id, 999_999]))
    await transact(write, (tx) => shareEventWith(tx, paul, party.id, [NORD.id]))
    await transact(write, (tx) => shareEventWith(tx, paul, party.id, [NORD.id]))
    assert.deepEqual(await switches(fair.id), [
      ['abt', true],
      ['Nord', false],
    ])
    assert.deepEqual(await switches(party.id), [
      ['abt', false],
      ['Nord', true],
    ])
    assert.deepEqual(await switches(undefined), [
      ['abt', false],
      ['Nord', false],
    ])
    const journal = await write
      .selectFrom('journal')
      .select(['event_id', 'changes'])
      .where('kind', '=', 'event.shared')
      .where('event_id', 'in', [fair.id, party.id, draft.id])
      .orderBy('id')
      .execute()
    assert.deepEqual(
      journal.map(({ event_id, changes }) => [event_id, changes]),
      [
        [fair.id, { added: [NORD.id], removed: [] }],
        [draft.id, { added: [], removed: [NORD.id] }],
        [fair.id, { added: [], removed: [NORD.id] }],
        [party.id, { added: [NORD.id], removed: [] }],
      ],
    )
  })

  test('a visit that comes back after the link has ended, or with another state, was not started', async () => {
    const started = startVisit(world.app.site, { id: 999_999, url: 'https://gone.example', clientId: 'gone' }, 1, now)
    const query = new URL(started.redirect).searchParams
    const back = { cookie: started.cookie.value, code: 'code', state: query.get('state')!, error: undefined }
    const outbound = { send: () => assert.fail('nobody is asked') } as unknown as Outbound
    for (const more of [{}, { state: 'other' }, { state: undefined }, { cookie: undefined }, { cookie: 'nonsense' }])
      assert.deepEqual(await finishVisit(contextAs(world, ANN), outbound, { ...back, ...more }), {
        ok: false,
        reason: 'not_started',
      })
    const late = { ...contextAs(world, ANN), now: at(0.51) }
    assert.deepEqual(await finishVisit(late, outbound, back), { ok: false, reason: 'not_started' })
    assert.deepEqual(
      [query.get('response_type'), query.get('client_id'), query.get('scope'), query.get('code_challenge_method')],
      ['code', 'gone', 'ME_READ', 'S256'],
    )
    assert.equal(started.cookie.maxAgeSeconds, 30 * 60)
  })

  test('former visitors are those without a visit and without a shift since', async () => {
    const { shifts } = await add('Fair', -30)
    for (const name of ['long gone', 'refreshed', 'took part'])
      await world.addParticipation({ who: { visitor: { name }, of: NORD }, shift: shifts[0]!, state: 1 })
    const set = (name: string, values: { created_at?: Date; refreshed_at?: Date | null }) =>
      write.updateTable('visitor').set(values).where('display_name', '=', name).execute()
    for (const name of ['long gone', 'refreshed', 'took part']) await set(name, { created_at: at(-50), refreshed_at: null })
    await set('refreshed', { refreshed_at: at(-10) })
    assert.deepEqual(await findFormerVisitors(write, at(-28)), { count: 0, oldest: null }, 'the shift ends then')
    assert.deepEqual(await findFormerVisitors(write, at(-27.9)), { count: 2, oldest: at(-50) })
    assert.deepEqual(await findFormerVisitors(write, at(-10)), { count: 2, oldest: at(-50) })
    assert.deepEqual(await findFormerVisitors(write, at(-9.9)), { count: 3, oldest: at(-50) })
    assert.deepEqual(await findFormerVisitors(write, at(-51)), { count: 0, oldest: null })
  })

  test('former visitors of each partner are deleted, more than one step too, and their places keep a name without a person', async () => {
    await write.deleteFrom('visitor').execute()
    const addVisitors = (of: number, count: number, refreshed: Date) =>
      write
        .insertInto('visitor')
        .values(
          Array.from({ length: count }, (_, number) => ({
            federated_guest_id: of,
            display_name: `Visitor ${number}`,
            email: `${of}-${number}-${refreshed.getTime()}@partner.example`,
            created_at: at(-90),
            refreshed_at: refreshed,
          })),
        )
        .returning('id')
        .execute()
    const { shifts } = await add('Old fair', -80)
    const [first] = await addVisitors(NORD.id, 51, at(-50))
    await addVisitors(SUED.id, 2, at(-50))
    const stays = await addVisitors(NORD.id, 1, at(-40))
    await write.deleteFrom('participation').where('shift_id', '=', shifts[0]!).execute()
    await write
      .insertInto('participation')
      .values({ shift_id: shifts[0]!, kind: 'visitor', visitor_id: first!.id, state: 1 } as never)
      .execute()
    const { db, now: time, site, requestId } = contextAs(world, PAUL)
    const { defaultLanguage: _none, ...siteWithoutLanguage } = site
    const remove = (before: Date) => deleteFormerVisitors({ db, now: time, site: siteWithoutLanguage, requestId }, before)
    const { id: last } = await write
      .selectFrom('journal')
      .select((eb) => eb.fn.max('id').as('id'))
      .executeTakeFirstOrThrow()
    assert.equal(await remove(at(-50)), 0)
    assert.equal(await remove(at(-40)), 53)
    assert.deepEqual(await write.selectFrom('visitor').select('id').execute(), stays)
    const place = write.selectFrom('participation').select(['kind', 'visitor_id', 'placeholder_name', 'state'])
    assert.deepEqual(await place.where('shift_id', '=', shifts[0]!).execute(), [
      { kind: 'placeholder', visitor_id: null, placeholder_name: 'Former guest of Nord (1)', state: 1 },
    ])
    const entries = await write
      .selectFrom('journal')
      .select(['kind', 'actor_kind', 'subject_kind', 'subject_id', 'changes'])
      .where('id', '>', last)
      .where('kind', '=', 'federated_guest.visitors_expired')
      .orderBy('id')
      .execute()
    const entry = (subject_id: number, count: number) => ({
      kind: 'federated_guest.visitors_expired',
      actor_kind: 'system',
      subject_kind: 'federated_guest',
      subject_id,
      changes: { count },
    })
    assert.deepEqual(entries, [entry(NORD.id, 50), entry(NORD.id, 1), entry(SUED.id, 2)])
  })
})
