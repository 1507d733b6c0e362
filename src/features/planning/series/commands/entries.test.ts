import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { changeEvent } from '#features/planning/planning/commands/events.ts'
import { deleteShift } from '#features/planning/planning/commands/removals.ts'
import { addShift, changeShift } from '#features/planning/planning/commands/shifts.ts'
import { getPlannedEvent } from '#features/planning/planning/queries/events.ts'
import { findStoredShifts } from '#features/planning/planning/queries/shifts.ts'
import { transact } from '#platform/db/transaction.ts'
import { ANN, PAUL, VERA } from '#test/support/people.ts'
import { openPlanning } from '#test/support/planning.ts'
import { input, times } from '#test/support/shift-input.ts'
import { findSeriesEvents } from '../queries/series.ts'
import { changesOf, digestOf } from '../rules/linking.ts'
import { applyChanges, endFollowing } from './change.ts'
import { copyShift, duplicateEvent } from './copies.ts'
import { createSeries } from './link.ts'
import { copyMonth, undoCopies } from './months.ts'
import { changeRule } from './rule.ts'
import { undoStep } from './undo.ts'

const ZONE = 'Europe/Berlin'
const DATES = ['2031-06-12', '2031-06-19']
const single = (dates: string[]) => ({ dates, faults: [], rule: undefined, singles: dates, skipped: [] })
const denied = { code: 'permission_denied' }
const gone = { code: 'not_found' }

describe('steps of a series', async () => {
  const { world, write, contextOf, create, eventRow, shiftsOf } = await openPlanning()
  let requests = 0
  const paul = () => ({ ...contextOf(PAUL), requestId: `entries-${++requests}` })
  const { actor } = paul()
  const open = async (shifts = [input({ label: 'Desk', times: times('2031-06-05T08:00+02:00', '2031-06-05T12:00+02:00') })]) => {
    const { eventId } = await create(shifts)
    const { seriesId, copies } = await createSeries(paul(), { eventId, chosen: single(DATES) })
    return { eventId, seriesId, copies, all: [eventId, ...copies] }
  }
  const members = (seriesId: number) => findSeriesEvents(write, actor, seriesId)
  const seenOf = async (seriesId: number) =>
    Object.fromEntries((await members(seriesId)).map((member) => [member.event.id, digestOf(member, ZONE)]))
  const log = async (eventId: number) =>
    (
      await write
        .selectFrom('journal')
        .select(['kind', 'subject_kind', 'subject_id', 'changes'])
        .where('event_id', '=', eventId)
        .where('kind', 'like', 'event.series%')
        .orderBy('id')
        .execute()
    ).map(({ kind, subject_kind, subject_id, changes }) => {
      assert.deepEqual([subject_kind, subject_id], ['event', eventId])
      return [kind.slice('event.series_'.length), changes]
    })
  const edit = async (eventId: number, more: object) => {
    const event = (await getPlannedEvent(write, actor, eventId))!
    await transact(write, (tx) => changeEvent(tx, paul(), { eventId, input: { ...event, ...more }, version: {} }))
  }

  test('are in the log of their event with what they were about', async () => {
    const { eventId, seriesId, all } = await open()
    await world.addParticipation({ who: ANN, shift: (await shiftsOf(all[1]!))[0]!.id })
    await edit(eventId, { title: 'New', location: 'Pier 9' })
    const shift = (await findStoredShifts(write, eventId))[0]!
    await changeShift(paul(), { shiftId: shift.id, input: { ...shift, label: 'Front desk' }, version: {} })
    const source = (await members(seriesId)).find(({ event }) => event.id === eventId)!
    const changes = changesOf(source, ZONE).map(({ id }) => id)
    const ask = { eventId, scope: 'all' as const, changes, overwrite: [], seen: await seenOf(seriesId) }
    assert.deepEqual(await applyChanges(paul(), { ...ask, changes: ['unknown'] }), { ok: false, reason: 'nothing' })
    assert.deepEqual(await applyChanges(paul(), { ...ask, seen: {} }), { ok: false, reason: 'stale' })
    const partly = Object.fromEntries(Object.entries(ask.seen).filter(([id]) => id !== String(all[2])))
    const applied = await applyChanges(paul(), { ...ask, seen: partly })
    assert.ok(applied.ok)
    await write.updateTable('event').set({ active: true }).where('id', 'in', all).execute()
    assert.deepEqual([applied.changed, applied.skipped, applied.stale], [1, 0, 1])
    assert.deepEqual(
      (await Promise.all(all.map(eventRow))).map(({ title, location }) => [title, location]),
      [
        ['New', 'Pier 9'],
        ['New', 'Pier 9'],
        ['Harbour run', 'Pier 3'],
      ],
    )
    const dates = ['2031-06-05', ...DATES, '2031-06-26']
    const ruled = await changeRule(paul(), { eventId, chosen: single(dates) })
    const [added] = ruled.added
    assert.deepEqual([ruled.added.length, ruled.removed, ruled.kept], [1, 0, 0])
    const cancelled = await endFollowing(paul(), { eventId, end: { how: 'cancel', reason: 'Storm' } })
    assert.deepEqual([cancelled.ended, cancelled.left], [3, 1], 'the new date is a draft')
    const deleted = await endFollowing(paul(), { eventId: added!, end: { how: 'delete' } })
    assert.deepEqual([deleted.ended, deleted.left], [1, 0])
    assert.deepEqual(await undoStep(paul(), { step: cancelled.step }), { eventId, undone: 3, left: 0 })
    assert.deepEqual(
      (await Promise.all(all.map(eventRow))).map((row) => row.cancelled_at),
      [null, null, null],
    )
    const rule = { rule: [null, null], start_date: ['2031-06-12', '2031-06-05'], exdates: [[], []] }
    assert.deepEqual(await log(eventId), [
      ['created', { rule: [null, null], dates: [null, 2] }],
      ['changed', { scope: [null, 'all'], fields: [null, ['title', 'location', 'label']] }],
      ['rule_changed', { ...rule, rdates: [DATES, dates] }],
      ['cancelled', { dates: [null, 4] }],
      ['undone', { step: [null, cancelled.step] }],
    ])
    assert.deepEqual(await log(added!), [['deleted', { dates: [null, 1] }]])
  })

  test('a rule without the date of the event itself copies it, and then moves it to the bin; the undo brings it back', async () => {
    const { eventId, all } = await open()
    const changed = await changeRule(paul(), { eventId, chosen: single([...DATES, '2031-06-26']) })
    assert.deepEqual([changed.added.length, changed.removed, changed.kept], [1, 1, 0])
    const binned = async () => (await Promise.all([...all, ...changed.added].map(eventRow))).map((row) => row.deleted_at !== null)
    assert.deepEqual(await binned(), [true, false, false, false])
    assert.equal((await eventRow(changed.added[0]!)).title, 'Harbour run')
    assert.deepEqual(await undoStep(paul(), { step: changed.step }), { eventId, undone: 2, left: 0 })
    assert.deepEqual(await binned(), [false, false, false, true])
  })

  const COPIES: [what: string, change: (eventId: number) => Promise<unknown>, isBinned: boolean][] = [
    ['nobody is on it', async () => {}, true],
    ['somebody asked for a place', async (id) => signUp(id, 0), false],
    ['somebody has a place', async (id) => signUp(id, 1), false],
    ['somebody declined', async (id) => signUp(id, 2), true],
    ['it was published', (id) => write.updateTable('event').set({ active: true }).where('id', '=', id).execute(), false],
  ]
  const signUp = async (eventId: number, state: 0 | 1 | 2) =>
    world.addParticipation({ who: ANN, shift: (await shiftsOf(eventId))[0]!.id, state })
  const addDate = async () => {
    const { eventId } = await open()
    const { step, added } = await changeRule(paul(), { eventId, chosen: single(['2031-06-05', ...DATES, '2031-06-26']) })
    return { eventId, step, added: added[0]! }
  }
  for (const [what, change, isBinned] of COPIES)
    test(`an event that a new rule added ${isBinned ? 'goes' : 'stays'} when the step is taken back: ${what}`, async () => {
      const { eventId, step, added } = await addDate()
      await change(added)
      assert.deepEqual(await undoStep(paul(), { step }), { eventId, undone: isBinned ? 1 : 0, left: isBinned ? 0 : 1 })
      assert.equal((await eventRow(added)).deleted_at !== null, isBinned)
    })

  test('an event that a new rule added stays when the planner may not delete events any more', async () => {
    const { eventId, step, added } = await addDate()
    const context = { ...contextOf(PAUL, ['add_event']), requestId: 'without delete_event' }
    assert.deepEqual(await undoStep(context, { step }), { eventId, undone: 0, left: 1 })
    assert.equal((await eventRow(added)).deleted_at, null)
  })

  const ADDED: [what: string, change: (eventId: number, shiftId: number) => Promise<unknown>, stays: boolean][] = [
    ['nobody is on it', async () => {}, false],
    ['somebody asked for a place', (_, shift) => world.addParticipation({ who: ANN, shift, state: 0 }), true],
    ['somebody has a place', (_, shift) => world.addParticipation({ who: ANN, shift, state: 1 }), true],
    ['somebody declined', (_, shift) => world.addParticipation({ who: ANN, shift, state: 2 }), false],
    ['it has another label', (_, shift) => relabel(shift, 'Own'), true],
    [
      'it is the last one',
      async (eventId) => deleteShift(paul(), { shiftId: (await shiftsOf(eventId)).find(({ label }) => label === 'Desk')!.id }),
      true,
    ],
  ]
  const relabel = (id: number, label: string) => write.updateTable('shift').set({ label }).where('id', '=', id).execute()
  for (const [what, change, stays] of ADDED)
    test(`a shift that a series added ${stays ? 'stays' : 'goes'} when the step is taken back: ${what}`, async () => {
      const { eventId, seriesId, copies } = await open()
      const late = input({ label: 'Late', times: times('2031-06-05T13:00+02:00', '2031-06-05T15:00+02:00') })
      await addShift(paul(), { eventId, input: late, publish: false })
      const source = (await members(seriesId)).find(({ event }) => event.id === eventId)!
      const changes = changesOf(source, ZONE).map(({ id }) => id)
      const ask = { eventId, scope: 'all' as const, changes, overwrite: [], seen: await seenOf(seriesId) }
      const applied = await applyChanges(paul(), ask)
      assert.ok(applied.ok)
      const addedTo = async (id: number) => (await shiftsOf(id)).find(({ label }) => label !== 'Desk')
      const [changed, other] = copies as [number, number]
      await change(changed, (await addedTo(changed))!.id)
      const counts = { undone: stays ? 1 : 2, left: stays ? 1 : 0 }
      assert.deepEqual(await undoStep(paul(), { step: applied.step }), { eventId, ...counts })
      assert.equal((await addedTo(changed)) !== undefined, stays)
      assert.equal(await addedTo(other), undefined)
      assert.equal((await addedTo(eventId))?.label, 'Late', 'the shift that was added by hand')
    })

  test('an event that ends now is not over, one that has ended stays', async () => {
    const { all } = await open()
    await write.updateTable('event').set({ active: true }).where('id', 'in', all).execute()
    const end = (await eventRow(all[1]!)).end_time!
    const at = (ms: number) => ({ ...paul(), now: new Date(end.getTime() + ms) })
    const late = await endFollowing(at(1), { eventId: all[0]!, end: { how: 'cancel', reason: 'Late' } })
    assert.deepEqual([late.ended, late.left], [1, 0])
    assert.deepEqual(
      (await Promise.all(all.map(eventRow))).map((row) => row.cancellation_reason),
      [null, null, 'Late'],
    )
  })

  test('copies say where they come from, and are refused to people who may not make them', async () => {
    const { eventId } = await create([input({ label: 'Desk' }), input({ label: 'Bar' })])
    const before = await write.selectFrom('event').select('id').execute()
    const hidden = (await world.addEvent({ responsible: [VERA], shifts: [{}] })).id
    const guest = { ...paul(), actor: { ...actor, kind: 'guest' } } as unknown as ReturnType<typeof paul>
    const choice = { source: '2031-06', target: '2031-07', months: 1, mapping: 'day' as const, type: undefined }
    const shiftId = (await shiftsOf(eventId))[0]!.id
    for (const [attempt, code] of [
      [() => duplicateEvent(contextOf(ANN), { eventId, dates: DATES }), denied],
      [() => duplicateEvent(guest, { eventId, dates: DATES }), denied],
      [() => duplicateEvent(paul(), { eventId: 0, dates: DATES }), gone],
      [() => duplicateEvent(paul(), { eventId: hidden, dates: DATES }), gone],
      [() => createSeries(contextOf(ANN), { eventId, chosen: single(DATES) }), denied],
      [() => createSeries(paul(), { eventId: hidden, chosen: single(DATES) }), gone],
      [() => copyShift(contextOf(ANN), { shiftId, dates: DATES }), denied],
      [() => copyShift(paul(), { shiftId: 0, dates: DATES }), gone],
      [() => copyMonth(contextOf(ANN), { choice, chosen: [] }), denied],
      [() => copyMonth(paul(), { choice, chosen: Array.from({ length: 401 }, () => ({}) as never) }), { code: 'invalid_input' }],
      [() => undoStep(paul(), { step: 0 }), gone],
    ] as const)
      await assert.rejects(async () => attempt(), code)
    assert.equal((await write.selectFrom('event').select('id').execute()).length, before.length + 1)
    const copies = await duplicateEvent(paul(), { eventId, dates: DATES })
    for (const [index, copy] of copies.entries()) {
      const row = await eventRow(copy)
      assert.deepEqual([row.active, row.title, row.created_by_id], [false, 'Harbour run', PAUL.id])
      const { kind, subject_id, changes } = await write
        .selectFrom('journal')
        .selectAll()
        .where('event_id', '=', copy)
        .executeTakeFirstOrThrow()
      const { copied_from, date, title } = changes as Record<string, unknown>
      assert.deepEqual(
        [kind, subject_id, copied_from, date, title],
        ['event.duplicated', copy, [null, eventId], [null, DATES[index]], [null, 'Harbour run']],
      )
    }
    const made = await copyShift(paul(), { shiftId, dates: ['2031-05-25', '2031-05-26'] })
    const rows = await write
      .selectFrom('journal')
      .select(['kind', 'subject_id'])
      .where('subject_kind', '=', 'shift')
      .where('subject_id', 'in', made)
      .orderBy('id')
      .execute()
    assert.deepEqual(
      rows,
      made.map((subject_id) => ({ kind: 'shift.created', subject_id })),
    )
    assert.deepEqual(await undoCopies(paul(), [...copies, eventId]), { undone: 2, left: 1 })
    for (const copy of copies) assert.notEqual((await eventRow(copy)).deleted_at, null)
  })
})
