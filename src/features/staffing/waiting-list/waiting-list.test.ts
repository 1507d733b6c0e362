import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { eventPath } from '#features/events/events/rules/slug.ts'
import { decline, signUp } from '#features/staffing/participations/commands/sign-up.ts'
import { undo } from '#features/staffing/participations/commands/undo.ts'
import { refreshStatistics } from '#features/staffing/staffing/commands/statistics.ts'
import { findWrongStatistics } from '#features/staffing/staffing/queries/staffing.ts'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { transact } from '#platform/db/transaction.ts'
import { contextAs } from '#test/support/command-context.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { NotificationOutbox } from '#test/support/notification-outbox.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL, type Person } from '#test/support/people.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { answerWaitingListOffer } from './commands/answer.ts'
import { joinWaitingList, leaveWaitingList, returnToWaitingList } from './commands/join.ts'
import { offerDuePlaces, offerOutOfOrder, removeFromWaitingList, setWaitingListMode } from './commands/offer.ts'
import { makeOfferToken } from './queries/offered.ts'
import { offerEnd } from './rules/waiting-list.ts'

const HOUR_MS = 3_600_000
const START = '2031-05-20T08:00:00Z'

async function addShift(
  world: World,
  { places = 1, flow = 'instant_confirmation', structure = 'uniform', configuration = {} } = {},
) {
  const { id: eventId, shifts } = await world.addEvent({
    title: 'Harbour run',
    seenBy: [HELPERS],
    responsible: [PAUL],
    shifts: [
      {
        start: START,
        end: '2031-05-20T14:00:00Z',
        flow,
        flowConfiguration: { user_can_decline_confirmed: true },
        structure,
        configuration: structure === 'uniform' ? { maximum_number_of_participants: places, ...configuration } : configuration,
      },
    ],
  })
  await transact(world.db.write, (tx) => refreshStatistics(tx, shifts))
  return { eventId, shift: shifts[0]! }
}

async function addHelpers(world: World, count: number): Promise<Person[]> {
  const people: Person[] = []
  for (let n = 0; n < count; n++) {
    const person = await world.addPerson({ name: `Helper ${String(n).padStart(2, '0')}` })
    await world.db.write.insertInto('user_group_member').values({ group_id: HELPERS.id, user_id: person.id }).execute()
    people.push(person)
  }
  return people
}

describe('the waiting list', async () => {
  const world = await openWorld()
  const outbox = new NotificationOutbox(world)
  const [cem, dora, eve] = (await addHelpers(world, 3)) as [Person, Person, Person]
  const as = (person: Person, later = 0): CommandContext => {
    const { actor, ...rest } = contextAs(world, person)
    const groupIds = person === PAUL && actor.kind === 'user' ? actor.groupIds : [HELPERS.id]
    return { ...rest, actor: { ...actor, groupIds } as typeof actor, now: new Date(world.now.getTime() + later) }
  }
  const job = (later = 0): CommandContext => ({ ...as(PAUL, later), actor: ANONYMOUS })
  const statesOf = async (shift: number) =>
    (
      await world.db.write
        .selectFrom('waiting_entry')
        .select(['user_id', 'state'])
        .where('shift_id', '=', shift)
        .orderBy('id')
        .execute()
    ).map(({ user_id, state }) => [user_id, state])
  const freeOf = async (shift: number) =>
    (await world.db.write.selectFrom('shift').select('free').where('id', '=', shift).executeTakeFirstOrThrow()).free
  const stateOf = async (person: Person, shift: number) =>
    (
      await world.db.write
        .selectFrom('participation')
        .select('state')
        .where('shift_id', '=', shift)
        .where('user_id', '=', person.id)
        .executeTakeFirst()
    )?.state
  const entryOf = async (person: Person, shift: number) =>
    await world.db.write
      .selectFrom('waiting_entry')
      .selectAll()
      .where('shift_id', '=', shift)
      .where('user_id', '=', person.id)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
  const answer = async (person: Person, shift: number, what: 'yes' | 'no', later = 0) =>
    (
      await answerWaitingListOffer(as(person, later), {
        entryId: (await entryOf(person, shift)).id,
        shiftId: shift,
        answer: what,
      })
    ).kind
  /** A shift with one place that Ann has, and these people on the waiting list. */
  const fullShift = async (...line: Person[]) => {
    const made = await addShift(world)
    assert.ok((await signUp(as(ANN), { shiftId: made.shift })).ok)
    for (const person of line) assert.ok((await joinWaitingList(as(person), made.shift)).ok, person.name)
    return made
  }
  beforeEach(async () => {
    await world.db.write.deleteFrom('waiting_entry').execute()
    await world.db.write.deleteFrom('waiting_line').execute()
    await world.db.write.deleteFrom('participation').execute()
    await world.db.write.deleteFrom('setting').where('name', 'like', 'waiting_list%').execute()
  })

  test('a full shift lets people wait, in the order in which they came', async () => {
    const { shift } = await addShift(world)
    assert.deepEqual(await joinWaitingList(as(BEN), shift), { ok: false, code: 'not_full' })
    assert.ok((await signUp(as(ANN), { shiftId: shift })).ok)
    assert.deepEqual(await joinWaitingList(as(BEN), shift), { ok: true, position: 1 })
    assert.deepEqual(await joinWaitingList(as(cem), shift), { ok: true, position: 2 })
    assert.deepEqual(await joinWaitingList(as(cem), shift), { ok: false, code: 'waiting_already' })
    // People who take part or cannot take part do not wait.
    const taking = await joinWaitingList(as(ANN), shift)
    assert.ok(!taking.ok && taking.code === 'refused')
  })

  test('a shift with requests has no waiting list, and waiting lists can be switched off', async () => {
    const requests = await addShift(world, { flow: 'request_confirm' })
    assert.deepEqual(await joinWaitingList(as(BEN), requests.shift), { ok: false, code: 'not_full' })
    const { shift } = await fullShift()
    await world.db.write.insertInto('setting').values({ name: 'waiting_list', value: 'false' }).execute()
    assert.deepEqual(await joinWaitingList(as(BEN), shift), { ok: false, code: 'line_off' })
    await world.db.write.deleteFrom('setting').where('name', '=', 'waiting_list').execute()
    await setWaitingListMode(as(PAUL), { shiftId: shift, mode: 'closed' })
    assert.deepEqual(await joinWaitingList(as(BEN), shift), { ok: false, code: 'line_closed' })
  })

  test('a place that becomes free is held for the waiting list at once, then for the next person, and others cannot take it', async () => {
    const { shift } = await fullShift(BEN, cem)
    assert.ok((await decline(as(ANN), { shiftId: shift })).ok)
    const early = await signUp(as(dora), { shiftId: shift })
    assert.deepEqual(!early.ok && early.reasons, [{ code: 'full' }])
    assert.equal(await offerDuePlaces(job()), 1)
    assert.deepEqual(await statesOf(shift), [
      [BEN.id, 'offered'],
      [cem.id, 'waiting'],
    ])
    assert.equal(await freeOf(shift), 0, 'the offered place is not free')
    assert.deepEqual(
      (await findWrongStatistics(world.db.write, world.now)).filter(({ id }) => id === shift),
      [],
    )
    for (const other of [dora, cem]) {
      const outcome = await signUp(as(other), { shiftId: shift })
      assert.deepEqual(!outcome.ok && outcome.reasons, [{ code: 'full' }])
    }
    assert.equal(await answer(BEN, shift, 'yes'), 'accepted')
    assert.deepEqual([await stateOf(BEN, shift), await freeOf(shift)], [1, 0])
    assert.deepEqual((await statesOf(shift))[0], [BEN.id, 'accepted'])
    assert.equal(await offerDuePlaces(job()), 0)
  })

  test('a place that is declined or not taken in time goes to the next, and after the last to everybody', async () => {
    const { shift } = await fullShift(BEN, cem)
    await decline(as(ANN), { shiftId: shift })
    await offerDuePlaces(job())
    assert.equal(await answer(BEN, shift, 'no'), 'declined')
    assert.equal(await answer(BEN, shift, 'yes'), 'refused')
    assert.equal(await offerDuePlaces(job()), 1)
    const { offered_until: until } = await entryOf(cem, shift)
    assert.equal(until!.getTime() - world.now.getTime(), 20 * HOUR_MS)
    assert.equal(await answer(cem, shift, 'yes', 20 * HOUR_MS), 'expired')
    assert.equal(await offerDuePlaces(job(20 * HOUR_MS)), 0)
    assert.deepEqual(await statesOf(shift), [
      [BEN.id, 'declined'],
      [cem.id, 'expired'],
    ])
    assert.ok((await signUp(as(dora, 20 * HOUR_MS), { shiftId: shift })).ok)
  })

  test('a person who does not fit at that moment stays on the waiting list and sees why', async () => {
    const { shift } = await fullShift(BEN, cem, dora)
    const busy = await addShift(world)
    await world.addParticipation({ who: BEN, shift: busy.shift, state: 1 })
    await world.db.write
      .insertInto('day_period')
      .values({ user_id: cem.id, kind: 'cannot', first_day: '2031-05-20', last_day: '2031-05-20' })
      .execute()
    await decline(as(ANN), { shiftId: shift })
    await offerDuePlaces(job())
    assert.deepEqual(
      (await statesOf(shift)).map(([, state]) => state),
      ['waiting', 'waiting', 'offered'],
    )
    assert.deepEqual(
      [(await entryOf(BEN, shift)).passed_over, (await entryOf(cem, shift)).passed_over],
      ['conflict', 'not_available'],
    )
    const page = await world.withSession(BEN).get(eventPath((await eventOf(shift)).id, 'Harbour run'), { unchecked: true })
    assert.match(page.text, /You are number 1 on the waiting list/)
    assert.match(page.text, /you have another shift at that time/)
    await world.db.write.deleteFrom('day_period').execute()
  })
  const eventOf = (shift: number) =>
    world.db.write.selectFrom('shift').select('event_id as id').where('id', '=', shift).executeTakeFirstOrThrow()

  test('a place for a qualification goes to the first who has it', async () => {
    const medic = await world.addQualification('Medic')
    for (const who of [ANN, dora]) await world.holds(who, medic)
    const configuration = {
      qualification_requirements: [
        { qualification: medic.id, min_count: 1, max_count: 1 },
        { qualification: null, min_count: 1, max_count: 1 },
      ],
    }
    const { shift } = await addShift(world, { structure: 'qualification_mix', configuration })
    assert.ok((await signUp(as(ANN), { shiftId: shift })).ok)
    assert.ok((await signUp(as(eve), { shiftId: shift })).ok)
    for (const person of [BEN, dora]) assert.ok((await joinWaitingList(as(person), shift)).ok)
    await decline(as(ANN), { shiftId: shift })
    assert.equal(await offerDuePlaces(job()), 1)
    assert.deepEqual(
      (await statesOf(shift)).map(([, state]) => state),
      ['waiting', 'offered'],
    )
    assert.equal((await entryOf(BEN, shift)).passed_over, null)
    const { changes } = await world.db.write
      .selectFrom('journal')
      .select('changes')
      .where('kind', '=', 'shift.place_offered')
      .where('subject_id', '=', shift)
      .executeTakeFirstOrThrow()
    assert.ok(!('passed_over' in (changes as object)), 'the shift is full for Ben, which is nothing about him')
  })

  test('an offer holds a place in a team', async () => {
    const configuration = {
      choose_preferred_team: true,
      teams: [
        { uuid: 'red', title: 'Red', min_count: 0, max_count: 1 },
        { uuid: 'blue', title: 'Blue', min_count: 0, max_count: 1 },
      ],
    }
    const { shift } = await addShift(world, { structure: 'named_teams', configuration })
    for (const [who, wish] of [
      [ANN, 'red'],
      [eve, 'blue'],
    ] as const)
      assert.ok((await signUp(as(who), { shiftId: shift, details: { wish } })).ok)
    assert.ok((await joinWaitingList(as(BEN), shift)).ok)
    await decline(as(ANN), { shiftId: shift })
    assert.equal(await offerDuePlaces(job()), 1)
    assert.deepEqual((await entryOf(BEN, shift)).structure_data, { preferred_team_uuid: 'red' })
    assert.equal(await freeOf(shift), 0)
    const outcome = await signUp(as(dora), { shiftId: shift, details: { wish: 'red' } })
    assert.deepEqual(!outcome.ok && outcome.reasons, [{ code: 'full' }])
    assert.equal(await answer(BEN, shift, 'yes'), 'accepted')
  })

  for (const [who, choose_preferred_team, key] of [
    ['is placed', false, 'dispatched_team_uuid'],
    ['has to choose one', true, 'preferred_team_uuid'],
  ] as const)
    test(`an offer holds a place in a team that is free, if the person ${who}`, async () => {
      const teams = ['red', 'blue'].map((uuid) => ({ uuid, title: uuid, min_count: 0, max_count: 1 }))
      const { shift } = await addShift(world, { structure: 'named_teams', configuration: { choose_preferred_team, teams } })
      for (const [who, wish] of [
        [ANN, 'red'],
        [eve, 'blue'],
      ] as const)
        assert.ok((await signUp(as(who), { shiftId: shift, details: { wish } })).ok)
      for (const who of [BEN, dora]) assert.ok((await joinWaitingList(as(who), shift)).ok)
      for (const who of [eve, ANN]) await decline(as(who), { shiftId: shift })
      assert.equal(await offerDuePlaces(job()), 2)
      const places = [await entryOf(BEN, shift), await entryOf(dora, shift)].map(({ structure_data }) => structure_data)
      assert.deepEqual(places, [{ [key]: 'red' }, { [key]: 'blue' }])
      assert.equal(await freeOf(shift), 0)
    })

  test('a person who leaves the waiting list gives up the offer, and can undo it for a minute', async () => {
    const { shift } = await fullShift(BEN, cem)
    await decline(as(ANN), { shiftId: shift })
    await offerDuePlaces(job())
    const left = (await leaveWaitingList(as(BEN), shift))!
    await assert.rejects(returnToWaitingList(as(cem), { shiftId: shift, entryId: left }))
    assert.equal(await returnToWaitingList(as(BEN, 61_000), { shiftId: shift, entryId: left }), false)
    assert.equal(await returnToWaitingList(as(BEN), { shiftId: shift, entryId: left }), true)
    assert.equal(await leaveWaitingList(as(dora), shift), undefined)
    await offerDuePlaces(job())
    assert.deepEqual(await statesOf(shift), [
      [BEN.id, 'offered'],
      [cem.id, 'waiting'],
    ])
  })

  test('an undo does not take a place that was offered to somebody', async () => {
    const { shift } = await fullShift(BEN)
    const left = await decline(as(ANN), { shiftId: shift })
    assert.ok(left.ok)
    await offerDuePlaces(job())
    const outcome = await undo(as(ANN), { shiftId: shift, entryId: left.entryId! })
    assert.deepEqual(outcome, { ok: false, code: 'refused', reasons: [{ code: 'full' }] })
    assert.deepEqual([await stateOf(ANN, shift), await freeOf(shift)], [2, 0])
  })

  test('planners offer out of order with a reason, switch automatic offers off and remove people', async () => {
    const { shift, eventId } = await fullShift(BEN, cem)
    await setWaitingListMode(as(PAUL), { shiftId: shift, mode: 'manual' })
    await decline(as(ANN), { shiftId: shift })
    assert.equal(await offerDuePlaces(job()), 0)
    const second = await entryOf(cem, shift)
    assert.ok((await offerOutOfOrder(as(PAUL), { shiftId: shift, entryId: second.id, reason: 'speaks Turkish' })).ok)
    const first = await entryOf(BEN, shift)
    const refused = await offerOutOfOrder(as(PAUL), { shiftId: shift, entryId: first.id, reason: 'me too' })
    assert.deepEqual(!refused.ok && refused.code === 'refused' && refused.reasons, [{ code: 'full' }])
    await assert.rejects(offerOutOfOrder(as(ANN), { shiftId: shift, entryId: first.id, reason: 'mine' }))
    const log = await world.db.write
      .selectFrom('journal')
      .select(['kind', 'changes'])
      .where('event_id', '=', eventId)
      .where('kind', '=', 'shift.place_offered')
      .executeTakeFirstOrThrow()
    assert.equal((log.changes as { reason: string }).reason, 'speaks Turkish')
    assert.equal(await removeFromWaitingList(as(PAUL), { shiftId: shift, entryId: second.id }), true)
    assert.equal(await removeFromWaitingList(as(PAUL), { shiftId: shift, entryId: second.id }), false)
    await setWaitingListMode(as(PAUL), { shiftId: shift, mode: 'automatic' })
    assert.equal(await offerDuePlaces(job()), 1)
    assert.equal((await entryOf(BEN, shift)).state, 'offered')
  })

  test('the person gets a mail with a link that answers by a form, not by opening it', async () => {
    const { shift } = await fullShift(BEN)
    await decline(as(ANN), { shiftId: shift })
    await offerDuePlaces(job())
    const mails = (await outbox.deliver()).filter(({ subject }) => subject.includes('A place for you'))
    assert.deepEqual(
      mails.map(({ to }) => to),
      [BEN.email],
    )
    const token = makeOfferToken(world.app.site.keyring, {
      kind: 'waiting_list',
      id: (await entryOf(BEN, shift)).id,
      userId: BEN.id,
      shiftId: shift,
    })
    const path = `/offered/${token}/`
    assert.ok(mails[0]!.text.includes(path))
    const shown = await world.nobody.get(path, { unchecked: true })
    assert.equal(shown.status, 200)
    checkMarkup(shown.text)
    assert.match(shown.text, /A place has become free/)
    assert.equal(await stateOf(BEN, shift), undefined)
    assert.equal((await world.nobody.get(`/offered/${token.slice(0, -1)}A/`, { unchecked: true })).status, 404)
    const done = await world.nobody.request('POST', path, {
      body: 'answer=yes',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      unchecked: true,
    })
    assert.deepEqual([done.status, done.headers.location], [303, path])
    assert.equal(await stateOf(BEN, shift), 1)
    assert.match((await world.nobody.get(path, { unchecked: true })).text, /The place is yours/)
  })

  test('planners see the waiting list, others do not', async () => {
    const { shift } = await fullShift(BEN, cem)
    const page = await world.withSession(PAUL).get(`/shifts/${shift}/line/`, { unchecked: true })
    assert.equal(page.status, 200)
    checkMarkup(page.text)
    assert.match(page.text, new RegExp(`${BEN.name}[\\s\\S]*${cem.name}`))
    assert.equal((await world.withSession(ANN).get(`/shifts/${shift}/line/`, { unchecked: true })).status, 403)
    assert.equal((await world.withSession(OLGA).get('/shifts/999999/line/', { unchecked: true })).status, 404)
    const home = await world.withSession(cem).get('/my-shifts/', { unchecked: true })
    assert.match(home.text, /Number 2 on the waiting list/)
  })

  test('a person whom a planner confirms does not wait any more', async () => {
    const { shift } = await fullShift(BEN)
    await world.addParticipation({ who: BEN, shift, state: 1 })
    assert.deepEqual(await statesOf(shift), [[BEN.id, 'accepted']])
  })
})

describe('the time to accept', () => {
  const now = new Date('2031-05-01T12:00:00Z')
  const end = (start: string, closes = start, hours = 12) =>
    offerEnd(now, { start: new Date(start), closesAt: new Date(closes), hours, timeZone: 'UTC' })?.toISOString()

  test('is the setting, ends three hours before the shift, and is an hour shortly before', () => {
    assert.equal(end('2031-05-09T12:00:00Z'), '2031-05-02T08:00:00.000Z')
    assert.equal(end('2031-05-01T20:00:00Z'), '2031-05-01T17:00:00.000Z')
    assert.equal(end('2031-05-01T15:30:00Z'), '2031-05-01T13:00:00.000Z')
    assert.equal(end('2031-05-01T12:40:00Z'), '2031-05-01T12:40:00.000Z')
    assert.equal(end('2031-05-01T12:10:00Z'), undefined)
    assert.equal(end('2031-05-09T12:00:00Z', '2031-05-01T12:30:00Z'), '2031-05-01T12:30:00.000Z')
    assert.equal(end('2031-05-09T12:00:00Z', '2031-05-01T12:05:00Z'), undefined)
  })
})
