import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import type { RecipientQuery, RecipientRow } from '#features/messaging/notification-kinds/rules/kinds.ts'
import { type GuestActor, makeActor, type VisitorActor } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { actorOf, contextOf } from '#test/support/command-context.ts'
import { ANN, BEN, HELPERS, NORD, OLGA, PAUL, type Person, PLANNERS, VERA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { findCompanions, findLeftCompanions } from './companions.ts'
import { findPlacesAhead } from './departures.ts'
import { findShiftDetails, getEventDetails } from './event-details.ts'
import {
  comingParticipant,
  comingParticipants,
  comingParticipantsOfShift,
  confirmedParticipants,
  eventParticipants,
  listedParticipants,
  participant,
  responsibles,
} from './notified.ts'
import { findOwnComments, getLastOwnStep, isPlaceTakenSince } from './signup.ts'

const HOUR_MS = 3_600_000
const at = (time: string, day = '20') => `2031-05-${day}T${time}:00Z`

describe('participations of a person', async () => {
  const world = await openWorld()
  const { write } = world.db
  const as = (person: Person, groupIds: number[] = HELPERS.members.includes(person) ? [HELPERS.id] : []): RequestContext => ({
    ...contextOf(world, actorOf(person, { groupIds })),
    words: wordsFor('en', 'UTC'),
  })
  beforeEach(async () => {
    for (const table of ['participation', 'event', 'event_series'] as const) await write.deleteFrom(table).execute()
  })
  const addEvent = (shifts: object[], more: object = {}) =>
    world.addEvent({ seenBy: [HELPERS], responsible: [PAUL], shifts, ...more })
  const idOf = async (participation: number, column: 'guest_id' | 'visitor_id') =>
    (
      await write
        .selectFrom('participation')
        .select(['guest_id', 'visitor_id'])
        .where('id', '=', participation)
        .executeTakeFirstOrThrow()
    )[column]!
  const log = async (
    id: number,
    kind: string,
    { by = ANN.id, as: actor = 'user', subject = 'participation', changes = {} } = {},
  ) =>
    (
      await write
        .insertInto('journal')
        .values({
          kind,
          subject_kind: subject,
          subject_id: id,
          changes: JSON.stringify(changes),
          at: world.now,
          actor_kind: actor,
          actor_id: by,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id

  test('their last step is their own, in this shift', async () => {
    const { shifts } = await addEvent([{}, {}])
    const [shift, other] = shifts as [number, number]
    assert.equal(await getLastOwnStep(as(ANN), shift), undefined)
    const ann = await world.addParticipation({ who: ANN, shift })
    const ben = await world.addParticipation({ who: BEN, shift })
    const elsewhere = await world.addParticipation({ who: ANN, shift: other })
    assert.equal(await getLastOwnStep(as(ANN), shift), undefined)
    await log(ann, 'participation.signed_up')
    const id = await log(ann, 'participation.customized')
    await log(ann, 'participation.moved', { by: PAUL.id })
    await log(ann, 'participation.moved', { as: 'guest' })
    await log(ann, 'shift.changed', { subject: 'shift' })
    await log(ben, 'participation.moved')
    await log(elsewhere, 'participation.declined')
    assert.deepEqual(await getLastOwnStep(as(ANN), shift), { id, kind: 'participation.customized', participationId: ann })
    const guest = makeActor<GuestActor>({ kind: 'guest', guestId: ANN.id, eventId: 1, displayName: 'G', language: 'en' })
    assert.equal(await getLastOwnStep({ ...as(ANN), actor: guest }, shift), undefined)
  })

  test('a place is taken since a step if fewer are free and somebody else was confirmed or offered one', async () => {
    const { shifts } = await addEvent([{ stats: { free: 1 } }, {}])
    const [shift, other] = shifts as [number, number]
    const free = (count: number | null) => write.updateTable('shift').set({ free: count }).where('id', '=', shift).execute()
    const ann = await world.addParticipation({ who: ANN, shift, state: 2 })
    const ben = await world.addParticipation({ who: BEN, shift, state: 1 })
    const vera = await world.addParticipation({ who: VERA, shift: other, state: 1 })
    const before = await log(ben, 'participation.signed_up')
    const id = await log(ann, 'participation.declined')
    const entry = { id, subject_id: ann }
    const taken = (places = 1) => isPlaceTakenSince(write, shift, entry, places)
    await free(0)
    await log(vera, 'participation.signed_up')
    assert.equal(await taken(), false, 'Ben was there before')
    assert.equal(await isPlaceTakenSince(write, shift, { id: before - 1, subject_id: ann }), true)
    assert.equal(await isPlaceTakenSince(write, shift, { id: before - 1, subject_id: ben }), false, 'the own place')
    assert.equal(await isPlaceTakenSince(write, shift, { id: before - 1, subject_id: null }), true)
    await log(ben, 'participation.customized')
    assert.equal(await taken(), true)
    await free(1)
    assert.deepEqual([await taken(), await taken(2)], [false, true])
    await free(null)
    assert.equal(await taken(), false, 'there is no limit')
    await free(0)
    await write.updateTable('participation').set({ state: 0 }).where('id', '=', ben).execute()
    await free(0)
    assert.equal(await taken(), false, 'only asks')
    await write
      .insertInto('waiting_entry')
      .values({
        shift_id: other,
        user_id: ANN.id,
        since: world.now,
        state: 'offered',
        offered_at: world.now,
        offered_until: world.now,
      })
      .execute()
    await write.insertInto('waiting_entry').values({ shift_id: shift, user_id: VERA.id, since: world.now }).execute()
    assert.equal(await taken(), false)
    await write
      .updateTable('waiting_entry')
      .set({ state: 'offered', offered_at: world.now, offered_until: world.now })
      .where('shift_id', '=', shift)
      .execute()
    assert.equal(await taken(), true)
    assert.equal(await isPlaceTakenSince(write, 0, entry), false)
    await write.deleteFrom('waiting_entry').execute()
  })

  test('comments on the own participation: those that the person may see, the oldest first', async () => {
    const { shifts } = await addEvent([{}])
    const comments = [
      { text: 'public', level: 2 as const, by: PAUL, at: at('10:00') },
      { text: 'mine', level: 1 as const, at: at('09:00') },
      { text: 'hidden', level: 0 as const, by: PAUL, at: at('08:00') },
      { text: 'former', level: 1 as const, by: 'a deleted user' as const, at: at('11:00') },
    ]
    const ann = await world.addParticipation({ who: ANN, shift: shifts[0]!, comments })
    const ben = await world.addParticipation({ who: BEN, shift: shifts[0]!, comments: [{ text: 'other', level: 2 }] })
    const context = as(ANN)
    assert.deepEqual(await findOwnComments(context, ann), [
      { text: 'mine', at: new Date(at('09:00')), isPublic: false, author: undefined },
      { text: 'public', at: new Date(at('10:00')), isPublic: true, author: 'Paul' },
      { text: 'former', at: new Date(at('11:00')), isPublic: false, author: context.words.t('participation.former_responsible') },
    ])
    assert.deepEqual(await findOwnComments(context, ben), [])
    const guest = await world.addParticipation({
      who: { guest: { name: 'Gus' } },
      shift: shifts[0]!,
      comments: [{ text: 'hi', level: 1 }],
    })
    const visitor = await world.addParticipation({
      who: { visitor: { name: 'Vic' }, of: NORD },
      shift: shifts[0]!,
      comments: [{ text: 'ho', level: 1 }],
    })
    const gus = makeActor<GuestActor>({
      kind: 'guest',
      guestId: await idOf(guest, 'guest_id'),
      eventId: 1,
      displayName: 'G',
      language: 'en',
    })
    const vic = makeActor<VisitorActor>({
      kind: 'visitor',
      visitorId: await idOf(visitor, 'visitor_id'),
      federatedGuestId: NORD.id,
      displayName: 'V',
      language: 'en',
    })
    const texts = async (actor: RequestContext['actor'], id: number) =>
      (await findOwnComments({ ...context, actor }, id)).map(({ text }) => text)
    assert.deepEqual([await texts(gus, guest), await texts(vic, visitor), await texts(gus, visitor)], [['hi'], ['ho'], []])
    assert.deepEqual(await texts({ kind: 'anonymous' } as RequestContext['actor'], ann), [])
  })

  test('recipients of messages are those whom each list names', async () => {
    const start = world.now.toISOString()
    const over = { start: new Date(world.now.getTime() - 2 * HOUR_MS).toISOString(), end: start }
    const { id: eventId, shifts } = await addEvent([{ start }, over], { responsible: [PAUL, PLANNERS, ANN] })
    const [shift, past] = shifts as [number, number]
    const other = await addEvent([{ start }])
    const ids = {
      ann: await world.addParticipation({ who: ANN, shift, state: 1 }),
      ben: await world.addParticipation({ who: BEN, shift, state: 0 }),
      vera: await world.addParticipation({ who: VERA, shift, state: 2 }),
      olga: await world.addParticipation({ who: OLGA, shift, state: 3 }),
      driver: await world.addParticipation({ who: { placeholder: 'Driver' }, shift, state: 1 }),
      gus: await world.addParticipation({ who: { guest: { name: 'Gus' } }, shift, state: 1 }),
      vic: await world.addParticipation({ who: { visitor: { name: 'Vic' }, of: NORD }, shift, state: 0 }),
      annBefore: await world.addParticipation({ who: ANN, shift: past, state: 1 }),
      veraBefore: await world.addParticipation({ who: VERA, shift: past, state: 0 }),
      paulElsewhere: await world.addParticipation({ who: PAUL, shift: other.shifts[0]!, state: 1 }),
    }
    const names = new Map(Object.entries(ids).map(([name, id]) => [id, name]))
    const [gus, vic] = [await idOf(ids.gus, 'guest_id'), await idOf(ids.vic, 'visitor_id')]
    const nobody = { users: [], guests: [], visitors: [] }
    const find = async (
      query: RecipientQuery,
      subjectId: number,
      { ms = 0, listed = nobody }: { ms?: number; listed?: Parameters<RecipientQuery>[0]['listed'] } = {},
    ) => {
      const { rows } = await query({ eventId, subjectId, at: new Date(world.now.getTime() + ms), listed }).execute(write)
      const row = ({ user_id, guest_id, visitor_id, participation_id }: RecipientRow) => {
        const who = user_id ? `user ${user_id}` : guest_id ? `guest ${guest_id}` : `visitor ${visitor_id}`
        return `${who} ${participation_id === null ? '-' : names.get(participation_id)}`
      }
      return rows.map(row).sort()
    }
    const [user, guest, visitor] = [
      (id: number, name = '-') => `user ${id} ${name}`,
      (name = '-') => `guest ${gus} ${name}`,
      (name = '-') => `visitor ${vic} ${name}`,
    ]
    for (const [what, found, expected] of [
      ['participant', await find(participant, ids.vera), [user(VERA.id, 'vera')]],
      ['guest', await find(participant, ids.gus), [guest('gus')]],
      ['visitor', await find(participant, ids.vic), [visitor('vic')]],
      ['placeholder', await find(participant, ids.driver), []],
      ['coming', await find(comingParticipant, ids.vera, { ms: HOUR_MS - 1 }), [user(VERA.id, 'vera')]],
      ['not coming', await find(comingParticipant, ids.vera, { ms: HOUR_MS }), []],
      ['coming placeholder', await find(comingParticipant, ids.driver), []],
      ['responsibles', await find(responsibles, ids.ann), [user(PAUL.id, 'ann')]],
      ['responsibles of a guest', await find(responsibles, ids.gus), [user(ANN.id, 'gus'), user(PAUL.id, 'gus')]],
      [
        'of the shift',
        await find(comingParticipantsOfShift, shift),
        [guest('gus'), user(ANN.id, 'ann'), user(BEN.id, 'ben'), visitor('vic')],
      ],
      ['of the shift at its end', await find(comingParticipantsOfShift, shift, { ms: HOUR_MS }), []],
      ['of a shift that is over', await find(comingParticipantsOfShift, past), []],
      ['of the event', await find(comingParticipants, eventId), [guest(), user(ANN.id), user(BEN.id), visitor()]],
      ['of the event at its end', await find(comingParticipants, eventId, { ms: HOUR_MS }), []],
      [
        'of any shift',
        await find(eventParticipants, eventId),
        [guest(), user(ANN.id), user(BEN.id), user(VERA.id), visitor()].sort(),
      ],
      ['confirmed', await find(confirmedParticipants, eventId), [guest('gus'), user(ANN.id, 'ann'), user(ANN.id, 'annBefore')]],
      [
        'listed',
        await find(listedParticipants, 0, { listed: { users: [BEN.id], guests: [gus], visitors: [vic] } }),
        [guest(), user(BEN.id), visitor()],
      ],
    ] as const)
      assert.deepEqual(found, [...expected].sort(), what)
  })

  test('places ahead are confirmed ones that have not begun, and requests until the end', async () => {
    const begins = (ms: number) => ({
      start: new Date(world.now.getTime() + ms).toISOString(),
      end: new Date(world.now.getTime() + ms + HOUR_MS).toISOString(),
    })
    const { id, shifts } = await addEvent([
      { ...begins(2 * HOUR_MS), label: 'later' },
      { ...begins(1), label: 'soon' },
      { ...begins(0), label: 'now' },
      { ...begins(1 - HOUR_MS), label: 'running' },
      { ...begins(-HOUR_MS), label: 'over' },
    ])
    const hidden = await addEvent([{ ...begins(3 * HOUR_MS), label: 'secret' }], { seenBy: [] })
    const binned = await addEvent([begins(HOUR_MS)], { deleted: true })
    const states = [1, 1, 1, 0, 0] as const
    for (const [index, state] of states.entries()) await world.addParticipation({ who: VERA, shift: shifts[index]!, state })
    await world.addParticipation({ who: VERA, shift: hidden.shifts[0]!, state: 0 })
    await world.addParticipation({ who: VERA, shift: binned.shifts[0]!, state: 1 })
    await world.addParticipation({ who: BEN, shift: shifts[0]!, state: 1 })
    const seen = { title: 'Harbour run', href: `/events/${id}-harbour-run/` }
    const found = await findPlacesAhead(as(ANN), VERA.id)
    assert.deepEqual(
      found.map(({ shift, isConfirmed, event, start }) => [shift, isConfirmed, event, start.getTime() - world.now.getTime()]),
      [
        ['running', false, seen, 1 - HOUR_MS],
        ['soon', true, seen, 1],
        ['later', true, seen, 2 * HOUR_MS],
        ['', false, undefined, 3 * HOUR_MS],
      ],
    )
    const [left] = await addEvent([begins(HOUR_MS)]).then(({ shifts }) => shifts)
    await world.addParticipation({ who: OLGA, shift: left!, state: 2 })
    assert.deepEqual(await findPlacesAhead(as(ANN), OLGA.id), [])
  })

  test('companions are those of this shift in the order in which they came, and those who left with the person', async () => {
    const { shifts } = await addEvent([{ start: at('10:00') }, {}])
    const [shift, other] = shifts as [number, number]
    const ann = await world.addParticipation({ who: ANN, shift })
    const ben = await world.addParticipation({ who: BEN, shift })
    const bring = async (name: string, by: number, more: object = {}) => {
      const id = await world.addParticipation({ who: { placeholder: name }, shift, state: 2, ...more })
      await write.updateTable('participation').set({ brought_by_id: by }).where('id', '=', id).execute()
      return id
    }
    const first = await bring('Zoe', ann, { start: at('10:15'), end: at('10:45'), data: { a: 1 } })
    const second = await bring('Max', ann, { state: 1 })
    await bring('Tim', ben)
    await bring('Ida', ann, { shift: other })
    const all = await findCompanions(write, ann)
    assert.deepEqual(
      all.map(({ name }) => name),
      ['Zoe', 'Max'],
    )
    const { version } = await write
      .selectFrom('participation')
      .select('version')
      .where('id', '=', first)
      .executeTakeFirstOrThrow()
    const span = { start: new Date(at('10:15')), end: new Date(at('10:45')) }
    assert.deepEqual(all[0], {
      id: first,
      name: 'Zoe',
      version,
      shiftId: shift,
      state: 2,
      individualStart: span.start,
      individualEnd: span.end,
      ...span,
      structureData: { a: 1 },
    })
    await log(first, 'participation.left_together', { changes: { state: [1, 2] } })
    await log(second, 'participation.left_together', { changes: { state: [0, 2] } })
    assert.deepEqual(await findLeftCompanions(write, [second, first]), [
      { id: first, state: 1 },
      { id: second, state: 0 },
    ])
    assert.deepEqual(await findLeftCompanions(write, [second]), [{ id: second, state: 0 }])
    await log(second, 'participation.moved', { changes: { state: [2, 1] } })
    assert.deepEqual(await findLeftCompanions(write, [first, second]), [{ id: first, state: 1 }])
    assert.deepEqual(await findLeftCompanions(write, []), [])
  })

  test('an event tells planners its place in the series, and whether shifts were removed', async () => {
    const series = async () =>
      (
        await write
          .insertInto('event_series')
          .values({ start_date: '2031-05-01', rrule: null, created_at: world.now })
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id
    const join = (series_id: number, event_id: number, date: string) =>
      write.insertInto('event_series_member').values({ series_id, event_id, date, generated: '{}' }).execute()
    const [first, second, third] = [await addEvent([{}]), await addEvent([{}]), await addEvent([{}])]
    const [binned, foreign, other] = [
      await addEvent([{}], { deleted: true }),
      await addEvent([{}], { responsible: [VERA] }),
      await addEvent([{}]),
    ]
    const [one, two] = [await series(), await series()]
    for (const [event, date] of [
      [third.id, '2031-05-05'],
      [first.id, '2031-05-01'],
      [foreign.id, '2031-05-02'],
      [binned.id, '2031-05-03'],
      [second.id, '2031-05-04'],
    ] as const)
      await join(one, event, date)
    await join(two, other.id, '2031-05-02')
    const placeOf = async (id: number, person = PAUL) => (await getEventDetails(as(person, [HELPERS.id]), id))?.series
    const place = { seriesId: one, count: 3 }
    assert.deepEqual(await placeOf(first.id), { ...place, position: 1, previous: null, next: second.id })
    assert.deepEqual(await placeOf(second.id), { ...place, position: 2, previous: first.id, next: third.id })
    assert.deepEqual(await placeOf(third.id), { ...place, position: 3, previous: second.id, next: null })
    assert.deepEqual(await placeOf(other.id), { seriesId: two, count: 1, position: 1, previous: null, next: null })
    assert.equal(await placeOf(first.id, ANN), null)
    const details = (await getEventDetails(as(ANN), first.id))!
    assert.deepEqual(
      [details.is_responsible, details.active, details.has_removed, details.shows, details.type_title],
      [false, true, false, 0, 'Service'],
    )
    assert.equal((await getEventDetails(as(PAUL), first.id))?.is_responsible, true)
    const times = { meeting_time: world.now, start_time: world.now, end_time: world.now, removed_at: world.now }
    await write
      .insertInto('removed_shift')
      .values({ id: 9001, event_id: first.id, is_cancelled: true, reason: 'Storm', label: '', row: '{}', ...times })
      .execute()
    assert.deepEqual(
      [(await getEventDetails(as(ANN), first.id))?.has_removed, (await getEventDetails(as(ANN), second.id))?.has_removed],
      [true, false],
    )
    assert.equal(await getEventDetails(as(VERA), first.id), undefined)
  })

  test('people of an event are named for those who may see them; guests see first names if the event says so', async () => {
    const { id, shifts } = await addEvent([
      { start: at('12:00'), meeting: at('11:00') },
      { start: at('10:00'), meeting: at('09:00') },
    ])
    const [late, early] = shifts as [number, number]
    const people: [Parameters<typeof world.addParticipation>[0]['who'], 0 | 1 | 2, object?][] = [
      [await world.addPerson({ name: 'Arbor, Ada' }), 1, { end: at('12:30') }],
      [await world.addPerson({ name: 'Bo Beck' }), 1],
      [{ placeholder: 'Driver' }, 1],
      [VERA, 0],
      [BEN, 2],
      [ANN, 2],
    ]
    for (const [who, state, more] of people) await world.addParticipation({ who, shift: late, state, ...more })
    const guestPlace = await world.addParticipation({ who: { guest: { name: 'Gus Great' } }, shift: late, state: 0 })
    const guest = makeActor<GuestActor>({
      kind: 'guest',
      guestId: await idOf(guestPlace, 'guest_id'),
      eventId: id,
      displayName: 'Gus',
      language: 'en',
    })
    await write
      .insertInto('guest_share')
      .values({ event_id: id, active: true, token_sealed: 'x', token_hash: Buffer.alloc(32) } as never)
      .execute()
    const names = async (context: RequestContext) =>
      (await findShiftDetails(context, id)).people.map(({ name, is_own }) => (is_own ? `${name} (own)` : name))
    assert.deepEqual(await names(as(ANN)), ['Arbor, Ada', 'Bo Beck', 'Driver', 'Vera', 'Ann (own)', 'Gus Great'])
    const { shifts: found, people: rows } = await findShiftDetails(as(ANN), id)
    assert.deepEqual(
      found.map((shift) => shift.id),
      [early, late],
    )
    assert.deepEqual(
      rows
        .slice(0, 2)
        .map(({ shift_id, state, start_time, end_time, has_own_times, structure_data }) => [
          shift_id,
          state,
          start_time,
          end_time,
          has_own_times,
          structure_data,
        ]),
      [
        [late, 1, new Date(at('12:00')), new Date(at('12:30')), true, {}],
        [late, 1, new Date(at('12:00')), new Date(at('13:00')), false, {}],
      ],
    )
    const asGuest = { ...as(ANN), actor: guest }
    assert.deepEqual(await names(asGuest), [null, null, null, 'Gus Great (own)'])
    await write.updateTable('event').set({ guests_see_names: true }).where('id', '=', id).execute()
    assert.deepEqual(await names(asGuest), ['Ada', 'Bo', null, 'Gus Great (own)'])
    assert.deepEqual(await findShiftDetails(as(VERA, []), 0), { shifts: [], people: [] })
  })
})
