import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { eventSnapshot } from '#features/events/events/rules/event-fields.ts'
import { copyShift, duplicateEvent } from '#features/planning/series/commands/copies.ts'
import type { Permission } from '#platform/auth/permissions.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL, type Person, PLANNERS } from '#test/support/people.ts'
import { openPlanning } from '#test/support/planning.ts'
import { input, times } from '#test/support/shift-input.ts'
import { findDrafts } from '../queries/events.ts'
import { getPlannedShift } from '../queries/shifts.ts'
import { makeFormVersion } from '../rules/form-version.ts'
import { emptyBin } from './bin.ts'
import { cancelEvent, deleteEvent, publishEvent, reopenEvent, restoreEvent } from './events.ts'
import { createEvent, saveEvent } from './plan-event.ts'
import { deleteShift } from './removals.ts'
import { addShift, changeShift } from './shifts.ts'
import { shiftSnapshot } from './store-shifts.ts'

describe('the lifecycle of an event', async () => {
  const { world, write, contextOf, event, create, kinds, lastChanges, eventRow, shiftRow, shiftsOf } = await openPlanning()
  const seesIt = async (person: Person, id: number) => (await world.as(person, 'PUBLIC_READ').ids('/api/events/')).includes(id)
  const problem = (code: string) => (error: { code?: string }) => error.code === code

  test('is created as a draft or published, with shifts, statistics and journal entries', async () => {
    const draft = await create([input()], false)
    assert.deepEqual(await kinds(draft.eventId), ['event.created', 'shift.created'])
    assert.equal(await seesIt(ANN, draft.eventId), false)
    const { eventId, shiftIds } = await create([
      input({ structureConfiguration: { minimum_number_of_participants: 2 } }),
      input(),
    ])
    assert.deepEqual(await kinds(eventId), ['event.created', 'shift.created', 'shift.created', 'event.published'])
    assert.equal(await seesIt(ANN, eventId), true)
    assert.equal((await shiftRow(shiftIds[0]!)).missing, 2)
    assert.deepEqual((await lastChanges(eventId, 'shift.created')).start_time, [null, '2031-06-01T06:00:00.000Z'])
  })

  test('needs permission to add events, and a shift before it can be published', async () => {
    const shifts = [{ row: 0, input: input() }]
    await assert.rejects(
      async () => createEvent(contextOf(ANN), { event: event(), shifts, publish: true }),
      problem('permission_denied'),
    )
    await assert.rejects(
      async () => createEvent(contextOf(PAUL), { event: event(), shifts: [], publish: true }),
      problem('invalid_input'),
    )
    const { eventId } = await createEvent(contextOf(PAUL), { event: event(), shifts: [], publish: false })
    assert.deepEqual(await publishEvent(contextOf(PAUL), { eventId }), { ok: false, title: 'Harbour run' })
    await addShift(contextOf(PAUL), { eventId, input: input(), publish: false })
    assert.equal((await eventRow(eventId)).active, false)
    assert.equal((await publishEvent(contextOf(PAUL), { eventId })).ok, true)
    assert.deepEqual((await kinds(eventId)).slice(-2), ['shift.created', 'event.published'])
  })

  test('the first shift publishes the draft on request', async () => {
    const { eventId } = await createEvent(contextOf(PAUL), { event: event(), shifts: [], publish: false })
    await addShift(contextOf(PAUL), { eventId, input: input(), publish: true })
    assert.equal(await seesIt(ANN, eventId), true)
  })

  test('a shift created together with its leader is coupled to it', async () => {
    const shifts = [
      { row: 3, input: input({ flowSlug: 'coupled', flowConfiguration: {} }), leaderRow: 7 },
      { row: 7, input: input({ label: 'leads' }) },
    ]
    const { eventId } = await createEvent(contextOf(PAUL), { event: event(), shifts, publish: true })
    const made = await shiftsOf(eventId)
    const leader = made.find(({ label }) => label === 'leads')!
    const follower = made.find(({ id }) => id !== leader.id)!
    assert.deepEqual(follower.signup_flow_configuration, { leader_shift_id: leader.id })
  })

  test('drafts are listed for their owner and for managers', async () => {
    const { eventId } = await create([input()], false)
    const ask = (person: Person, permissions: Permission[]) => ({ ...contextOf(person, permissions), words: undefined as never })
    const ids = async (person: Person, permissions: Permission[]) =>
      (await findDrafts(ask(person, permissions))).map(({ id }) => id)
    assert.ok((await ids(PAUL, ['add_event'])).includes(eventId))
    assert.ok((await ids(BEN, ['add_event', 'change_event', 'view_event'])).includes(eventId))
    assert.ok(!(await ids(BEN, ['add_event'])).includes(eventId))
  })

  test('groups that the planner may not publish for are neither added nor removed', async () => {
    const secret = await world.addGroup('Secret', [])
    const { eventId } = await createEvent(contextOf(PAUL), {
      event: event({ groups: [HELPERS.id, secret.id] }),
      shifts: [],
      publish: false,
    })
    const groups = async () =>
      (
        await write
          .selectFrom('event_group_grant')
          .select(['group_id', 'permission'])
          .where('event_id', '=', eventId)
          .orderBy('group_id')
          .execute()
      ).map(({ group_id, permission }) => `${group_id} ${permission}`)
    assert.deepEqual(await groups(), [`${HELPERS.id} view`])
    await world.grantsEvent(secret, eventId, 'view')
    const outcome = await saveEvent(contextOf(PAUL), {
      eventId,
      input: event({ groups: [], responsibleGroups: [PLANNERS.id] }),
      version: {},
    })
    assert.deepEqual(outcome, { ok: true, hasChanged: true, notified: 0 })
    assert.deepEqual(await groups(), [`${PLANNERS.id} change`, `${secret.id} view`])
    assert.deepEqual(await lastChanges(eventId, 'event.changed'), {
      groups: [[HELPERS.id, secret.id], [secret.id]],
      responsible_groups: [[], [PLANNERS.id]],
    })
  })

  test('a saved event tells whether it changed, and how many people hear of it', async () => {
    const { eventId, shiftIds } = await create([input()])
    await world.addParticipation({ who: ANN, shift: shiftIds[0]!, state: 0 })
    await world.addParticipation({ who: PAUL, shift: shiftIds[0]!, state: 1 })
    const save = (more = {}) => saveEvent(contextOf(PAUL), { eventId, input: event(more), version: {} })
    const before = await kinds(eventId)
    assert.deepEqual(await save(), { ok: true, hasChanged: false, notified: 0 })
    assert.deepEqual(await kinds(eventId), before)
    assert.deepEqual(await save({ title: 'Other' }), { ok: true, hasChanged: true, notified: 0 })
    assert.deepEqual(await save({ title: 'Other', location: 'Pier 4' }), { ok: true, hasChanged: true, notified: 1 })
    assert.deepEqual((await kinds(eventId)).slice(before.length), ['event.changed', 'event.changed'])
  })

  test('an outdated form changes nothing and returns the concurrent changes', async () => {
    const { eventId } = await create([input()])
    const version = makeFormVersion(eventSnapshot(event()))
    await saveEvent(contextOf(OLGA), { eventId, input: event({ title: 'Dyke run' }), version })
    const late = await saveEvent(contextOf(PAUL), { eventId, input: event({ location: 'Pier 4' }), version })
    assert.ok(!late.ok)
    assert.deepEqual([late.changed, late.current.title], [['title'], 'Dyke run'])
    assert.equal((await eventRow(eventId)).location, 'Pier 3')
    // Sign-ups are no change of the event.
    await world.addParticipation({ who: ANN, shift: (await shiftsOf(eventId))[0]!.id })
    const fresh = makeFormVersion(eventSnapshot(event({ title: 'Dyke run' })))
    assert.ok(
      (await saveEvent(contextOf(PAUL), { eventId, input: event({ title: 'Dyke run', location: 'Pier 4' }), version: fresh })).ok,
    )
  })

  test('only responsible users can change the event', async () => {
    const { eventId, shiftIds } = await create([input()])
    const shiftId = shiftIds[0]!
    const attempts: (() => Promise<unknown>)[] = [
      () => saveEvent(contextOf(BEN), { eventId, input: event(), version: {} }),
      () => addShift(contextOf(BEN), { eventId, input: input(), publish: false }),
      () => changeShift(contextOf(BEN), { shiftId, input: input({ label: 'x' }), version: {} }),
      () => deleteShift(contextOf(BEN), { shiftId }),
      () => copyShift(contextOf(BEN), { shiftId, dates: ['2031-06-02'] }),
      () => cancelEvent(contextOf(BEN), { eventId, reason: 'x' }),
      () => reopenEvent(contextOf(BEN), { eventId }),
      () => deleteEvent(contextOf(BEN, ['delete_event']), { eventId }),
      () => restoreEvent(contextOf(BEN, ['delete_event']), { eventId }),
      () => publishEvent(contextOf(BEN), { eventId }),
    ]
    for (const attempt of attempts) await assert.rejects(attempt, problem('permission_denied'), String(attempt))
    await assert.rejects(async () => deleteEvent(contextOf(PAUL, []), { eventId }), problem('permission_denied'))
    await assert.rejects(async () => duplicateEvent(contextOf(BEN), { eventId, dates: [] }), problem('permission_denied'))
  })

  test('a moved shift keeps individual times and counts those that are outside', async () => {
    const { eventId, shiftIds } = await create([input({ structureConfiguration: {} })])
    const [shift] = shiftIds as [number]
    const late = await world.addParticipation({ who: ANN, shift, start: '2031-06-01T11:00+02:00' })
    const usual = await world.addParticipation({ who: BEN, shift })
    const stored = (await getPlannedShift(write, contextOf(PAUL).actor, shift))!
    const moved = { ...stored, times: times('2031-06-01T06:00+02:00', '2031-06-01T10:00+02:00') }
    const outcome = await changeShift(contextOf(PAUL), {
      shiftId: shift,
      input: moved,
      version: makeFormVersion(shiftSnapshot(stored)),
    })
    assert.ok(outcome.ok)
    assert.equal(outcome.outside, 1)
    const rows = new Map(
      (await write.selectFrom('participation').selectAll().where('event_id', '=', eventId).execute()).map((row) => [row.id, row]),
    )
    assert.deepEqual(
      [rows.get(late)!.start_time, rows.get(late)!.end_time, rows.get(usual)!.start_time, rows.get(usual)!.end_time].map((time) =>
        time.toISOString(),
      ),
      ['2031-06-01T09:00:00.000Z', '2031-06-01T10:00:00.000Z', '2031-06-01T04:00:00.000Z', '2031-06-01T08:00:00.000Z'],
    )
    assert.deepEqual(await lastChanges(eventId, 'shift.changed'), {
      meeting_time: ['2031-06-01T06:00:00.000Z', '2031-06-01T04:00:00.000Z'],
      start_time: ['2031-06-01T06:00:00.000Z', '2031-06-01T04:00:00.000Z'],
      end_time: ['2031-06-01T10:00:00.000Z', '2031-06-01T08:00:00.000Z'],
    })
  })

  test('a leading shift cannot be coupled; a coupled shift takes over the participants of its leader', async () => {
    const { eventId, shiftIds } = await create([input({ structureConfiguration: {} })])
    const [leader] = shiftIds as [number]
    await world.addParticipation({ who: ANN, shift: leader })
    const { shiftId } = await addShift(contextOf(PAUL), {
      eventId,
      publish: false,
      input: input({ flowSlug: 'coupled', flowConfiguration: { leader_shift_id: leader }, structureConfiguration: {} }),
    })
    assert.equal((await shiftRow(shiftId)).confirmed_count, 1)
    const outcome = await changeShift(contextOf(PAUL), {
      shiftId: leader,
      input: input({ flowSlug: 'coupled', flowConfiguration: { leader_shift_id: shiftId } }),
      version: {},
    })
    assert.deepEqual(outcome, { ok: false, reason: 'leads_others' })
    assert.deepEqual(await deleteShift(contextOf(PAUL), { shiftId: leader }), { ok: true })
    assert.equal((await shiftRow(shiftId)).confirmed_count, 0)
  })

  test('the last shift cannot be deleted; others are deleted with their participations', async () => {
    const { eventId, shiftIds } = await create([input({ label: 'first' }), input()])
    const [first, second] = shiftIds as [number, number]
    await world.addParticipation({ who: ANN, shift: first })
    assert.deepEqual(await deleteShift(contextOf(PAUL), { shiftId: first }), { ok: true })
    const changes = await lastChanges(eventId, 'shift.deleted')
    assert.deepEqual(
      [changes.label, changes.confirmed_user_ids],
      [
        ['first', null],
        [[ANN.id], []],
      ],
    )
    assert.deepEqual(await deleteShift(contextOf(PAUL), { shiftId: second }), { ok: false, reason: 'last_shift' })
    assert.equal((await shiftsOf(eventId)).length, 1)
  })

  test('is cancelled with a reason, absent from the API, and can be reopened', async () => {
    const { eventId } = await create([input()])
    await cancelEvent(contextOf(PAUL), { eventId, reason: 'storm' })
    assert.equal(await seesIt(ANN, eventId), false)
    await reopenEvent(contextOf(PAUL), { eventId })
    assert.equal(await seesIt(ANN, eventId), true)
    assert.deepEqual((await kinds(eventId)).slice(-2), ['event.cancelled', 'event.reopened'])
    assert.deepEqual((await lastChanges(eventId, 'event.cancelled')).cancellation_reason, [null, 'storm'])
  })

  test('stays in the bin with its participations for 30 days and is then deleted', async () => {
    const { eventId, shiftIds } = await create([input()])
    const kept = await create([input()])
    await world.addParticipation({ who: ANN, shift: shiftIds[0]! })
    await deleteEvent(contextOf(PAUL), { eventId })
    assert.equal(await seesIt(ANN, eventId), false)
    await assert.rejects(async () => cancelEvent(contextOf(PAUL), { eventId, reason: 'x' }), problem('not_found'))
    await restoreEvent(contextOf(PAUL), { eventId })
    assert.equal((await shiftRow(shiftIds[0]!)).confirmed_count, 1)
    await deleteEvent(contextOf(PAUL), { eventId })
    const day = 24 * 3600_000
    assert.equal(await emptyBin(write, new Date(world.now.getTime() + 30 * day)), 0)
    assert.equal(await emptyBin(write, new Date(world.now.getTime() + 30 * day + 1)), 1)
    assert.equal(await write.selectFrom('event').select('id').where('id', '=', eventId).executeTakeFirst(), undefined)
    assert.equal((await eventRow(kept.eventId)).deleted_at, null)
    const { rows } = await sql`select from participation where event_id = ${eventId}`.execute(write)
    assert.equal(rows.length, 0)
  })
})
