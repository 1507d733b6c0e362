import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { decline, signUp } from '#features/staffing/participations/commands/sign-up.ts'
import { refreshStatistics } from '#features/staffing/staffing/commands/statistics.ts'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { transact } from '#platform/db/transaction.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { contextAs } from '#test/support/command-context.ts'
import { ANN, BEN, PAUL, type Person, VERA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { answerWaitingListOffer } from './commands/answer.ts'
import { deleteOffersOf, joinWaitingList, leaveWaitingList, returnToWaitingList } from './commands/join.ts'
import { endExpiredOffers, offerDuePlaces, offerOutOfOrder, removeFromWaitingList, setWaitingListMode } from './commands/offer.ts'
import { offerTasks } from './jobs.ts'
import { getShiftOfWaitingList } from './queries/shift.ts'
import { findEntries } from './queries/waiting-list.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const START = new Date('2031-05-20T08:00:00Z')
const END = new Date('2031-05-20T14:00:00Z')

describe('steps of the waiting list', async () => {
  const world = await openWorld()
  const { write } = world.db
  const cem = await world.addPerson({ name: 'Cem' })
  const dora = await world.addPerson({ name: 'Dora' })
  const group = await world.addGroup('Team', [ANN, BEN, cem, dora])
  const as = (person: Person, later = 0): CommandContext => {
    const { actor, ...rest } = contextAs(world, person)
    const groupIds = person === PAUL ? [] : [group.id]
    return { ...rest, actor: { ...actor, groupIds } as typeof actor, now: new Date(world.now.getTime() + later) }
  }
  const job = (later = 0): CommandContext => ({ ...as(PAUL, later), actor: ANONYMOUS })
  const until = (time: Date) => time.getTime() - world.now.getTime()
  /** A shift with one place that Ann has, and these people on the waiting list. */
  const fullShift = async (...line: Person[]) => {
    const { id: eventId, shifts } = await world.addEvent({
      title: 'Harbour run',
      seenBy: [group],
      responsible: [PAUL],
      shifts: [
        {
          start: START.toISOString(),
          end: END.toISOString(),
          flow: 'instant_confirmation',
          flowConfiguration: { user_can_decline_confirmed: true },
          configuration: { maximum_number_of_participants: 1 },
        },
      ],
    })
    const shift = shifts[0]!
    await transact(write, (tx) => refreshStatistics(tx, shifts))
    await world.addParticipation({ who: ANN, shift, state: 1 })
    await transact(write, (tx) => refreshStatistics(tx, shifts))
    for (const person of line) assert.ok((await joinWaitingList(as(person), shift)).ok, person.name)
    return { eventId, shift }
  }
  /** A full shift that Ann has left, so that her place was offered to the first on the waiting list. */
  const offeredShift = async (...line: Person[]) => {
    const made = await fullShift(...line)
    assert.ok((await decline(as(ANN), { shiftId: made.shift })).ok)
    assert.equal(await offerDuePlaces(job()), 1)
    return made
  }
  const entryOf = (person: Person, shift: number) =>
    write
      .selectFrom('waiting_entry')
      .selectAll()
      .where('shift_id', '=', shift)
      .where('user_id', '=', person.id)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
  const stateOf = async (person: Person, shift: number) => (await entryOf(person, shift)).state
  const freeOf = async (shift: number) =>
    (await write.selectFrom('shift').select('free').where('id', '=', shift).executeTakeFirstOrThrow()).free
  const isDue = async (shift: number) =>
    (await write.selectFrom('waiting_line').select('is_due').where('shift_id', '=', shift).executeTakeFirst())?.is_due
  const log = async (kind: string, eventId: number) =>
    (
      await write
        .selectFrom('journal')
        .select('changes')
        .where('kind', '=', kind)
        .where('event_id', '=', eventId)
        .orderBy('id')
        .execute()
    ).map(({ changes }) => changes)
  const answer = async (person: Person, { entryId, shift }: { entryId: number; shift: number }, later = 0) =>
    (await answerWaitingListOffer(as(person, later), { entryId, shiftId: shift, answer: 'yes' })).kind
  beforeEach(async () => {
    for (const table of ['waiting_entry', 'waiting_line', 'participation'] as const) await write.deleteFrom(table).execute()
    await write.deleteFrom('setting').where('name', 'like', 'waiting_list%').execute()
  })

  test('an offer is answered by the person who has it, for its shift, before it ends', async () => {
    const { shift } = await offeredShift(BEN, cem)
    const other = await fullShift(BEN)
    const { id: entryId, offered_until: end } = await entryOf(BEN, shift)
    assert.equal(await answer(cem, { entryId, shift }), 'withdrawn', 'the place is offered to Ben')
    assert.equal(await answer(BEN, { entryId, shift: other.shift }), 'withdrawn')
    assert.equal(await answer(BEN, { entryId: 999_999, shift }), 'withdrawn')
    assert.equal(await answer(BEN, { entryId, shift }, until(end!)), 'expired')
    assert.equal(await stateOf(BEN, shift), 'offered')
    assert.equal(await answer(BEN, { entryId, shift }, until(end!) - 1), 'accepted')
    assert.deepEqual([await stateOf(BEN, shift), await stateOf(cem, shift)], ['accepted', 'waiting'])
  })

  test('who joins is in the log of the event, once each', async () => {
    const { shift, eventId } = await fullShift(BEN, cem)
    assert.deepEqual(await joinWaitingList(as(BEN), shift), { ok: false, code: 'waiting_already' })
    const entries = [await entryOf(BEN, shift), await entryOf(cem, shift)].map(({ id }) => ({ entry: id }))
    assert.deepEqual(await log('shift.line_joined', eventId), entries)
  })

  test('an account that was closed cannot join', async () => {
    const { shift } = await fullShift()
    const setActive = (is_active: boolean) =>
      write.updateTable('user_profile').set({ is_active }).where('id', '=', cem.id).execute()
    await setActive(false)
    await assert.rejects(joinWaitingList(as(cem), shift))
    await setActive(true)
    assert.ok((await joinWaitingList(as(cem), shift)).ok)
  })

  test('a person who leaves with an offer frees the place, and returns without it', async () => {
    const { shift, eventId } = await offeredShift(BEN)
    const other = await fullShift()
    const before = await entryOf(BEN, shift)
    assert.equal(await freeOf(shift), 0)
    const entryId = (await leaveWaitingList(as(BEN), shift))!
    assert.deepEqual([await stateOf(BEN, shift), await freeOf(shift)], ['withdrawn', 1])
    assert.deepEqual(await log('shift.line_left', eventId), [{ entry: before.id, was_offered: true }])
    await assert.rejects(returnToWaitingList(as(BEN), { shiftId: other.shift, entryId }), { code: 'not_found' })
    assert.equal(await returnToWaitingList(as(BEN, 60_001), { shiftId: shift, entryId }), false)
    assert.equal(await returnToWaitingList(as(BEN, 60_000), { shiftId: shift, entryId }), true)
    const { offered_at, offered_until, ...rest } = await entryOf(BEN, shift)
    assert.deepEqual([offered_at, offered_until], [null, null])
    assert.deepEqual([rest.id, rest.state, rest.since], [before.id, 'waiting', before.since], 'at the same position')
    assert.equal(await returnToWaitingList(as(BEN), { shiftId: shift, entryId }), true, 'a double click')
    assert.deepEqual(await log('shift.line_returned', eventId), [{ entry: before.id, undone: entryId }], 'once')
    assert.equal(await offerDuePlaces(job()), 1, 'the place that they gave up is free')
    // With the old link, nobody waits for a place that they have.
    assert.equal(await answer(BEN, { entryId: before.id, shift }), 'accepted')
    assert.equal(await returnToWaitingList(as(BEN), { shiftId: shift, entryId }), false)
    assert.equal(await stateOf(BEN, shift), 'accepted')
  })

  test('an undo returns to the waiting list of that shift only', async () => {
    const { shift } = await fullShift(BEN)
    const other = await fullShift(BEN)
    const entryId = (await leaveWaitingList(as(BEN), shift))!
    assert.ok(await leaveWaitingList(as(BEN), other.shift))
    assert.equal(await returnToWaitingList(as(BEN), { shiftId: shift, entryId }), true)
    assert.deepEqual([await stateOf(BEN, shift), await stateOf(BEN, other.shift)], ['waiting', 'withdrawn'])
  })

  test('an undo makes the list due, also one that was never due', async () => {
    const { shift } = await fullShift(BEN)
    const entryId = (await leaveWaitingList(as(BEN), shift))!
    await write.deleteFrom('waiting_line').execute()
    assert.equal(await returnToWaitingList(as(BEN), { shiftId: shift, entryId }), true)
    assert.equal(await isDue(shift), true)
  })

  test('a person who leaves without an offer frees nothing', async () => {
    const { shift, eventId } = await fullShift(BEN)
    assert.ok(await leaveWaitingList(as(BEN), shift))
    assert.deepEqual(await log('shift.line_left', eventId), [{ entry: (await entryOf(BEN, shift)).id, was_offered: false }])
    assert.equal(await freeOf(shift), 0)
  })

  test('the place that was offered to a person who is deleted is free again', async () => {
    const { shift } = await offeredShift(BEN)
    const { shift: other } = await offeredShift(cem)
    await transact(write, (tx) => deleteOffersOf(tx, BEN.id))
    assert.deepEqual([await freeOf(shift), await freeOf(other)], [1, 0])
    assert.deepEqual(
      (await write.selectFrom('waiting_entry').select(['user_id', 'state']).execute()).map(({ user_id, state }) => [
        user_id,
        state,
      ]),
      [[cem.id, 'offered']],
    )
  })

  test('a person is deleted after a command that holds the event, not in the middle of it', async () => {
    const { shift, eventId } = await offeredShift(BEN)
    let isDone = false
    const deleting: Promise<void>[] = []
    const seen = await transact(write, async (tx) => {
      await tx.selectFrom('event').select('id').where('id', '=', eventId).forNoKeyUpdate().execute()
      const done = () => {
        isDone = true
      }
      deleting.push(transact(write, (other) => deleteOffersOf(other, BEN.id)).then(done))
      for (let waiting = 0; !waiting && !isDone; ) {
        const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(world.db.read)
        waiting = rows[0]!.count
      }
      // The offer is there and not locked: the command that holds the event may still accept it.
      return (await sql`select id from waiting_entry where shift_id = ${shift} for update skip locked`.execute(tx)).rows
    })
    await Promise.all(deleting)
    assert.deepEqual([seen.length, await freeOf(shift)], [1, 1])
  })

  test('offers end by shift, at their time, and the places are free', async () => {
    const first = await offeredShift(BEN)
    const second = await offeredShift(cem)
    await offerDuePlaces(job(20 * HOUR_MS - 1))
    assert.deepEqual([await stateOf(BEN, first.shift), await stateOf(cem, second.shift)], ['offered', 'offered'])
    await offerDuePlaces(job(20 * HOUR_MS))
    for (const [person, { shift, eventId }] of [
      [BEN, first],
      [cem, second],
    ] as const) {
      const entry = await entryOf(person, shift)
      assert.deepEqual([entry.state, await freeOf(shift)], ['expired', 1])
      assert.deepEqual(await log('shift.offer_expired', eventId), [{ entries: [entry.id], users: [person.id] }])
    }
  })

  test('without the module, offers end at their time, and the place is offered to nobody', async () => {
    const { shift, eventId } = await offeredShift(BEN, cem)
    await endExpiredOffers(job(20 * HOUR_MS - 1))
    assert.equal(await stateOf(BEN, shift), 'offered')
    await endExpiredOffers(job(20 * HOUR_MS))
    assert.deepEqual([await stateOf(BEN, shift), await stateOf(cem, shift), await freeOf(shift)], ['expired', 'waiting', 1])
    assert.equal((await log('shift.offer_expired', eventId)).length, 1)
  })

  test('the job offers places with the module, and only ends offers without it', async () => {
    const { shift } = await fullShift(BEN)
    await decline(as(ANN), { shiftId: shift })
    const run = async (later: number, site: CommandContext['site']) => {
      const clock = { now: () => new Date(world.now.getTime() + later) }
      for (const task of offerTasks({ db: world.db, clock, site })) await task.run({})
      return stateOf(BEN, shift)
    }
    const without = { ...world.app.site, added: () => [] }
    assert.equal(await run(0, without), 'waiting')
    assert.equal(await run(0, world.app.site), 'offered')
    assert.equal(await run(20 * HOUR_MS - 1, without), 'offered')
    assert.equal(await run(20 * HOUR_MS, without), 'expired')
  })

  test('a place that is free at night is kept until the morning, and offered then', async () => {
    const { shift } = await fullShift(BEN)
    await decline(as(ANN), { shiftId: shift })
    const night = until(new Date('2031-05-02T04:07:00+02:00'))
    const morning = until(new Date('2031-05-02T07:00:00+02:00'))
    for (const later of [night, morning - 1]) assert.equal(await offerDuePlaces(job(later)), 0)
    assert.equal(await stateOf(BEN, shift), 'waiting')
    const early = await signUp(as(dora, night), { shiftId: shift })
    assert.deepEqual(!early.ok && early.reasons, [{ code: 'full' }])
    assert.equal(await offerDuePlaces(job(morning)), 1)
    const { state, offered_until } = await entryOf(BEN, shift)
    assert.deepEqual([state, offered_until], ['offered', new Date('2031-05-02T19:00:00+02:00')])
  })

  test('places of several shifts that are free at night are all kept until the morning', async () => {
    const both = [await fullShift(BEN), await fullShift(cem)]
    for (const { shift } of both) await decline(as(ANN), { shiftId: shift })
    const night = until(new Date('2031-05-02T04:07:00+02:00'))
    assert.equal(await offerDuePlaces(job(night)), 0)
    assert.deepEqual(await Promise.all(both.map(({ shift }) => isDue(shift))), [true, true])
    assert.equal(await offerDuePlaces(job(until(new Date('2031-05-02T07:00:00+02:00')))), 2)
  })

  test('a place that is free in the night before an early shift is offered at once', async () => {
    const { shift } = await fullShift(BEN)
    await write
      .updateTable('shift')
      .set({ meeting_time: new Date('2031-05-02T08:59:00+02:00'), start_time: new Date('2031-05-02T08:59:00+02:00') })
      .where('id', '=', shift)
      .execute()
    await decline(as(ANN), { shiftId: shift })
    assert.equal(await offerDuePlaces(job(until(new Date('2031-05-02T04:07:00+02:00')))), 1)
  })

  test('nothing is offered while waiting lists are switched off', async () => {
    const { shift } = await fullShift(BEN)
    await decline(as(ANN), { shiftId: shift })
    await write.insertInto('setting').values({ name: 'waiting_list', value: 'false' }).execute()
    assert.equal(await offerDuePlaces(job()), 0)
    assert.equal(await stateOf(BEN, shift), 'waiting')
  })

  test('an offer says for whom, until when and who was passed over; why is forgotten once it is over', async () => {
    const { shift, eventId } = await fullShift(BEN, cem, dora)
    const busy = await fullShift()
    await world.addParticipation({ who: BEN, shift: busy.shift, state: 1 })
    await decline(as(ANN), { shiftId: shift })
    await offerDuePlaces(job())
    const offered = await entryOf(cem, shift)
    assert.deepEqual([offered.state, offered.offered_at, offered.offered_by_id, offered.reason], ['offered', world.now, null, ''])
    assert.deepEqual(await log('shift.place_offered', eventId), [
      {
        entry: offered.id,
        users: [cem.id],
        until: new Date(world.now.getTime() + 20 * HOUR_MS).toISOString(),
        passed_over: [{ user: BEN.id, why: 'conflict' }],
      },
    ])
    assert.deepEqual([(await entryOf(BEN, shift)).passed_over, (await entryOf(dora, shift)).passed_over], ['conflict', null])
    await write.deleteFrom('participation').where('shift_id', '=', busy.shift).execute()
    await leaveWaitingList(as(cem), shift)
    await offerDuePlaces(job())
    const now = await entryOf(BEN, shift)
    assert.deepEqual([now.state, now.passed_over], ['offered', null])
  })

  test('a reason of before is forgotten when the shift is only full', async () => {
    const { shift } = await fullShift(BEN, cem)
    await write.updateTable('waiting_entry').set({ passed_over: 'conflict' }).execute()
    await decline(as(ANN), { shiftId: shift })
    await offerDuePlaces(job())
    const { state, passed_over } = await entryOf(cem, shift)
    assert.deepEqual([state, passed_over], ['waiting', null])
  })

  test('a quarter of an hour before the start, a free place is for everybody', async () => {
    const { shift } = await fullShift(BEN)
    await decline(as(ANN), { shiftId: shift })
    assert.equal(await offerDuePlaces(job(until(START) - 15 * 60_000 + 1)), 0)
    assert.deepEqual([await stateOf(BEN, shift), await isDue(shift)], ['waiting', false])
    assert.ok((await signUp(as(dora, until(START) - 15 * 60_000 + 1), { shiftId: shift })).ok)
  })

  test('entries are deleted thirty days after the shift', async () => {
    const { shift } = await fullShift(BEN)
    await leaveWaitingList(as(BEN), shift)
    const later = await fullShift(cem)
    const end_time = new Date(END.getTime() + DAY_MS)
    await write.updateTable('shift').set({ end_time }).where('id', '=', later.shift).execute()
    await offerDuePlaces(job(until(END) + 30 * DAY_MS))
    assert.equal(await stateOf(BEN, shift), 'withdrawn')
    await offerDuePlaces(job(until(END) + 30 * DAY_MS + 1))
    await assert.rejects(entryOf(BEN, shift))
    assert.equal(await stateOf(cem, later.shift), 'waiting')
  })

  test('a planner offers a place before the automatic offer, which remains due', async () => {
    const { shift, eventId } = await fullShift(BEN, cem)
    const other = await fullShift(BEN)
    const { id: entryId } = await entryOf(cem, shift)
    const offer = (more: object = {}, later = 0) =>
      offerOutOfOrder(as(PAUL, later), { shiftId: shift, entryId, reason: 'speaks Turkish', ...more })
    assert.deepEqual(await offer(), { ok: false, code: 'refused', reasons: [{ code: 'full' }] })
    await decline(as(ANN), { shiftId: shift })
    assert.equal(await isDue(shift), true)
    assert.deepEqual(await offer({ shiftId: other.shift }), { ok: false, code: 'gone' })
    assert.deepEqual(await offer({}, until(START) - 60_000), { ok: false, code: 'too_late' })
    const end = new Date(world.now.getTime() + 20 * HOUR_MS)
    assert.deepEqual(await offer(), { ok: true, userId: cem.id, until: end })
    const entry = await entryOf(cem, shift)
    assert.deepEqual(
      [entry.state, entry.offered_by_id, entry.reason, entry.offered_until],
      ['offered', PAUL.id, 'speaks Turkish', end],
    )
    assert.deepEqual([await freeOf(shift), await isDue(shift)], [0, true])
    assert.deepEqual(await log('shift.place_offered', eventId), [
      { entry: entryId, users: [cem.id], until: end.toISOString(), reason: 'speaks Turkish' },
    ])
    assert.deepEqual(await offer(), { ok: false, code: 'gone' }, 'it is offered already')
  })

  test('a planner removes somebody, and an offered place is free', async () => {
    const { shift, eventId } = await offeredShift(BEN)
    const other = await fullShift()
    const { id: entryId } = await entryOf(BEN, shift)
    for (const command of [
      () => removeFromWaitingList(as(ANN), { shiftId: shift, entryId }),
      () => setWaitingListMode(as(ANN), { shiftId: shift, mode: 'closed' }),
    ])
      await assert.rejects(command, { code: 'not_found' })
    assert.equal(await removeFromWaitingList(as(PAUL), { shiftId: other.shift, entryId }), false)
    assert.deepEqual([await stateOf(BEN, shift), await freeOf(shift)], ['offered', 0])
    assert.equal(await removeFromWaitingList(as(PAUL), { shiftId: shift, entryId }), true)
    assert.deepEqual([await stateOf(BEN, shift), await freeOf(shift)], ['withdrawn', 1])
    assert.deepEqual(await log('shift.line_removed', eventId), [{ entry: entryId, users: [BEN.id] }])
  })

  test('automatic offers are due once they are switched on again, and not while they are off', async () => {
    const { shift, eventId } = await fullShift(BEN)
    const set = (mode: 'automatic' | 'manual' | 'closed') => setWaitingListMode(as(PAUL), { shiftId: shift, mode })
    assert.equal(await set('automatic'), false, 'as it is')
    await decline(as(ANN), { shiftId: shift })
    assert.equal(await isDue(shift), true)
    assert.equal(await set('manual'), true)
    assert.equal(await isDue(shift), false)
    assert.equal(await set('manual'), false)
    await write.deleteFrom('graphile_worker._private_jobs' as never).execute()
    assert.equal(await set('automatic'), true)
    assert.equal(await isDue(shift), true)
    const jobs = (await write
      .selectFrom('graphile_worker.jobs' as never)
      .selectAll()
      .execute()) as { key: string | null }[]
    assert.ok(jobs.some(({ key }) => key === 'offer_places'))
    assert.deepEqual(await log('shift.line_changed', eventId), [
      { mode: ['automatic', 'manual'] },
      { mode: ['manual', 'automatic'] },
    ])
  })

  test('planners see those who wait before those who have waited', async () => {
    const { shift, eventId } = await fullShift(BEN, cem, dora)
    await leaveWaitingList(as(BEN), shift)
    const entries = await findEntries(write, shift)
    assert.deepEqual(
      entries.map(({ name, state }) => [name, state]),
      [
        ['Cem', 'waiting'],
        ['Dora', 'waiting'],
        [BEN.name, 'withdrawn'],
      ],
    )
    const see = (person: Person) => getShiftOfWaitingList({ ...as(person), words: wordsFor('en', 'UTC') }, shift)
    const shown = await see(PAUL)
    assert.deepEqual([shown?.eventId, shown?.mayChange, shown?.isInstant], [eventId, true, true])
    assert.equal((await see(BEN))?.mayChange, false)
    const stranger = { ...contextAs(world, VERA), words: wordsFor('en', 'UTC') }
    assert.equal(await getShiftOfWaitingList(stranger, shift), undefined, 'the event is not meant for her')
    await write.updateTable('event').set({ deleted_at: world.now }).where('id', '=', eventId).execute()
    assert.equal(await see(PAUL), undefined)
  })
})
