import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import type { UserActor } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { contextAs } from '#test/support/command-context.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL, type Person, VERA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { makeAnswerToken } from './answers.ts'
import { findCandidates } from './candidates.ts'
import { findInquiries, findInquiryCounts, getClosingTime, getWaveState } from './inquiries.ts'
import { findOpenInquiries, getOwnAnswerToken } from './open.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const START = Date.parse('2031-05-20T08:00:00Z')

describe('queries of inquiries', async () => {
  const world = await openWorld()
  const { write } = world.db
  const { site } = world.app
  const at = (ms: number) => new Date(world.now.getTime() + ms)
  const as = (person: Person, ms = 0): RequestContext<UserActor> =>
    ({ ...contextAs(world, person), now: at(ms), words: wordsFor('en', 'UTC') }) as unknown as RequestContext<UserActor>
  const addShift = async (shift: object = {}, event: object = {}) => {
    const start = new Date(START).toISOString()
    const made = await world.addEvent({
      seenBy: [HELPERS],
      responsible: [PAUL],
      shifts: [{ start, flow: 'instant_confirmation', ...shift }],
      ...event,
    })
    return made.shifts[0]!
  }
  const addInquiry = async (shift: number, values: object = {}) =>
    (
      await write
        .insertInto('inquiry')
        .values({ shift_id: shift, created_by_id: PAUL.id, created_at: at(0), wanted: 1, was_short: true, ...values })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id
  let position = 0
  const ask = async (inquiry: number, who: Person, values: object = {}) =>
    (
      await write
        .insertInto('inquiry_person')
        .values({
          inquiry_id: inquiry,
          user_id: who.id,
          position: position++,
          wave: 1,
          asked_at: at(-HOUR_MS),
          expires_at: at(HOUR_MS),
          ...values,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id
  const waiting = { wave: null, asked_at: null, expires_at: null }
  beforeEach(async () => {
    for (const table of ['inquiry', 'participation', 'event'] as const) await write.deleteFrom(table).execute()
  })

  test('those of a shift, the latest first, with every person in order and what they answered in any way', async () => {
    const [shift, other] = [await addShift(), await addShift()]
    const first = await addInquiry(shift, { message: 'Please!', wanted: 2, wave_size: 3, wave_hours: 4, next_wave_at: at(5) })
    const second = await addInquiry(shift, { created_by_id: null, ended_at: at(6), end_reason: 'enough', was_short: false })
    await ask(await addInquiry(other), VERA)
    await ask(first, BEN, { answer: 'cannot', answered_at: at(7), reason: 'ill', position: 2 })
    await ask(first, ANN, { ...waiting, position: 3 })
    await ask(first, OLGA, { position: 1, withdrawn_at: at(8) })
    await ask(second, ANN)
    await world.addParticipation({ who: ANN, shift, state: 0 })
    await world.addParticipation({ who: OLGA, shift, state: 2 })
    await world.addParticipation({ who: BEN, shift, state: 1 })
    await world.addParticipation({ who: ANN, shift: other, state: 2 })
    const asked = { askedAt: at(-HOUR_MS), withdrawnAt: null, answeredAt: null, reason: '' }
    assert.deepEqual(await findInquiries(write, shift), [
      {
        id: second,
        createdAt: at(0),
        createdBy: null,
        message: '',
        wanted: 1,
        waveSize: null,
        waveHours: null,
        nextWaveAt: null,
        endedAt: at(6),
        endReason: 'enough',
        people: [{ ...asked, userId: ANN.id, name: 'Ann', answer: 'can' }],
      },
      {
        id: first,
        createdAt: at(0),
        createdBy: 'Paul',
        message: 'Please!',
        wanted: 2,
        waveSize: 3,
        waveHours: 4,
        nextWaveAt: at(5),
        endedAt: null,
        endReason: null,
        people: [
          { ...asked, userId: OLGA.id, name: 'Olga', answer: 'cannot', withdrawnAt: at(8) },
          { ...asked, userId: BEN.id, name: 'Ben', answer: 'cannot', answeredAt: at(7), reason: 'ill' },
          { ...asked, userId: ANN.id, name: 'Ann', answer: 'can', askedAt: null },
        ],
      },
    ])
    assert.deepEqual(await findInquiries(write, 0), [])
  })

  test('counts of open questions and refusals belong to each shift', async () => {
    const [shift, other, none] = [await addShift(), await addShift(), await addShift()]
    const [first, second] = [await addInquiry(shift), await addInquiry(shift)]
    await ask(first, ANN)
    await ask(first, BEN, { answer: 'cannot', answered_at: at(0) })
    await ask(first, OLGA, { withdrawn_at: at(0) })
    await ask(second, VERA)
    await ask(second, PAUL, waiting)
    await ask(await addInquiry(other), ANN, { answer: 'can', answered_at: at(0) })
    await world.addParticipation({ who: ANN, shift: other, state: 2 })
    const counts = () => findInquiryCounts(as(PAUL), [shift, other, none])
    assert.deepEqual(
      await counts(),
      new Map([
        [shift, { open: 2, cannot: 1 }],
        [other, { open: 0, cannot: 0 }],
      ]),
    )
    await world.addParticipation({ who: ANN, shift, state: 2 })
    await world.addParticipation({ who: VERA, shift, state: 0 })
    assert.deepEqual((await counts()).get(shift), { open: 0, cannot: 2 })
  })

  test('a wave is judged by people who were asked and accepted, and by the state of the shift', async () => {
    const shift = await addShift({
      stats: { free: 3, missing: 1 },
      flowConfiguration: { signup_until: new Date(START - DAY_MS).toISOString() },
    })
    await write.updateTable('shift').set({ shortfall: 2 }).where('id', '=', shift).execute()
    const inquiry = await addInquiry(shift, { wanted: 4, was_short: true })
    await ask(inquiry, ANN)
    await ask(inquiry, BEN)
    await ask(inquiry, OLGA)
    await ask(inquiry, VERA, waiting)
    await world.addParticipation({ who: ANN, shift, state: 1 })
    await world.addParticipation({ who: BEN, shift, state: 0 })
    await world.addParticipation({ who: OLGA, shift, state: 2 })
    await world.addParticipation({ who: VERA, shift, state: 1 })
    await world.addParticipation({ who: PAUL, shift, state: 1 })
    const stateAt = (ms: number, id = inquiry) => getWaveState(write, id, { now: new Date(ms), timeZone: 'UTC' })
    const { free } = await write.selectFrom('shift').select('free').where('id', '=', shift).executeTakeFirstOrThrow()
    const state = {
      isListed: true,
      free,
      lacking: 2,
      wasShort: true,
      wanted: 4,
      accepted: 2,
      waiting: 1,
      closesAt: new Date(START - DAY_MS),
    }
    assert.deepEqual(await stateAt(START), state)
    assert.deepEqual(await stateAt(START + HOUR_MS - 1), state)
    assert.deepEqual(await stateAt(START + HOUR_MS), { ...state, isListed: false })
    assert.equal(await stateAt(START, 0), undefined)
    await write.updateTable('event').set({ cancelled_at: world.now, cancellation_reason: 'x' }).execute()
    assert.equal((await stateAt(START))?.isListed, false)
    assert.deepEqual(await getClosingTime(write, shift, 'UTC'), new Date(START - DAY_MS))
    await write.updateTable('shift').set({ signup_flow_slug: 'manual' }).where('id', '=', shift).execute()
    assert.equal((await stateAt(START))?.closesAt, undefined)
    await write.updateTable('shift').set({ signup_flow_slug: 'unknown' }).where('id', '=', shift).execute()
    assert.deepEqual(await getClosingTime(write, shift, 'UTC'), new Date(START), 'its start')
  })

  test('open questions of a person wait on the home page, in order, with a link that is theirs', async () => {
    const start = (days: number) => ({ start: new Date(START + days * DAY_MS).toISOString() })
    const open = async (ms = 0, person = ANN) => (await findOpenInquiries(as(person, ms))).map(({ title }) => title)
    const late = await addShift({ ...start(2), label: 'Late' })
    const early = await addShift({ ...start(1), label: '' }, { title: 'Fair' })
    await ask(await addInquiry(late, { created_by_id: null }), ANN, { expires_at: at(2 * HOUR_MS) })
    const id = await ask(await addInquiry(early), ANN)
    await ask(await addInquiry(early), BEN)
    const [first, second] = await findOpenInquiries(as(ANN))
    const token = makeAnswerToken(site.keyring, { id, userId: ANN.id, shiftId: early, expiresAt: at(HOUR_MS) })
    assert.ok(first!.href.includes(encodeURIComponent(token)) || first!.href.includes(token), first!.href)
    assert.deepEqual(
      [first?.title, first?.start, first?.end, first?.text],
      ['Fair', new Date(START + DAY_MS), new Date(START + DAY_MS + HOUR_MS), 'Paul asks whether you can take part'].with(
        3,
        as(ANN).words.t('inquiries.asks', { name: 'Paul' }),
      ),
    )
    assert.deepEqual([second?.title, second?.text], ['Harbour run, Late', as(ANN).words.t('inquiries.can_you')])
    assert.deepEqual(await open(HOUR_MS), ['Fair', 'Harbour run, Late'], 'as long as people can sign up, whatever was stored')
    assert.deepEqual(await open(0, OLGA), [])
    const begins = START + DAY_MS - world.now.getTime()
    assert.deepEqual(await open(begins - 1), ['Fair', 'Harbour run, Late'])
    assert.deepEqual(await open(begins), ['Harbour run, Late'])
    for (const [what, values] of [
      ['was answered', { answer: 'can', answered_at: at(0) }],
      ['was withdrawn', { withdrawn_at: at(0) }],
      ['is for later', waiting],
    ] as const) {
      await write
        .updateTable('inquiry_person')
        .set({ answer: null, answered_at: null, withdrawn_at: null, wave: 1, asked_at: at(0), expires_at: at(DAY_MS) })
        .where('id', '=', id)
        .execute()
      assert.deepEqual(await open(), ['Fair', 'Harbour run, Late'])
      await write.updateTable('inquiry_person').set(values).where('id', '=', id).execute()
      assert.deepEqual(await open(), ['Harbour run, Late'], what)
    }
    for (const [state, isOpen] of [
      [0, false],
      [1, false],
      [2, true],
    ] as const) {
      await write.deleteFrom('participation').execute()
      await world.addParticipation({ who: ANN, shift: late, state })
      assert.equal((await open()).length, isOpen ? 1 : 0)
    }
    await write
      .updateTable('inquiry')
      .set({ ended_at: at(0), end_reason: 'closed' })
      .execute()
    assert.equal((await open()).length, 1)
    await write.updateTable('inquiry').set({ end_reason: 'enough' }).execute()
    assert.equal((await open()).length, 0)
  })

  test('the link of a question is there for the person who was asked', async () => {
    const inquiry = await addInquiry(await addShift())
    const [asked, later] = [await ask(inquiry, ANN), await ask(inquiry, BEN, waiting)]
    const { shift_id: shiftId } = await write.selectFrom('inquiry').select('shift_id').executeTakeFirstOrThrow()
    const token = (person: Person, id: number) => getOwnAnswerToken(as(person), id, person.id)
    const expected = makeAnswerToken(site.keyring, { id: asked, userId: ANN.id, shiftId, expiresAt: at(HOUR_MS) })
    assert.equal(await token(ANN, asked), expected)
    for (const [person, id] of [
      [BEN, asked],
      [BEN, later],
      [ANN, 999_999],
    ] as const)
      assert.equal(await token(person, id), undefined)
  })

  test('among more people than are judged, those whom nobody has asked for a month are considered, too', async () => {
    const { rows } = await sql<{ id: number }>`insert into user_profile (display_name, email)
      select 'Many ' || n, 'many' || n || '@a.example' from generate_series(1, 302) n returning id`.execute(write)
    const ids = rows.map(({ id }) => id)
    const { id: group_id } = await world.addGroup('Many', [])
    await write
      .insertInto('user_group_member')
      .values(ids.map((user_id) => ({ group_id, user_id })))
      .execute()
    const [rested, notWanting] = ids.slice(-2) as [number, number]
    const shift = await addShift({}, { seenBy: [{ kind: 'group', id: group_id, name: 'Many', members: [] }] })
    const inquiry = await addInquiry(await addShift())
    await sql`insert into inquiry_person (inquiry_id, user_id, position, wave, asked_at, expires_at)
      select ${inquiry}::bigint, id, 1000 + row_number() over (), 1, ${at(-29 * DAY_MS)}::timestamptz, ${at(-28 * DAY_MS)}::timestamptz
      from user_profile where id <> all (${[rested, notWanting]}::bigint[])`.execute(write)
    // Asked exactly a month ago, which is long enough.
    await ask(inquiry, { ...ANN, id: rested }, { asked_at: at(-30 * DAY_MS), expires_at: at(-29 * DAY_MS) })
    await write
      .updateTable('user_profile')
      .set({ disabled_notifications: JSON.stringify([['mail', 'inquiry']]) })
      .where('id', '=', notWanting)
      .execute()
    const found = await findCandidates(as(PAUL), shift, { perDay: 5 })
    const candidates = found.people.map(({ id }) => id)
    assert.deepEqual(
      [found.isCut, candidates.length, candidates.includes(rested), candidates.includes(notWanting)],
      [true, 301, true, false],
    )
    await write.deleteFrom('user_profile').where('id', 'in', ids).execute()
    await write.deleteFrom('user_group').where('id', '=', group_id).execute()
  })

  test('candidates are those who can sign up and may be asked, each with their own facts', async () => {
    const shift = await addShift()
    const other = await addShift({ start: new Date(START + 2 * DAY_MS).toISOString() })
    const medic = await world.addQualification('Medic')
    const doctor = await world.addQualification('Doctor', [medic])
    await world.holds(BEN, medic)
    await world.holds(BEN, doctor)
    const find = async (person: Person, search: Partial<Parameters<typeof findCandidates>[2]> = {}, of = shift) =>
      (await findCandidates(as(person), of, { perDay: 1, ...search })).people
    const names = async (...args: Parameters<typeof find>) => (await find(...args)).map(({ name }) => name).sort()
    // Olga sees all events; Paul asks, so he is not asked, and Vera sees none.
    assert.deepEqual(await names(PAUL), ['Ann', 'Ben', 'Olga'])
    assert.deepEqual(await names(OLGA), ['Ann', 'Ben', 'Paul'])
    assert.deepEqual(await names(PAUL, { ids: [BEN.id, VERA.id] }), ['Ben'])
    assert.deepEqual(await names(PAUL, { ids: [] }), [])
    assert.deepEqual(await names(PAUL, { terms: ['b'] }), ['Ben'])
    assert.deepEqual(await names(PAUL, {}, 0), [])
    const inquiry = await addInquiry(other)
    await ask(inquiry, ANN, { asked_at: at(-DAY_MS) })
    assert.deepEqual(await names(PAUL), ['Ann', 'Ben', 'Olga'])
    await write
      .updateTable('inquiry_person')
      .set({ asked_at: at(1 - DAY_MS) })
      .execute()
    assert.deepEqual(await names(PAUL), ['Ben', 'Olga'])
    assert.deepEqual(await names(PAUL, { perDay: 2 }), ['Ann', 'Ben', 'Olga'])
    const off = (...kinds: string[][]) =>
      write
        .updateTable('user_profile')
        .set({ disabled_notifications: JSON.stringify(kinds) })
        .where('id', '=', BEN.id)
        .execute()
    await off(['push', 'inquiry'])
    assert.deepEqual(await names(PAUL), ['Ben', 'Olga'])
    await off(['mail', 'inquiry'])
    assert.deepEqual(await names(PAUL), ['Olga'], 'there is no device')
    await off()
    await world.addParticipation({ who: BEN, shift: other, state: 1 })
    const outside = await addShift({ start: '2031-06-02T08:00:00Z', end: '2031-06-02T18:00:00Z' })
    await world.addParticipation({ who: BEN, shift: outside, state: 1 })
    const cancelled = await addShift({ start: '2031-05-25T08:00:00Z' }, { cancelled: true })
    await world.addParticipation({ who: BEN, shift: cancelled, state: 1 })
    await world.addParticipation({ who: BEN, shift: await addShift({ start: '2031-05-26T08:00:00Z' }), state: 0 })
    await ask(inquiry, BEN, { asked_at: at(-30 * DAY_MS) })
    await ask(await addInquiry(other), BEN, { asked_at: at(-3 * DAY_MS) })
    const ben = (await find(PAUL)).find(({ name }) => name === 'Ben')
    assert.deepEqual(ben, {
      id: BEN.id,
      name: 'Ben',
      needsForm: false,
      lastAskedAt: at(-3 * DAY_MS),
      skills: [doctor.id],
      asked: 1,
      hours: 1,
    })
    const olga = (await find(PAUL)).find(({ name }) => name === 'Olga')
    assert.deepEqual([olga?.lastAskedAt, olga?.asked, olga?.hours, olga?.skills], [null, 0, 0, []])
  })
})
