import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type RawBuilder, sql } from 'kysely'
import { openFor, reachableBy } from '#features/staffing/eligibility/access.ts'
import { type Actor, ANONYMOUS, type GuestActor, makeActor, type PartnerActor, type VisitorActor } from '#platform/auth/actor.ts'
import { actorOf } from '#test/support/command-context.ts'
import { ANN, BEN, HELPERS, NORD, PAUL, PLANNERS } from '#test/support/people.ts'
import { openRecords } from '#test/support/records.ts'
import { identityShownTo, ownedBy, profileViewableBy, visibleAmongAll, visibleParticipations } from './access.ts'

describe('access to participations', async () => {
  const records = await openRecords()
  const { write } = records.db
  const cora = await records.addPerson({ name: 'Cora' })
  const dora = await records.addPerson({ name: 'Dora' })
  const led = await records.addPerson({ name: 'Led' })
  await records.grantsProfile(dora, ANN)
  await records.grantsProfile(PLANNERS, ANN)

  /** Events by whom their type shows participants to. In each: Ann confirmed, Ben requested, a visitor, a guest and a placeholder. */
  const TITLES = ['users', 'confirmed', 'responsibles', 'guests'] as const
  const events: Record<string, number> = {}
  for (const [showParticipantData, title] of TITLES.entries()) {
    const type = await records.addType({ title, showParticipantData })
    const { id, shifts } = await records.addEvent({
      title,
      type,
      seenBy: [HELPERS, cora, dora, PLANNERS],
      responsible: [led],
      sharedWith: title === 'users' ? [] : [NORD],
      shifts: [{}],
    })
    events[title] = id
    const shift = shifts[0]!
    await records.addParticipation({ who: ANN, shift, state: 1 })
    await records.addParticipation({ who: BEN, shift, state: 0 })
    await records.addParticipation({ who: { visitor: { name: 'Vic' }, of: NORD }, shift })
    await records.addParticipation({ who: { guest: { name: 'Gus' } }, shift })
    await records.addParticipation({ who: { placeholder: 'Some' }, shift })
    await sql`insert into guest_share (event_id, active, token_hash, token_sealed)
      values (${id}, ${title !== 'responsibles'}, ${Buffer.from(title)}, 'sealed')`.execute(write)
  }
  const draft = await records.addEvent({ title: 'draft', seenBy: [HELPERS], sharedWith: [NORD], draft: true, shifts: [{}] })
  await records.addEvent({ title: 'cancelled', seenBy: [HELPERS], sharedWith: [NORD], cancelled: true, shifts: [{}] })
  await records.addEvent({ title: 'deleted', seenBy: [HELPERS], sharedWith: [NORD], deleted: true, shifts: [{}] })

  const idOf = async (table: 'visitor' | 'guest', eventId: number) => {
    const column = sql.ref(`p.${table}_id`)
    const { rows } = await sql<{ id: number }>`select ${column} as id from participation p
      where p.event_id = ${eventId} and ${column} is not null`.execute(write)
    return rows[0]!.id
  }
  const visitorOf = async (title: string): Promise<VisitorActor> =>
    makeActor<VisitorActor>({
      kind: 'visitor',
      visitorId: await idOf('visitor', events[title]!),
      federatedGuestId: NORD.id,
      displayName: 'Vic',
      language: 'en',
    })
  const guestOf = async (title: string): Promise<GuestActor> =>
    makeActor<GuestActor>({
      kind: 'guest',
      guestId: await idOf('guest', events[title]!),
      eventId: events[title]!,
      displayName: 'Gus',
      language: 'en',
    })
  const helpers = { groupIds: [HELPERS.id] }
  const ann = actorOf(ANN, helpers)
  const ben = actorOf(BEN, helpers)
  const planningBen = actorOf(BEN, { ...helpers, permissions: new Set(['add_event']) })
  const viewer = actorOf(cora, { permissions: new Set(['view_user']) })
  const changer = actorOf(cora, { permissions: new Set(['change_event']) })
  const partner = makeActor<PartnerActor>({ kind: 'partner', federatedGuestId: NORD.id, tokenId: 1 })
  const visitor = await visitorOf('confirmed')
  const guest = await guestOf('confirmed')
  const closedGuest = await guestOf('responsibles')

  const participants = async (condition: RawBuilder<unknown>) => {
    const { rows } = await sql<{ event: string; who: string }>`
      select e.title as event, coalesce(u.display_name, v.display_name, g.display_name, p.placeholder_name) as who
      from participation p join event e on e.id = p.event_id join event_type t on t.id = e.type_id
      left join user_profile u on u.id = p.user_id left join visitor v on v.id = p.visitor_id left join guest g on g.id = p.guest_id
      where ${condition}`.execute(write)
    return TITLES.map((title) =>
      rows
        .filter(({ event }) => event === title)
        .map(({ who }) => who)
        .sort()
        .join(' '),
    )
  }
  const ALL = 'Ann Ben Gus Some Vic'
  const LOCAL = 'Ann Ben'
  type Shown = [users: string, confirmed: string, responsibles: string, guests: string]
  const SHOWN: [who: string, actor: Actor, shown: Shown][] = [
    ['Ann, who is confirmed', ann, [ALL, ALL, 'Ann', ALL]],
    ['Ben, who requested', ben, [ALL, 'Ben', 'Ben', ALL]],
    ['a person in the audience', actorOf(cora), [ALL, '', '', ALL]],
    ['a person who may view the profile of Ann', actorOf(dora), [ALL, 'Ann', 'Ann', ALL]],
    ['a group that may view the profile of Ann', actorOf(PAUL, { groupIds: [PLANNERS.id] }), [ALL, 'Ann', 'Ann', ALL]],
    ['a person who may view all profiles', viewer, [ALL, LOCAL, LOCAL, ALL]],
    ['a responsible person', actorOf(led), [ALL, ALL, ALL, ALL]],
    ['a person who may change all events', changer, [ALL, ALL, ALL, ALL]],
  ]
  for (const [who, actor, shown] of SHOWN)
    test(`participants are shown to ${who}`, async () => {
      assert.deepEqual(await participants(identityShownTo(actor)), shown)
      assert.deepEqual(await participants(visibleParticipations(actor)), shown)
      assert.deepEqual(await participants(visibleAmongAll(actor)), shown)
    })
  test('participants are shown to visitors if the type says so; guests and other visitors see themselves', async () => {
    assert.deepEqual(await participants(identityShownTo(visitor)), ['', 'Vic', '', ALL])
    assert.deepEqual(await participants(identityShownTo(guest)), ['', 'Gus', '', ''])
  })
  test('participants of events that the person does not see are hidden', async () => {
    for (const actor of [
      actorOf(BEN),
      actorOf(PAUL, { permissions: new Set(['view_user']) }),
      visitor,
      guest,
      partner,
      ANONYMOUS,
    ])
      for (const condition of [visibleParticipations, visibleAmongAll]) {
        const expected = actor.kind === 'user' && actor.userId === BEN.id ? [ALL, 'Ben', 'Ben', ALL] : ['', '', '', '']
        assert.deepEqual(await participants(condition(actor)), expected, `${condition.name} ${actor.kind}`)
      }
  })

  const each = (text: string): Shown => [text, text, text, text]
  const OWN: [who: string, actor: Actor, own: Shown][] = [
    ['Ann', ann, each('Ann')],
    ['a visitor', visitor, ['', 'Vic', '', '']],
    ['a guest', guest, ['', 'Gus', '', '']],
    ['a partner', partner, each('')],
    ['nobody', ANONYMOUS, each('')],
  ]
  for (const [who, actor, own] of OWN)
    test(`own participations of ${who}`, async () => {
      assert.deepEqual(await participants(ownedBy(actor)), own)
    })

  const PROFILES: [who: string, actor: Actor, profiles: string][] = [
    ['Ann', ann, ''],
    ['a person with a grant', actorOf(dora), 'Ann'],
    ['a person in a group with a grant', actorOf(BEN, { groupIds: [PLANNERS.id] }), 'Ann'],
    ['a person with the permission', viewer, LOCAL],
    ['a visitor', visitor, ''],
    ['nobody', ANONYMOUS, ''],
  ]
  for (const [who, actor, profiles] of PROFILES)
    test(`profiles that ${who} may view`, async () => {
      assert.deepEqual(await participants(profileViewableBy(actor)), each(profiles))
    })

  const titles = async (condition: RawBuilder<unknown>) =>
    (await sql<{ title: string }>`select e.title from event e where ${condition} order by e.id`.execute(write)).rows.map(
      ({ title }) => title,
    )
  const SHARED = ['confirmed', 'responsibles', 'guests', 'cancelled']
  const REACHED: [who: string, actor: Actor, reached: string[], open: string[]][] = [
    ['Ann', ann, [...TITLES, 'cancelled'], [...TITLES, 'cancelled']],
    ['Ben, who may add events', planningBen, [...TITLES, 'cancelled'], [...TITLES, 'draft', 'cancelled']],
    ['a visitor', visitor, SHARED, SHARED],
    ['a visitor of another instance', makeActor<VisitorActor>({ ...visitor, federatedGuestId: 99 }), [], []],
    ['a visitor whose record is deleted', makeActor<VisitorActor>({ ...visitor, visitorId: 9999 }), [], []],
    ['a guest', guest, ['confirmed'], ['confirmed']],
    ['a guest whose link is switched off', closedGuest, [], []],
    ['a guest whose record is deleted', makeActor<GuestActor>({ ...guest, guestId: 9999 }), [], []],
    ['a guest of a draft', makeActor<GuestActor>({ ...guest, eventId: draft.id }), [], []],
    ['a partner', partner, [], []],
    ['nobody', ANONYMOUS, [], []],
  ]
  for (const [who, actor, reached, open] of REACHED)
    test(`events that ${who} can take part in`, async () => {
      assert.deepEqual(await titles(reachableBy(actor)), reached)
      assert.deepEqual(await titles(openFor(actor)), open)
    })
})
