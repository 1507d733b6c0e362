import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { RequestContext } from '#platform/auth/context.ts'
import type { Permission } from '#platform/auth/permissions.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { actorOf, contextOf } from '#test/support/command-context.ts'
import { ANN, BEN, HELPERS, PAUL, type Person, PLANNERS, VERA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import {
  findAssignable,
  findBinRows,
  findDraftRecords,
  getDeletedEvent,
  getDraft,
  getEventRevision,
  getReachableEvent,
  getReachableShift,
  getShiftRevision,
} from './records.ts'

type Facts = { permissions?: Permission[]; groups?: { id: number }[] }

describe('records for planners', async () => {
  const world = await openWorld()
  const { write } = world.db
  const as = (person: Person, { permissions = [], groups = [] }: Facts = {}): RequestContext => ({
    ...contextOf(world, actorOf(person, { permissions: new Set(permissions), groupIds: groups.map(({ id }) => id) })),
    words: wordsFor('en', world.app.site.timeZone),
  })
  const wish = { seenBy: [HELPERS], responsible: [PAUL, PLANNERS], shifts: [{}] }
  const events = {
    published: await world.addEvent(wish),
    cancelled: await world.addEvent({ ...wish, cancelled: true }),
    draft: await world.addEvent({ ...wish, draft: true }),
    deleted: await world.addEvent({ ...wish, deleted: true }),
  }
  const found = async (get: (event: (typeof events)['draft']) => Promise<unknown>) => {
    const names: string[] = []
    for (const [name, event] of Object.entries(events)) if ((await get(event)) !== undefined) names.push(name)
    return names.join(' ')
  }
  const ALL = 'published cancelled draft'
  const CASES: [who: string, context: RequestContext, reached: string, deleted: string, draft: string][] = [
    ['a reader', as(ANN, { groups: [HELPERS] }), 'published cancelled', '', ''],
    ['a reader who makes events', as(ANN, { groups: [HELPERS], permissions: ['add_event'] }), ALL, '', ''],
    ['somebody else', as(VERA), '', '', ''],
    ['a responsible', as(PAUL), ALL, '', 'draft'],
    ['somebody of a responsible group', as(BEN, { groups: [PLANNERS] }), ALL, '', 'draft'],
    ['a responsible who may delete', as(PAUL, { permissions: ['delete_event'] }), ALL, 'deleted', 'draft'],
    ['somebody else who may delete', as(VERA, { permissions: ['delete_event'] }), '', '', ''],
    ['somebody who changes all events, and sees none', as(VERA, { permissions: ['change_event'] }), ALL, '', 'draft'],
    ['somebody who sees all events', as(VERA, { permissions: ['view_event'] }), 'published cancelled', '', ''],
  ]
  for (const [who, context, reached, deleted, draft] of CASES)
    test(`${who} reaches: ${reached || 'nothing'}; in the bin: ${deleted || 'nothing'}; drafts: ${draft || 'none'}`, async () => {
      assert.equal(await found(({ id }) => getReachableEvent(context, id)), reached)
      assert.equal(await found(({ shifts }) => getReachableShift(context, shifts[0]!)), reached)
      assert.equal(await found(({ id }) => getDeletedEvent(context, id)), deleted)
      assert.equal(await found(({ id }) => getDraft(context, id)), draft)
      const page = { limit: 10, offset: 0 }
      const bin = await findBinRows(context, page)
      assert.deepEqual([bin.count, bin.rows.map(({ id }) => id)], deleted ? [1, [events.deleted.id]] : [0, []])
      assert.equal((await findDraftRecords(context, page)).count, draft ? 1 : 0)
    })

  test('have a revision of what they do not show, for planners: people of the event, questions of the shift', async () => {
    const [first, second] = [events.published, events.cancelled]
    const read = async () => [
      await getEventRevision(as(PAUL), { id: first.id }),
      await getEventRevision(as(PAUL), { id: second.id }),
      await getShiftRevision(as(PAUL), { id: first.shifts[0]! }),
      await getShiftRevision(as(PAUL), { id: second.shifts[0]! }),
    ]
    const changedBy = async (act: () => Promise<unknown>) => {
      const before = await read()
      await act()
      const after = await read()
      return before.map((each, index) => each !== after[index])
    }
    const { id } = await write
      .insertInto('question')
      .values({ name: 'Q', text: 'Lunch?', kind: 'text' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const ask = () => write.insertInto('shift_question').values({ shift_id: first.shifts[0]!, question_id: id }).execute()
    assert.deepEqual(await changedBy(ask), [false, false, true, false])
    assert.deepEqual(await changedBy(() => world.grantsEvent(BEN, second.id, 'change')), [false, true, false, false])
    assert.deepEqual(await changedBy(() => world.grantsEvent(PLANNERS, first.id, 'view')), [true, false, false, false])
    const crew = await world.addGroup('Crew', [])
    assert.deepEqual(await changedBy(() => world.grantsEvent(crew, second.id, 'change')), [false, true, false, false])
    assert.deepEqual(await changedBy(() => world.grantsEvent(crew, first.id, 'change')), [true, false, false, false])
    assert.deepEqual(await changedBy(() => world.grantsEvent(BEN, first.id, 'view')), [false, false, false, false])
    const reader = as(ANN, { groups: [HELPERS] })
    assert.deepEqual(
      [await getEventRevision(reader, { id: first.id }), await getShiftRevision(reader, { id: first.shifts[0]! })],
      [undefined, undefined],
    )
  })

  test('name as responsible only people with an account in use that others see', async () => {
    const [closed, hidden] = [await world.addPerson({ name: 'Closed' }), await world.addPerson({ name: 'Hidden' })]
    await write.updateTable('user_profile').set({ is_active: false }).where('id', '=', closed.id).execute()
    await write.updateTable('user_profile').set({ is_visible: false }).where('id', '=', hidden.id).execute()
    assert.deepEqual([...(await findAssignable(write, [ANN.id, closed.id, hidden.id, 999_999]))], [ANN.id])
  })
})
