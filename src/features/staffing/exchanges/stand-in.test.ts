import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { GUARD, type Guard } from '#features/staffing/participations/commands/locks.ts'
import { signUp } from '#features/staffing/participations/commands/sign-up.ts'
import { refreshStatistics } from '#features/staffing/staffing/commands/statistics.ts'
import { joinWaitingList } from '#features/staffing/waiting-list/commands/join.ts'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { transact } from '#platform/db/transaction.ts'
import { contextAs } from '#test/support/command-context.ts'
import { NotificationOutbox } from '#test/support/notification-outbox.ts'
import { ANN, BEN, OLGA, PAUL, type Person, VERA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { cancelStandIn, continueSearches, seekStandIn } from './commands/search.ts'
import { answerStandIn, decideStandIn, deleteStandInsOf, undoStandIn } from './commands/stand-in.ts'
import { getPlace } from './queries/stand-in.ts'
import { needsAgreement } from './rules/stand-in.ts'

const HOUR_MS = 3_600_000
/** Waves have a test of their own. */
const AT_ONCE = { size: 100, chosen: [] }
const START = '2031-05-20T08:00:00Z'

describe('stand-ins', async () => {
  const world = await openWorld()
  const outbox = new NotificationOutbox(world)
  const people: Person[] = []
  for (const name of ['Cem', 'Dora', 'Eve']) people.push(await world.addPerson({ name }))
  const [cem, dora, eve] = people as [Person, Person, Person]
  const group = await world.addGroup('Team', [ANN, BEN, ...people])
  const as = (person: Person, later = 0): CommandContext => {
    const { actor, ...rest } = contextAs(world, person)
    const groupIds = person === PAUL && actor.kind === 'user' ? actor.groupIds : [group.id]
    return { ...rest, actor: { ...actor, groupIds } as typeof actor, now: new Date(world.now.getTime() + later) }
  }
  const job = (later = 0): CommandContext => ({ ...as(PAUL, later), actor: ANONYMOUS })
  const setMode = async (mode: string) => {
    await world.db.write.deleteFrom('setting').where('name', '=', 'stand_ins').execute()
    await world.db.write
      .insertInto('setting')
      .values({ name: 'stand_ins', value: JSON.stringify(mode) })
      .execute()
  }
  beforeEach(async () => {
    for (const table of ['stand_in', 'waiting_entry', 'participation'] as const) await world.db.write.deleteFrom(table).execute()
    await setMode('at_once')
  })
  /** Ann has the only place, and may not leave by herself. */
  const addShift = async (configuration: object = { maximum_number_of_participants: 1 }, isAnnOn = true) => {
    const { shifts } = await world.addEvent({
      title: 'Harbour run',
      seenBy: [group],
      responsible: [PAUL],
      shifts: [{ start: START, end: '2031-05-20T14:00:00Z', flow: 'instant_confirmation', configuration }],
    })
    await transact(world.db.write, (tx) => refreshStatistics(tx, shifts))
    if (isAnnOn) assert.ok((await signUp(as(ANN), { shiftId: shifts[0]! })).ok)
    return shifts[0]!
  }
  const statesOf = async (shift: number) =>
    Object.fromEntries(
      (await world.db.write.selectFrom('participation').select(['user_id', 'state']).where('shift_id', '=', shift).execute()).map(
        ({ user_id, state }) => [user_id, state],
      ),
    )
  const search = async (shift: number) => {
    const outcome = await seekStandIn(as(ANN), { shiftId: shift, message: 'ill', ...AT_ONCE })
    assert.ok(outcome.ok, JSON.stringify(outcome))
    return outcome.id
  }
  const askedIn = async (id: number) =>
    (
      await world.db.write
        .selectFrom('stand_in_person')
        .select('user_id')
        .where('stand_in_id', '=', id)
        .where('asked_at', 'is not', null)
        .orderBy('user_id')
        .execute()
    ).map(({ user_id }) => user_id)
  const take = async (person: Person, standInId: number, guard?: Guard) =>
    (await answerStandIn(as(person), { standInId, answer: 'yes' }, guard)).kind

  test('everybody who fits and is free is asked; the first one takes the place, with its times and at once', async () => {
    const shift = await addShift()
    const busy = await addShift({}, false)
    await world.addParticipation({ who: eve, shift: busy, state: 1 })
    await world.db.write
      .updateTable('participation')
      .set({ individual_end_time: new Date('2031-05-20T12:00:00Z') })
      .where('shift_id', '=', shift)
      .execute()
    await outbox.clear()
    const id = await search(shift)
    const asked = await askedIn(id)
    assert.ok(asked.includes(cem.id) && asked.includes(dora.id) && !asked.includes(eve.id) && !asked.includes(ANN.id))
    assert.deepEqual(await seekStandIn(as(ANN), { shiftId: shift, message: '', ...AT_ONCE }), { ok: false, code: 'searching' })
    assert.deepEqual(await statesOf(shift), { [ANN.id]: 1 }, 'Ann is still on')
    const mails = (await outbox.deliver()).filter(({ subject }) => subject.startsWith('Stand-in wanted'))
    assert.ok(mails.some(({ to, text }) => to === cem.email && text.includes('/offered/s') && text.includes('ill')))
    assert.equal(await take(cem, id), 'taken')
    assert.equal(await take(dora, id), 'filled')
    assert.equal(await take(cem, id), 'answered')
    assert.deepEqual(await statesOf(shift), { [ANN.id]: 2, [cem.id]: 1 })
    const place = await world.db.write
      .selectFrom('participation')
      .select(['individual_end_time'])
      .where('shift_id', '=', shift)
      .where('user_id', '=', cem.id)
      .executeTakeFirstOrThrow()
    assert.equal(place.individual_end_time?.toISOString(), '2031-05-20T12:00:00.000Z')
    const told = await outbox.deliver()
    assert.ok(told.some(({ to, subject }) => to === ANN.email && subject.startsWith('Handed over')))
    assert.ok(told.some(({ to, subject }) => to === PAUL.email && subject.startsWith('Stand-in:')))
  })

  test('nobody takes or is given the place whose account was closed meanwhile, or which the person does not have any more', async () => {
    const setActive = (is_active: boolean) =>
      world.db.write.updateTable('user_profile').set({ is_active }).where('id', '=', cem.id).execute()
    const setState = (shift: number, state: number) =>
      world.db.write
        .updateTable('participation')
        .set({ state })
        .where('shift_id', '=', shift)
        .where('user_id', '=', ANN.id)
        .execute()
    const shift = await addShift()
    const id = await search(shift)
    await setActive(false)
    assert.equal(await take(cem, id), 'gone')
    await setActive(true)
    await setState(shift, 0)
    assert.equal(await take(cem, id), 'gone')
    assert.deepEqual(await statesOf(shift), { [ANN.id]: 0 })
    await setState(shift, 1)
    await setMode('planner')
    assert.equal(await take(cem, id), 'found')
    const agree = async () => (await decideStandIn(as(PAUL), { shiftId: shift, standInId: id, agrees: true })).kind
    await setActive(false)
    assert.equal(await agree(), 'gone')
    await setActive(true)
    await setState(shift, 0)
    assert.equal(await agree(), 'gone')
    assert.deepEqual(await statesOf(shift), { [ANN.id]: 0 })
    await setState(shift, 1)
    assert.equal(await agree(), 'done')
    assert.deepEqual(await statesOf(shift), { [ANN.id]: 2, [cem.id]: 1 })
  })

  test('a guardian whose guardianship has ended cannot take the place for the child, and only the check under the lock refuses it', async () => {
    const asChild = (): CommandContext => {
      const { actor, ...rest } = as(cem)
      return { ...rest, actor: { ...actor, by: { userId: BEN.id, displayName: BEN.name } } as typeof actor }
    }
    for (const isChecked of [true, false]) {
      const shift = await addShift()
      const standInId = await search(shift)
      const guard = isChecked ? GUARD : { ...GUARD, checkActing: async () => {} }
      const attempt = answerStandIn(asChild(), { standInId, answer: 'yes' }, guard)
      if (isChecked) await assert.rejects(attempt, { code: 'not_found' })
      else assert.equal((await attempt).kind, 'taken')
      assert.equal((await statesOf(shift))[cem.id], isChecked ? undefined : 1)
      await world.db.write.deleteFrom('participation').where('shift_id', '=', shift).execute()
    }
  })

  test('a person who does not fit any more cannot take the place, nor can one who was not asked', async () => {
    const shift = await addShift()
    const id = await search(shift)
    const other = await addShift({}, false)
    await world.addParticipation({ who: cem, shift: other, state: 1 })
    const outcome = await answerStandIn(as(cem), { standInId: id, answer: 'yes' })
    assert.deepEqual(outcome.kind === 'refused' && outcome.reasons.map(({ code }) => code), ['conflict'])
    const late = await world.addPerson({ name: 'Late' })
    assert.equal(await take(late, id), 'gone')
    assert.deepEqual((await statesOf(shift))[ANN.id], 1)
  })

  test('a search needs somebody who waits for the place or is free', async () => {
    const shift = await addShift()
    const busy = await addShift({}, false)
    const engage = async (...busyPeople: Person[]) => {
      await world.db.write.deleteFrom('participation').where('shift_id', '=', busy).execute()
      for (const who of busyPeople) await world.addParticipation({ who, shift: busy, state: 1 })
    }
    const seek = () => seekStandIn(as(ANN), { shiftId: shift, message: '', ...AT_ONCE })
    const others = [BEN, dora, eve, PAUL, OLGA, VERA]
    await engage(cem, ...others)
    assert.deepEqual(await seek(), { ok: false, code: 'no_taker' })
    assert.equal((await world.db.write.selectFrom('stand_in').select('id').execute()).length, 0)
    await engage(...others)
    const free = await seek()
    assert.deepEqual(free.ok && [free.asked, free.nextAt, await askedIn(free.id)], [1, null, [cem.id]])
    await world.db.write.deleteFrom('stand_in').execute()
    assert.ok((await joinWaitingList(as(cem), shift)).ok)
    const waiting = await seek()
    assert.deepEqual(waiting.ok && [waiting.asked, waiting.nextAt, await askedIn(waiting.id)], [1, null, [cem.id]])
  })

  test('planners agree or refuse, if the organisation wants that', async () => {
    await setMode('planner')
    const shift = await addShift()
    const first = await search(shift)
    assert.equal(await take(cem, first), 'found')
    assert.deepEqual(await statesOf(shift), { [ANN.id]: 1 })
    await assert.rejects(decideStandIn(as(BEN), { shiftId: shift, standInId: first, agrees: true }))
    assert.deepEqual(await decideStandIn(as(PAUL), { shiftId: shift, standInId: first, agrees: false }), { kind: 'refused' })
    assert.deepEqual(await statesOf(shift), { [ANN.id]: 1 })
    const second = await search(shift)
    assert.equal(await take(cem, second), 'found')
    assert.deepEqual(await decideStandIn(as(PAUL), { shiftId: shift, standInId: second, agrees: true }), { kind: 'done' })
    assert.deepEqual(await statesOf(shift), { [ANN.id]: 2, [cem.id]: 1 })
    assert.deepEqual(await undoStandIn(as(PAUL), { shiftId: shift, standInId: second }), true)
    assert.deepEqual(await statesOf(shift), { [ANN.id]: 1, [cem.id]: 2 })
    assert.deepEqual(await undoStandIn(as(PAUL), { shiftId: shift, standInId: second }), false)
    await setMode('off')
    assert.deepEqual(await seekStandIn(as(ANN), { shiftId: shift, message: '', ...AT_ONCE }), { ok: false, code: 'off' })
    assert.deepEqual([needsAgreement('at_once', true), needsAgreement('at_once', false)], [true, false])
  })

  test('the waiting list is asked first, others two hours later; a search ends with the shift or by the person', async () => {
    const shift = await addShift()
    assert.ok((await joinWaitingList(as(dora), shift)).ok)
    const id = await search(shift)
    assert.deepEqual(await askedIn(id), [dora.id])
    await continueSearches(job(HOUR_MS))
    assert.deepEqual(await askedIn(id), [dora.id])
    await continueSearches(job(2 * HOUR_MS))
    assert.ok((await askedIn(id)).includes(cem.id))
    assert.equal(await cancelStandIn(as(ANN), shift), true)
    assert.equal(await cancelStandIn(as(ANN), shift), false)
    assert.equal(await take(cem, id), 'gone')
    const again = await search(shift)
    await continueSearches(job(new Date(START).getTime() - world.now.getTime()))
    assert.equal(await take(dora, again), 'expired')
    assert.deepEqual(await statesOf(shift), { [ANN.id]: 1 })
  })

  test('others are asked once, at the time of each search', async () => {
    const shift = await addShift()
    const later = await addShift({ maximum_number_of_participants: 1 }, false)
    assert.ok((await signUp(as(eve), { shiftId: later })).ok)
    for (const each of [shift, later]) assert.ok((await joinWaitingList(as(dora), each)).ok)
    const id = await search(shift)
    const outcome = await seekStandIn(as(eve, HOUR_MS), { shiftId: later, message: '', ...AT_ONCE })
    assert.ok(outcome.ok)
    const due = async () =>
      (await world.db.write.selectFrom('stand_in').select(['id', 'next_at']).orderBy('id').execute()).map((row) => [
        row.id,
        row.next_at && row.next_at.getTime() - world.now.getTime(),
      ])
    assert.deepEqual(await due(), [
      [id, 2 * HOUR_MS],
      [outcome.id, 3 * HOUR_MS],
    ])
    await continueSearches(job(2 * HOUR_MS))
    assert.deepEqual(await due(), [
      [id, null],
      [outcome.id, 3 * HOUR_MS],
    ])
    assert.deepEqual(await askedIn(outcome.id), [dora.id])
  })

  const log = async (kind: string) =>
    (
      await world.db.write
        .selectFrom('journal')
        .select('changes')
        .where('kind', '=', `shift.stand_in_${kind}`)
        .orderBy('id')
        .execute()
    ).map(({ changes }) => changes as { users: number[]; state?: string })
  const stateOf = async (id: number) =>
    (await world.db.write.selectFrom('stand_in').select('state').where('id', '=', id).executeTakeFirstOrThrow()).state
  const placeOf = async (shift: number, person: Person) => {
    const { state, individualStart, individualEnd, structureData } = (await getPlace(world.db.write, shift, person.id))!
    return { state, start: individualStart, end: individualEnd, structureData }
  }
  const begin = new Date(START).getTime() - world.now.getTime()

  test('a search is for a confirmed place, until the shift begins', async () => {
    const shift = await addShift()
    const seek = async (person: Person, later = 0) => {
      const outcome = await seekStandIn(as(person, later), { shiftId: shift, message: '', ...AT_ONCE })
      return outcome.ok ? 'ok' : outcome.code
    }
    assert.equal(await seek(BEN), 'no_place')
    await world.addParticipation({ who: BEN, shift, state: 0 })
    assert.equal(await seek(BEN), 'no_place', 'only requested')
    assert.equal(await seek(ANN, begin), 'begun')
    assert.equal(await seek(ANN, begin - 1), 'ok')
  })

  test('the place goes over with times and team, and back by an undo, as it is then', async () => {
    const shift = await addShift()
    const other = await addShift({}, false)
    const times = { start: new Date('2031-05-20T09:00:00Z'), end: new Date('2031-05-20T12:00:00Z') }
    const change = (person: Person, start: Date, end: Date, team: string) =>
      world.db.write
        .updateTable('participation')
        .set({ individual_start_time: start, individual_end_time: end, structure_data: JSON.stringify({ team }) })
        .where('shift_id', '=', shift)
        .where('user_id', '=', person.id)
        .execute()
    await change(ANN, times.start, times.end, 'red')
    const standInId = await search(shift)
    assert.equal(await take(cem, standInId), 'taken')
    assert.deepEqual(await placeOf(shift, cem), { state: 1, ...times, structureData: { team: 'red' } })
    assert.deepEqual(await placeOf(shift, ANN), { state: 2, ...times, structureData: { team: 'red' } })
    assert.deepEqual((await log('done')).at(-1)?.users, [ANN.id, cem.id])
    const { taken_by_id, taken_at } = await world.db.write
      .selectFrom('stand_in')
      .select(['taken_by_id', 'taken_at'])
      .where('id', '=', standInId)
      .executeTakeFirstOrThrow()
    assert.deepEqual([taken_by_id, taken_at], [cem.id, world.now])
    const moves = await world.db.write
      .selectFrom('journal')
      .select(['kind', sql<string>`changes ->> 'cause'`.as('cause')])
      .where('kind', 'in', ['participation.handed_over', 'participation.taken_over'])
      .orderBy('id', 'desc')
      .limit(2)
      .execute()
    assert.deepEqual(
      moves.map(({ kind, cause }) => [kind, cause]),
      [
        ['participation.taken_over', 'stand_in'],
        ['participation.handed_over', 'stand_in'],
      ],
    )
    const later = { start: new Date('2031-05-20T10:00:00Z'), end: new Date('2031-05-20T13:00:00Z') }
    await change(cem, later.start, later.end, 'blue')
    const undo = (more: { shiftId?: number; later?: number } = {}) =>
      undoStandIn(as(PAUL, more.later ?? 0), { shiftId: more.shiftId ?? shift, standInId })
    await assert.rejects(undoStandIn(as(BEN), { shiftId: shift, standInId }), { code: 'not_found' })
    assert.equal(await undo({ shiftId: other }), false)
    assert.equal(await undo({ later: begin }), false)
    const setState = (state: number) =>
      world.db.write
        .updateTable('participation')
        .set({ state })
        .where('shift_id', '=', shift)
        .where('user_id', '=', ANN.id)
        .execute()
    await setState(3)
    assert.equal(await undo(), false, 'a planner has rejected Ann since')
    await setState(2)
    assert.equal(await undo({ later: begin - 1 }), true)
    assert.deepEqual(await placeOf(shift, ANN), { state: 1, ...later, structureData: { team: 'blue' } })
    assert.equal((await placeOf(shift, cem)).state, 2)
    assert.deepEqual([await stateOf(standInId), (await log('undone')).at(-1)?.users], ['undone', [ANN.id, cem.id]])
  })

  test('a place is taken until the shift begins, while the person has it', async () => {
    const shift = await addShift()
    const id = await search(shift)
    const takeAt = async (later: number) => (await answerStandIn(as(cem, later), { standInId: id, answer: 'yes' })).kind
    assert.equal(await takeAt(begin), 'expired')
    await world.db.write.updateTable('participation').set({ state: 3 }).where('shift_id', '=', shift).execute()
    assert.equal(await takeAt(0), 'gone')
    await world.db.write.updateTable('participation').set({ state: 1 }).where('shift_id', '=', shift).execute()
    assert.equal((await answerStandIn(as(cem), { standInId: id, answer: 'no' })).kind, 'declined')
    assert.equal(await takeAt(begin - 1), 'taken', 'somebody who said no can change their mind')
  })

  test('a search ends by the job: expired with the shift, cancelled without a place', async () => {
    const [first, second, third] = [await addShift(), await addShift({}, false), await addShift({}, false)]
    for (const shift of [second, third]) await world.addParticipation({ who: eve, shift, state: 1 })
    const expired = await search(first)
    const seek = async (shift: number) => {
      const outcome = await seekStandIn(as(eve), { shiftId: shift, message: '', ...AT_ONCE })
      assert.ok(outcome.ok)
      return outcome.id
    }
    const [cancelled, kept] = [await seek(second), await seek(third)]
    await world.db.write.updateTable('participation').set({ state: 3 }).where('shift_id', '=', second).execute()
    const before = (await log('ended')).length
    await continueSearches(job(begin - 1))
    assert.deepEqual([await stateOf(expired), await stateOf(cancelled), await stateOf(kept)], ['open', 'cancelled', 'open'])
    await continueSearches(job(begin))
    assert.deepEqual([await stateOf(expired), await stateOf(kept)], ['expired', 'expired'])
    assert.deepEqual((await log('ended')).slice(before), [
      { stand_in: cancelled, state: 'cancelled', users: [eve.id] },
      { stand_in: expired, state: 'expired', users: [ANN.id] },
      { stand_in: kept, state: 'expired', users: [eve.id] },
    ])
  })

  test('people with an offer count as waiting, and nobody is asked twice', async () => {
    const shift = await addShift()
    assert.ok((await joinWaitingList(as(dora), shift)).ok)
    const offer = { state: 'offered', offered_at: world.now, offered_until: new Date(START) }
    await world.db.write.updateTable('waiting_entry').set(offer).execute()
    const before = (await log('asked')).length
    const id = await search(shift)
    assert.deepEqual(await askedIn(id), [dora.id])
    await continueSearches(job(2 * HOUR_MS))
    const [first, second, ...more] = (await log('asked')).slice(before).map(({ users }) => users)
    assert.deepEqual([first, more], [[dora.id], []])
    assert.ok(second!.includes(cem.id) && !second!.includes(dora.id))
  })

  test('a planner decides about the shift of the search, about people who still can', async () => {
    await setMode('planner')
    const shift = await addShift()
    const other = await addShift({}, false)
    const standInId = await search(shift)
    assert.equal(await take(cem, standInId), 'found')
    const decide = (shiftId: number, agrees: boolean) => decideStandIn(as(PAUL), { shiftId, standInId, agrees })
    assert.deepEqual(await decide(other, false), { kind: 'gone' })
    assert.equal(await stateOf(standInId), 'found')
    await world.addParticipation({ who: cem, shift: other, state: 1 })
    const refused = await decide(shift, true)
    assert.deepEqual(refused.kind === 'not_possible' && refused.reasons.map(({ code }) => code), ['conflict'])
    assert.deepEqual(await decide(shift, false), { kind: 'refused' })
    assert.deepEqual((await log('refused')).at(-1)?.users, [ANN.id, cem.id])
    const row = await world.db.write.selectFrom('stand_in').selectAll().where('id', '=', standInId).executeTakeFirstOrThrow()
    assert.deepEqual([row.decided_by_id, row.decided_at, row.taken_by_id], [PAUL.id, world.now, cem.id])
  })

  test('the deletion of a person deletes their searches and that they were asked', async () => {
    const id = await search(await addShift())
    assert.ok((await askedIn(id)).includes(cem.id))
    await transact(world.db.write, (tx) => deleteStandInsOf(tx, cem.id))
    assert.equal(await stateOf(id), 'open')
    assert.ok(!(await askedIn(id)).includes(cem.id))
    await transact(world.db.write, (tx) => deleteStandInsOf(tx, ANN.id))
    await assert.rejects(stateOf(id))
  })

  /** Two people who have both passed the checks before either of them writes, if the locks let them. */
  const race = async (locks: Pick<Guard, 'lockPeople' | 'lockEvent'>) => {
    const shift = await addShift()
    const id = await search(shift)
    let arrived = 0
    let release = () => {}
    const all = new Promise<void>((resolve) => {
      release = resolve
    })
    const guard = {
      ...GUARD,
      ...locks,
      checked: async () => {
        if (++arrived === 2 || locks === GUARD) release()
        await all
      },
    }
    const kinds = (await Promise.allSettled([take(cem, id, guard), take(dora, id, guard)])).map((each) =>
      each.status === 'fulfilled' ? each.value : 'failed',
    )
    return { kinds: kinds.sort(), confirmed: Object.values(await statesOf(shift)).filter((state) => state === 1).length }
  }
  test('two people who take the place at once: one gets it', async () => {
    assert.deepEqual(await race(GUARD), { kinds: ['filled', 'taken'], confirmed: 1 })
  })
  test('without the locks, both get it', async () => {
    const none = { lockPeople: async () => {}, lockEvent: async () => true }
    assert.deepEqual(await race(none), { kinds: ['taken', 'taken'], confirmed: 2 })
  })
})
