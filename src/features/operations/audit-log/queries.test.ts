import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createServiceAccount } from '#features/access/service-accounts/commands/accounts.ts'
import { cancelShift, deleteShift } from '#features/planning/planning/commands/removals.ts'
import { undoMove } from '#features/staffing/participations/commands/undo.ts'
import type { Permission } from '#platform/auth/permissions.ts'
import { transact } from '#platform/db/transaction.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { listRequest } from '#platform/journal/list-requests.ts'
import { moveOnBoard } from '#test/support/board.ts'
import { actorOf, contextAs, contextOf } from '#test/support/command-context.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL, VERA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { findLogPage } from './queries.ts'

describe('the log', async () => {
  const world = await openWorld()
  const { write } = world.db
  const words = wordsFor('en', 'Europe/Berlin')
  const add = async (values: Record<string, unknown>) =>
    (
      await write
        .insertInto('journal')
        .values({
          at: new Date('2031-03-01T12:00:00Z'),
          kind: 'test.happened',
          actor_kind: 'user',
          actor_id: PAUL.id,
          subject_kind: 'user',
          subject_id: ANN.id,
          request_id: null,
          changes: '{}',
          ...values,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id
  const asOlga = () => ({ ...contextAs(world, OLGA), words })
  const idsOf = async (query: string) => (await findLogPage(asOlga(), new URLSearchParams(query))).entries.map(({ id }) => id)

  test('names what was done with a list once; each entry is found by the list and by searching', async () => {
    const of = { request_id: listRequest(7, { isUndo: false }) }
    const first = await add({ ...of, kind: 'user.created' })
    const second = await add({ ...of, kind: 'user.changed', changes: '{"email":["a","zebra"]}' })
    const whole = await add({ ...of, kind: 'user.imported', subject_id: null, changes: '{"created":1}' })
    const other = await add({ kind: 'user.created', request_id: '0b5b0f0e-list-7' })
    const undone = await add({ request_id: listRequest(7, { isUndo: true }), kind: 'user.deleted' })
    const all = [first, second, whole, other, undone]
    const found = async (query: string) => (await idsOf(query)).filter((id) => all.includes(id))
    assert.deepEqual(await found(''), [other, whole])
    assert.deepEqual(await found('what=user'), [other, whole])
    assert.deepEqual(await found('request=list-7'), [whole, second, first])
    assert.deepEqual(await found('request=list-7-undo'), [undone])
    assert.deepEqual(await found('request=list-7%25'), [other, whole], 'no list has this name')
    assert.deepEqual(await found('q=zebra'), [second])
    assert.deepEqual(await found('who=Ann'), [undone, other, second, first])
    await write.deleteFrom('journal').where('id', 'in', all).execute()
  })

  test('of a day begins and ends at midnight in the time zone of the instance, both days included', async () => {
    // Berlin is an hour ahead on the 29th of March, and two hours after the clock change of the 30th.
    const times = {
      lastOfThe28th: '2031-03-28T22:59:59.999Z',
      firstOfThe29th: '2031-03-28T23:00:00Z',
      lastOfThe30th: '2031-03-30T21:59:59.999Z',
      firstOfThe31st: '2031-03-30T22:00:00Z',
    }
    const ids: Record<string, number> = {}
    for (const [name, at] of Object.entries(times)) ids[name] = await add({ at: new Date(at) })
    const named = async (query: string) => {
      const found = await idsOf(query)
      return Object.keys(ids).filter((name) => found.includes(ids[name]!))
    }
    assert.deepEqual(await named('from=2031-03-29&to=2031-03-30'), ['firstOfThe29th', 'lastOfThe30th'])
    assert.deepEqual(await named('from=2031-03-30'), ['lastOfThe30th', 'firstOfThe31st'])
    assert.deepEqual(await named('to=2031-03-28'), ['lastOfThe28th'])
    assert.deepEqual(await named(''), Object.keys(ids))
  })

  test('names the person of a participation that was taken back', async () => {
    const event = await world.addEvent({
      title: 'Gala',
      seenBy: [HELPERS],
      responsible: [PAUL],
      shifts: [{ label: 'Door', start: '2031-11-14T18:00:00Z' }],
    })
    const [shift] = event.shifts as [number]
    const paul = contextAs(world, PAUL)
    await moveOnBoard(paul, { shiftId: shift, who: { kind: 'local', id: BEN.id }, to: 1 })
    const moved = await write
      .selectFrom('journal')
      .select('id')
      .where('kind', '=', 'participation.moved')
      .executeTakeFirstOrThrow()
    assert.ok(await transact(write, (tx) => undoMove(tx, paul, moved.id)))
    const { entries, names } = await findLogPage(asOlga(), new URLSearchParams({ what: 'participation' }), event.id)
    assert.deepEqual(
      entries.map(({ kind, subjectId }) => [kind, names.get(`participation ${subjectId}`)]),
      [
        ['participation.undone', 'Ben, Gala, Door on 14 November 2031'],
        ['participation.moved', 'Ben, Gala, Door on 14 November 2031'],
      ],
    )
  })

  test('keeps the names of records that were deleted', async () => {
    const event = await world.addEvent({ title: 'Parade', shifts: [{ label: 'Day', start: '2031-11-14T08:00:00Z' }] })
    const gone = 888_888
    const about = { subject_id: gone, event_id: event.id, request_id: 'gone' }
    const deletion = { label: ['Night watch', null], start_time: ['2031-11-14T23:30:00.000Z', null] }
    await add({ ...about, kind: 'shift.changed', subject_kind: 'shift' })
    await add({ ...about, kind: 'shift.deleted', subject_kind: 'shift', changes: JSON.stringify(deletion) })
    await add({ ...about, kind: 'group.deleted', subject_kind: 'group', changes: '{"name": "Divers"}' })
    const summary = JSON.stringify({ before: { name: 'Crew' } })
    await add({ ...about, kind: 'building_block.deleted', subject_kind: 'building_block', changes: summary })
    await add({ ...about, kind: 'resource.deleted', subject_kind: 'resource', changes: '{"title": ["Van", null]}' })
    await add({
      kind: 'event.changed',
      subject_kind: 'event',
      subject_id: event.id,
      changes: JSON.stringify({ groups: [[], [gone]] }),
    })
    await add({ ...about, kind: 'shift.created', subject_kind: 'shift', subject_id: event.shifts[0] })
    await add({ ...about, kind: 'page.changed', subject_kind: 'page' })
    const { names } = await findLogPage(asOlga(), new URLSearchParams())
    assert.deepEqual(
      ['shift', 'group', 'building_block', 'resource', 'page'].map((kind) => names.get(`${kind} ${gone}`)),
      // 23:30 UTC is the next day in the time zone of the words.
      ['Parade, Night watch on 15 November 2031', 'Divers', 'Crew', 'Van', undefined],
    )
    assert.equal(names.get(`shift ${event.shifts[0]}`), 'Parade, Day on 14 November 2031')
  })

  test('names the people of cancelled and deleted shifts', async () => {
    const shift = { start: '2031-11-14T08:00:00Z', end: '2031-11-14T10:00:00Z' }
    const labels = ['Cancelled', 'Deleted', 'Kept'] as const
    const { shifts } = await world.addEvent({ title: 'Fair', shifts: labels.map((label) => ({ ...shift, label })) })
    const places: number[] = []
    const people = [ANN, { placeholder: 'Tom' }, BEN]
    for (const [n, who] of people.entries()) places.push(await world.addParticipation({ who, shift: shifts[n]!, state: 1 }))
    await cancelShift(asOlga(), { shiftId: shifts[0]!, reason: 'Storm' })
    await deleteShift(asOlga(), { shiftId: shifts[1]! })
    for (const id of places) await add({ kind: 'participation.changed', subject_kind: 'participation', subject_id: id })
    const { names } = await findLogPage(asOlga(), new URLSearchParams())
    const found = places.map((id) => names.get(`participation ${id}`))
    const date = '14 November 2031'
    assert.deepEqual(found, [`Ann, Fair, Cancelled on ${date}`, `Tom, Fair, Deleted on ${date}`, `Ben, Fair, Kept on ${date}`])
  })

  test('links the pages that the reader may open, and no others', async () => {
    const event = await world.addEvent({ title: 'Parade', seenBy: [BEN], shifts: [{}] })
    const { id: typeId } = await write.selectFrom('event_type').select('id').limit(1).executeTakeFirstOrThrow()
    const input = { name: 'Display', scopes: ['PUBLIC_READ'], groupIds: [], lastDay: '', networks: [], origins: [] }
    const account = await createServiceAccount(contextAs(world, OLGA), input)
    assert.ok(account.ok)
    const subjects = {
      user: ANN.id,
      group: HELPERS.id,
      event_type: typeId,
      event: event.id,
      service_account: account.accountId,
      visitor: 99_999,
    }
    const marked = { request_id: 'links' }
    for (const [subject_kind, subject_id] of Object.entries(subjects))
      await add({ ...marked, subject_kind, subject_id, actor_kind: 'system', actor_id: null })
    const PAGES: Record<string, string> = {
      user: `/manage/people/${ANN.id}/`,
      group: `/manage/groups/${HELPERS.id}/`,
      event_type: `/manage/event-types/${typeId}/`,
      event: `/events/${event.id}/`,
      service_account: `/manage/service-accounts/${account.accountId}/`,
    }
    const linked = async (permissions: Permission[], person = VERA, isStaff = false) => {
      const context = { ...contextOf(world, actorOf(person, { permissions: new Set(permissions), isStaff })), words }
      const { pages } = await findLogPage(context, new URLSearchParams())
      return Object.keys(PAGES).filter((kind) => {
        const page = pages.get(`${kind} ${subjects[kind as 'user']}`)
        if (page !== undefined) assert.equal(page, PAGES[kind])
        return page !== undefined
      })
    }
    assert.deepEqual(await linked(['view_journal']), [])
    assert.deepEqual(await linked(['view_journal', 'view_user']), ['user'])
    assert.deepEqual(await linked(['view_journal', 'view_group']), ['group'])
    assert.deepEqual(await linked(['view_journal', 'change_event_type']), ['event_type'])
    assert.deepEqual(await linked(['view_journal'], BEN), ['event'])
    assert.deepEqual(await linked([], OLGA, true), Object.keys(PAGES))
  })
})
