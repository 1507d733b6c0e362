import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Permission } from '#platform/auth/permissions.ts'
import { transact } from '#platform/db/transaction.ts'
import { ANN, BEN, HELPERS, PAUL, PLANNERS, VERA } from '#test/support/people.ts'
import { openPlanning } from '#test/support/planning.ts'
import { input } from '#test/support/shift-input.ts'
import {
  cancelEvent,
  changeEvent,
  deleteEvent,
  publishEvent,
  publishEvents,
  removeResponsible,
  reopenEvent,
  restoreEvent,
} from './events.ts'

const denied = { code: 'permission_denied' }
const gone = { code: 'not_found' }

describe('steps of an event', async () => {
  const { world, write, contextOf, event, create, eventRow } = await openPlanning()
  const paul = contextOf(PAUL)
  const at = (ms: number) => ({ ...paul, now: new Date(world.now.getTime() + ms) })
  const only = (...permissions: Permission[]) => contextOf(PAUL, permissions)
  const log = async (eventId: number) =>
    (
      await write
        .selectFrom('journal')
        .select(['kind', 'subject_kind', 'subject_id', 'changes'])
        .where('event_id', '=', eventId)
        .orderBy('id')
        .execute()
    ).map(({ kind, subject_kind, subject_id, changes }) => {
      assert.deepEqual([subject_kind, subject_id], ['event', eventId])
      return [kind, changes]
    })
  const open = async (publish = true) => {
    const { eventId } = await create([input()], publish)
    await write.deleteFrom('journal').where('event_id', '=', eventId).execute()
    return eventId
  }
  const iso = (ms = 0) => at(ms).now.toISOString()

  test('is cancelled, cancelled for another reason, and reopened, each with one entry', async () => {
    const [eventId, other] = [await open(), await open()]
    const title = { title: 'Harbour run' }
    assert.deepEqual(await cancelEvent(at(1), { eventId, reason: 'Storm' }), title)
    const state = async (id = eventId) => {
      const { cancelled_at, cancellation_reason } = await eventRow(id)
      return [cancelled_at, cancellation_reason]
    }
    assert.deepEqual(await state(), [at(1).now, 'Storm'])
    assert.deepEqual(await cancelEvent(at(2), { eventId, reason: 'Storm' }), title)
    await cancelEvent(at(3), { eventId, reason: 'Flood' })
    assert.deepEqual(await state(), [at(1).now, 'Flood'], 'it was cancelled then')
    assert.deepEqual(await state(other), [null, null])
    assert.deepEqual(await reopenEvent(at(4), { eventId }), title)
    assert.deepEqual(await state(), [null, null])
    assert.deepEqual(await reopenEvent(at(5), { eventId }), title)
    const entries = await log(eventId)
    assert.deepEqual(JSON.parse(JSON.stringify(entries)), [
      ['event.cancelled', { cancelled_at: [null, iso(1)], cancellation_reason: [null, 'Storm'] }],
      ['event.cancelled', { cancellation_reason: ['Storm', 'Flood'] }],
      ['event.reopened', { cancelled_at: [iso(1), null], cancellation_reason: ['Flood', null] }],
    ])
    assert.deepEqual(await log(other), [])
  })

  test('goes to the bin and comes back, for planners who may delete events', async () => {
    const [eventId, other] = [await open(), await open()]
    await assert.rejects(deleteEvent(only('add_event'), { eventId }), denied)
    assert.deepEqual(await restoreEvent(paul, { eventId }), { title: 'Harbour run' })
    assert.deepEqual(await deleteEvent(at(1), { eventId }), { title: 'Harbour run' })
    assert.deepEqual([(await eventRow(eventId)).deleted_at, (await eventRow(other)).deleted_at], [at(1).now, null])
    await assert.rejects(deleteEvent(paul, { eventId }), gone)
    await assert.rejects(restoreEvent(only('add_event'), { eventId }), denied)
    await assert.rejects(restoreEvent(contextOf(VERA, ['delete_event']), { eventId }), gone)
    assert.deepEqual(await restoreEvent(at(2), { eventId }), { title: 'Harbour run' })
    assert.equal((await eventRow(eventId)).deleted_at, null)
    assert.deepEqual(await log(eventId), [
      ['event.deleted', { deleted_at: [null, iso(1)], title: ['Harbour run', 'Harbour run'] }],
      ['event.restored', { deleted_at: [iso(1), null] }],
    ])
  })

  test('is published once it has shifts, by people who may add events and see it', async () => {
    const [draft, second, third] = [await open(false), await open(false), await open(false)]
    const published = await open()
    const empty = (await world.addEvent({ title: 'Empty', responsible: [PAUL], seenBy: [HELPERS], draft: true })).id
    const active = async (id: number) => (await eventRow(id)).active
    await assert.rejects(publishEvent(only(), { eventId: published }), denied)
    await assert.rejects(publishEvent(only(), { eventId: draft }), gone)
    await assert.rejects(publishEvent(contextOf(VERA, ['add_event']), { eventId: draft }), gone)
    await assert.rejects(publishEvent(contextOf(VERA), { eventId: draft }), gone)
    assert.deepEqual(await publishEvent(paul, { eventId: empty }), { ok: false, title: 'Empty' })
    assert.deepEqual(await publishEvent(paul, { eventId: published }), { ok: true, title: 'Harbour run' })
    assert.deepEqual([await active(draft), await active(empty), await log(published)], [false, false, []])
    assert.deepEqual(await publishEvent(paul, { eventId: draft }), { ok: true, title: 'Harbour run' })
    assert.deepEqual([await active(draft), await active(second)], [true, false])
    assert.deepEqual(await log(draft), [['event.published', { active: [false, true] }]])
    await assert.rejects(publishEvents(paul, [second, 0]), gone)
    assert.equal(await active(second), false, 'all or none')
    assert.deepEqual(await publishEvents(paul, [third, empty, second]), { published: 2, left: 1 })
    assert.deepEqual([await active(second), await active(third), await active(empty)], [true, true, false])
  })

  test('keeps its people apart: who sees it and who plans it, without those whom nobody knows', async () => {
    const [eventId, other] = [await open(), await open()]
    const people = async (id: number) => [
      (
        await write
          .selectFrom('event_group_grant')
          .select(['group_id', 'permission'])
          .where('event_id', '=', id)
          .orderBy('permission')
          .orderBy('group_id')
          .execute()
      ).map(({ group_id, permission }) => `${permission} ${group_id}`),
      (
        await write
          .selectFrom('event_user_grant')
          .select(['user_id', 'permission'])
          .where('event_id', '=', id)
          .orderBy('permission')
          .orderBy('user_id')
          .execute()
      ).map(({ user_id, permission }) => `${permission} ${user_id}`),
    ]
    const before = await people(other)
    assert.deepEqual(before, [[`view ${HELPERS.id}`], [`change ${PAUL.id}`]])
    await world.grantsEvent(BEN, eventId, 'view')
    const change = (more: object) =>
      transact(write, (tx) => changeEvent(tx, paul, { eventId, input: event(more) as never, version: {} }))
    const wish = { responsibleGroups: [PLANNERS.id, 999], responsibleUsers: [PAUL.id, ANN.id, 999] }
    assert.deepEqual(await change(wish), { ok: true, hasChanged: true, notified: 0 })
    assert.deepEqual(await people(eventId), [
      [`change ${PLANNERS.id}`, `view ${HELPERS.id}`],
      [`change ${PAUL.id}`, `change ${ANN.id}`, `view ${BEN.id}`].sort(),
    ])
    await change({ groups: [], responsibleUsers: [PAUL.id] })
    assert.deepEqual(await people(eventId), [[], [`change ${PAUL.id}`, `view ${BEN.id}`]])
    assert.deepEqual(await people(other), before)
    assert.deepEqual(await change({ groups: [] }), { ok: true, hasChanged: false, notified: 0 })
    assert.equal((await log(eventId)).length, 2)
    await transact(write, (tx) => removeResponsible(tx, BEN.id))
    assert.deepEqual((await people(eventId))[1], [`change ${PAUL.id}`])
    await world.addParticipation({
      who: ANN,
      shift: (await write.selectFrom('shift').select('id').where('event_id', '=', eventId).executeTakeFirstOrThrow()).id,
    })
    assert.deepEqual(await change({ groups: [], title: 'Night run' }), { ok: true, hasChanged: true, notified: 0 })
    assert.deepEqual(await change({ groups: [], title: 'Night run', location: 'Pier 9' }), {
      ok: true,
      hasChanged: true,
      notified: 1,
    })
    const row = await eventRow(eventId)
    assert.deepEqual([row.title, row.location, (await eventRow(other)).title], ['Night run', 'Pier 9', 'Harbour run'])
    assert.deepEqual([row.created_by_id, row.created_at], [PAUL.id, world.now])
  })
})
