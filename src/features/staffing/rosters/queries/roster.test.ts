import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import type { RequestContext } from '#platform/auth/context.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { actorOf, contextOf } from '#test/support/command-context.ts'
import { ANN, BEN, HELPERS, NORD, PAUL, type Person, VERA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { findRoster, type RosterLine } from './roster.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const at = (time: string) => `2031-05-20T${time}:00Z`

describe('the roster', async () => {
  const world = await openWorld()
  const { write } = world.db
  const medic = await world.addQualification('Medic')
  const doctor = await world.addQualification('Doctor', [medic])
  const as = (person: Person, now = world.now): RequestContext => ({
    ...contextOf(world, actorOf(person, { groupIds: HELPERS.members.includes(person) ? [HELPERS.id] : [] })),
    now,
    words: wordsFor('en', 'UTC'),
  })
  const find = (context: RequestContext, eventId: number, more: object = {}) =>
    findRoster(context, eventId, { shiftId: undefined, requests: true, privateComments: true, ...more })
  const linesOf = async (context: RequestContext, eventId: number, more: object = {}) =>
    (await find(context, eventId, more)).flatMap(({ lines }) => lines)
  const names = (lines: RosterLine[]) => lines.map(({ kind, name }) => name ?? kind)
  beforeEach(async () => {
    for (const table of ['participation', 'event', 'qualification_grant'] as const) await write.deleteFrom(table).execute()
  })
  const idOf = async (id: number, column: 'guest_id' | 'visitor_id') =>
    (await write.selectFrom('participation').select(['guest_id', 'visitor_id']).where('id', '=', id).executeTakeFirstOrThrow())[
      column
    ]!

  test('has the shifts of the event in order, or one of them, for those who see it', async () => {
    const { id, shifts } = await world.addEvent({
      seenBy: [HELPERS],
      shifts: [
        { label: 'late', start: at('12:00'), meeting: at('11:00') },
        { label: 'early', start: at('13:00'), meeting: at('10:00') },
        { label: 'first', start: at('12:30'), meeting: at('10:00') },
      ],
    })
    const other = await world.addEvent({ seenBy: [HELPERS], shifts: [{ label: 'other' }] })
    const labels = async (person: Person, eventId = id, more: object = {}) =>
      (await find(as(person), eventId, more)).map(({ label }) => label)
    assert.deepEqual(await labels(ANN), ['first', 'early', 'late'])
    assert.deepEqual(await labels(ANN, id, { shiftId: shifts[1] }), ['early'])
    assert.deepEqual(await labels(ANN, other.id, { shiftId: shifts[1] }), [])
    assert.deepEqual(await labels(VERA), [])
    await write.updateTable('event').set({ active: false }).where('id', '=', id).execute()
    assert.deepEqual(await labels(ANN), [])
  })

  test('says of each person what the reader may know, confirmed ones first, then open places and requests', async () => {
    const { id, shifts } = await world.addEvent({
      seenBy: [HELPERS, PAUL],
      responsible: [PAUL],
      shifts: [
        { start: at('10:00'), end: at('12:00'), configuration: { minimum_number_of_participants: 6 }, stats: { missing: 2 } },
      ],
    })
    const [shift] = shifts as [number]
    const comments = [
      { text: 'second', level: 1 as const, at: at('09:00') },
      { text: 'first', level: 2 as const, by: PAUL, at: at('08:00') },
      { text: 'third', level: 0 as const, by: PAUL, at: at('09:30') },
    ]
    const ann = await world.addParticipation({ who: ANN, shift, state: 1, end: at('11:00'), comments })
    await world.addParticipation({ who: BEN, shift, state: 0 })
    await world.addParticipation({ who: VERA, shift, state: 2 })
    const driver = await world.addParticipation({ who: { placeholder: 'driver' }, shift, state: 1 })
    await write.updateTable('participation').set({ brought_by_id: ann }).where('id', '=', driver).execute()
    const guest = await world.addParticipation({ who: { guest: { name: 'Gus' } }, shift, state: 1 })
    const visitor = await world.addParticipation({ who: { visitor: { name: 'Vic' }, of: NORD }, shift, state: 1 })
    const [guestId, visitorId] = [await idOf(guest, 'guest_id'), await idOf(visitor, 'visitor_id')]
    await write.updateTable('guest').set({ phone: '1' }).where('id', '=', guestId).execute()
    await write.updateTable('visitor').set({ phone: '' }).where('id', '=', visitorId).execute()
    const end = new Date(at('11:00'))
    await world.holds(ANN, medic, end)
    await world.holds(BEN, medic, end)
    await write
      .insertInto('guest_qualification')
      .values([
        { guest_id: guestId, qualification_id: medic.id, verified_at: world.now },
        { guest_id: guestId, qualification_id: doctor.id, verified_at: null },
      ])
      .execute()
    for (const { id: qualification_id } of [medic, doctor])
      await write.insertInto('visitor_qualification').values({ visitor_id: visitorId, qualification_id }).execute()
    const times = { start: new Date(at('10:00')), end: new Date(at('12:00')) }
    const line = (kind: RosterLine['kind'], name: string | undefined, more: Partial<RosterLine> = {}): RosterLine => ({
      kind,
      place: kind === 'confirmed' ? { kind: 'shift' } : undefined,
      name,
      isGuest: false,
      broughtBy: undefined,
      phone: undefined,
      emergency: undefined,
      times: name === undefined ? undefined : times,
      qualifications: [],
      comments: [],
      answers: [],
      ...more,
    })
    const ofAnn = { times: { start: times.start, end }, qualifications: ['Medic'] }
    const open = Array.from({ length: 2 }, () => line('open', undefined))
    const planner = await linesOf(as(PAUL), id)
    assert.deepEqual(
      planner.filter(({ kind }) => kind !== 'open'),
      [
        line('confirmed', 'Ann', {
          ...ofAnn,
          phone: ANN.phone!,
          comments: [
            { text: 'first', isPrivate: false },
            { text: 'second', isPrivate: true },
            { text: 'third', isPrivate: true },
          ],
        }),
        line('confirmed', 'driver', { broughtBy: 'Ann' }),
        line('confirmed', 'Gus', { isGuest: true, phone: '1', qualifications: ['Medic'] }),
        line('confirmed', 'Vic', { qualifications: ['Doctor'] }),
        line('requested', 'Ben', { phone: BEN.phone! }),
      ],
    )
    assert.equal(planner.at(-1)?.name, 'Ben')
    assert.equal(planner.filter(({ kind }) => kind === 'open').length, open.length)
    const [first] = await linesOf(as(PAUL), id, { privateComments: false })
    assert.deepEqual(first?.comments, [{ text: 'first', isPrivate: false }])
    const reader = await linesOf(as(BEN), id)
    assert.deepEqual(
      reader.filter(({ kind }) => kind !== 'open'),
      [
        line('confirmed', 'Ann', { ...ofAnn, comments: [{ text: 'first', isPrivate: false }] }),
        line('confirmed', 'driver'),
        line('confirmed', 'Gus', { isGuest: true, qualifications: ['Medic'] }),
        line('confirmed', 'Vic', { qualifications: ['Doctor'] }),
        line('requested', 'Ben'),
      ],
    )
    await world.grantsProfile(BEN, ANN)
    assert.equal((await linesOf(as(BEN), id))[0]?.phone, ANN.phone)
    await write.deleteFrom('profile_user_grant').execute()
    assert.deepEqual(names((await linesOf(as(PAUL), id, { requests: false })).filter(({ kind }) => kind !== 'open')), [
      'Ann',
      'driver',
      'Gus',
      'Vic',
    ])
  })

  test('has requests last, also on a shift whose structure is not known', async () => {
    const { id, shifts } = await world.addEvent({
      seenBy: [HELPERS],
      shifts: [{ structure: 'lottery', stats: { missing: 1 } }],
    })
    await world.addParticipation({ who: BEN, shift: shifts[0]!, state: 0 })
    await world.addParticipation({ who: VERA, shift: shifts[0]!, state: 1 })
    assert.deepEqual(names(await linesOf(as(ANN), id)), ['Vera', 'open', 'Ben'])
  })

  test('hides who takes part, with everything about them, where the type of the event says so', async () => {
    const type = await world.addType({ showParticipantData: 2 })
    const { id, shifts } = await world.addEvent({
      seenBy: [HELPERS],
      responsible: [PAUL],
      type,
      shifts: [{ start: at('10:00') }],
    })
    const [shift] = shifts as [number]
    await world.holds(VERA, medic)
    await world.addParticipation({ who: VERA, shift, state: 1, comments: [{ text: 'x', level: 2 }] })
    await world.addParticipation({ who: { guest: { name: 'Gus' } }, shift, state: 0 })
    await world.addParticipation({ who: ANN, shift, state: 1 })
    const lines = await linesOf(as(ANN), id)
    const hidden = {
      place: undefined,
      name: undefined,
      isGuest: false,
      broughtBy: undefined,
      phone: undefined,
      emergency: undefined,
      times: undefined,
      qualifications: [],
      comments: [],
      answers: [],
    }
    assert.deepEqual(
      lines.filter(({ name }) => name === undefined),
      [
        { kind: 'taken', ...hidden, place: { kind: 'shift' } },
        { kind: 'taken-requested', ...hidden },
      ],
    )
    assert.deepEqual(names(lines), ['Ann', 'taken', 'taken-requested'])
    assert.deepEqual(names(await linesOf(as(PAUL), id)), ['Ann', 'Vera', 'Gus'])
  })

  test('has emergency contacts for planners from a day before a confirmed place until a day after it', async () => {
    const { id, shifts } = await world.addEvent({
      seenBy: [HELPERS],
      responsible: [PAUL],
      shifts: [{ start: at('10:00'), end: at('12:00') }],
    })
    const [shift] = shifts as [number]
    const contact = { emergency_name: 'Mum', emergency_phone: null }
    await write.updateTable('user_profile').set(contact).where('id', 'in', [ANN.id, BEN.id]).execute()
    await world.addParticipation({ who: ANN, shift, state: 1 })
    await world.addParticipation({ who: BEN, shift, state: 0 })
    await world.addParticipation({ who: VERA, shift, state: 1 })
    const shown = async (time: number, person = PAUL) =>
      (await linesOf(as(person, new Date(time)), id))
        .filter(({ emergency }) => emergency)
        .map(({ name, emergency }) => [name, emergency])
    const [start, end] = [Date.parse(at('10:00')), Date.parse(at('12:00'))]
    const ofAnn = [['Ann', { name: 'Mum', phone: null }]]
    for (const [time, found] of [
      [start - DAY_MS - 1, []],
      [start - DAY_MS, ofAnn],
      [end + DAY_MS, ofAnn],
      [end + DAY_MS + 1, []],
    ] as const)
      assert.deepEqual(await shown(time), found, String(time))
    assert.deepEqual(await shown(start, BEN), [])
    await world.grantsProfile(PAUL, BEN)
    assert.deepEqual(await shown(start - 9 * DAY_MS), [['Ben', { name: 'Mum', phone: null }]])
    await write.deleteFrom('profile_user_grant').execute()
    await write.updateTable('user_profile').set({ emergency_name: null }).execute()
    assert.deepEqual(await shown(start), [])
  })

  test('shows people in their teams in the order of the teams, with open places among them', async () => {
    const teams = [
      { uuid: 'north', title: 'North', min_count: 1, max_count: 2 },
      { uuid: 'south', title: 'South', min_count: 2, max_count: 2 },
    ]
    const { id, shifts } = await world.addEvent({
      seenBy: [HELPERS],
      responsible: [PAUL],
      shifts: [{ start: at('10:00'), structure: 'named_teams', configuration: { teams } }],
    })
    const [shift] = shifts as [number]
    await world.addParticipation({ who: BEN, shift, state: 1, data: { dispatched_team_uuid: 'north' } })
    await world.addParticipation({ who: ANN, shift, state: 1, data: { dispatched_team_uuid: 'south' } })
    await world.addParticipation({ who: VERA, shift, state: 1 })
    const lines = await linesOf(as(PAUL), id)
    const order = names(lines).filter((name) => name !== 'open')
    assert.deepEqual(order, ['Ben', 'Ann', 'Vera'])
    assert.ok(lines.some(({ kind, place }) => kind === 'open' && place !== undefined))
    assert.deepEqual(
      lines.filter(({ name }) => name === 'Vera').map(({ place }) => place),
      [undefined],
    )
  })

  test('has the questions and answers for planners alone', async () => {
    const { id, shifts } = await world.addEvent({
      seenBy: [HELPERS],
      responsible: [PAUL],
      shifts: [{ start: at('10:00') }, { start: at('12:00') }],
    })
    const [shift] = shifts as [number]
    const { id: question_id } = await write
      .insertInto('question')
      .values({ name: 'Diet', text: 'What?', kind: 'text' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await write.insertInto('shift_question').values({ shift_id: shift, question_id }).execute()
    const participation_id = await world.addParticipation({ who: ANN, shift, state: 1 })
    await write.insertInto('answer').values({ participation_id, question_id, value: '"Nuts"' }).execute()
    const read = async (person: Person) =>
      (await find(as(person), id)).map(({ questions, lines }) => [
        questions.length,
        lines.flatMap(({ answers }) => answers).length,
      ])
    assert.deepEqual(await read(PAUL), [
      [1, 1],
      [0, 0],
    ])
    assert.deepEqual(await read(BEN), [
      [0, 0],
      [0, 0],
    ])
  })
})
