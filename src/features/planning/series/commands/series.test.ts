import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { changeEvent } from '#features/planning/planning/commands/events.ts'
import { deleteShift } from '#features/planning/planning/commands/removals.ts'
import { addShift, changeShift } from '#features/planning/planning/commands/shifts.ts'
import { getPlannedEvent } from '#features/planning/planning/queries/events.ts'
import { findStoredShifts } from '#features/planning/planning/queries/shifts.ts'
import { transact } from '#platform/db/transaction.ts'
import { ANN, BEN, PAUL } from '#test/support/people.ts'
import { openPlanning } from '#test/support/planning.ts'
import { input, times } from '#test/support/shift-input.ts'
import { findSeriesEvents } from '../queries/series.ts'
import { changesOf, digestOf, type Scope } from '../rules/linking.ts'
import type { ChosenDates, Recurrence } from '../rules/recurrence.ts'
import { applyChanges, endFollowing } from './change.ts'
import { createSeries } from './link.ts'
import { changeRule } from './rule.ts'
import { undoStep } from './undo.ts'

const ZONE = 'Europe/Berlin'
/** Across the end of summer time on 26 October 2031. */
const DATES = ['2031-10-12', '2031-10-19', '2031-10-26', '2031-11-02']
const single = (dates: string[]): ChosenDates => ({ dates, faults: [], rule: undefined, singles: dates, skipped: [] })

describe('a series', async () => {
  const { world, write, contextOf, create, kinds, eventRow, shiftsOf } = await openPlanning()
  let requests = 0
  const context = () => ({ ...contextOf(PAUL), requestId: `series-${++requests}` })
  const actor = contextOf(PAUL).actor

  const DESK = input({ label: 'Desk', times: times('2031-10-05T08:00+02:00', '2031-10-05T12:00+02:00') })
  async function open(shifts = [DESK], dates = DATES) {
    const { eventId } = await create(shifts)
    const { seriesId, copies } = await createSeries(context(), { eventId, chosen: single(dates) })
    return { eventId, seriesId, copies, all: [eventId, ...copies] }
  }
  const members = (seriesId: number) => findSeriesEvents(write, actor, seriesId)
  const seenOf = async (seriesId: number) =>
    Object.fromEntries((await members(seriesId)).map((member) => [member.event.id, digestOf(member, ZONE)]))
  const own = async (seriesId: number, eventId: number) =>
    changesOf((await members(seriesId)).find(({ event }) => event.id === eventId)!, ZONE).map(({ id }) => id)
  async function edit(eventId: number, more: object) {
    const event = (await getPlannedEvent(write, actor, eventId))!
    await transact(write, (tx) => changeEvent(tx, context(), { eventId, input: { ...event, ...more }, version: {} }))
  }
  async function move(eventId: number, start: string, end: string, index = 0) {
    const shift = (await findStoredShifts(write, eventId))[index]!
    await changeShift(context(), { shiftId: shift.id, input: { ...shift, times: times(start, end) }, version: {} })
  }
  async function apply(seriesId: number, eventId: number, scope: Scope, more: { overwrite?: number[]; changes?: string[] } = {}) {
    const changes = more.changes ?? (await own(seriesId, eventId))
    return applyChanges(context(), { eventId, scope, changes, overwrite: more.overwrite ?? [], seen: await seenOf(seriesId) })
  }
  const starts = async (ids: number[]) =>
    (await Promise.all(ids.map(shiftsOf))).map(([shift]) => shift!.start_time.toISOString().slice(5, 16))
  const titles = async (ids: number[]) => (await Promise.all(ids.map(eventRow))).map(({ title }) => title)

  test('links the event and its copies, as drafts and without own changes, also across daylight saving', async () => {
    const { seriesId, copies, all } = await open()
    assert.deepEqual(
      (await members(seriesId)).map(({ event, date }) => [event.id, date]),
      [[all[0], '2031-10-05'], ...copies.map((id, index) => [id, DATES[index]])],
    )
    for (const id of all) assert.deepEqual(await own(seriesId, id), [])
    assert.deepEqual(await starts(all), ['10-05T06:00', '10-12T06:00', '10-19T06:00', '10-26T07:00', '11-02T07:00'])
    assert.ok((await Promise.all(copies.map(eventRow))).every(({ active }) => !active))
    assert.equal((await kinds(all[0]!)).at(-1), 'event.series_created')
  })

  const SCOPES: [Scope, number, boolean[]][] = [
    ['following', 0, [true, true, true, true, true]],
    ['following', 2, [false, false, true, true, true]],
    ['following', 4, [false, false, false, false, true]],
    ['all', 2, [true, true, true, true, true]],
  ]
  for (const [scope, from, wanted] of SCOPES)
    test(`${scope} from event ${from}`, async () => {
      const { seriesId, all } = await open()
      await edit(all[from]!, { title: 'New' })
      assert.deepEqual(await own(seriesId, all[from]!), ['event-title'])
      const outcome = await apply(seriesId, all[from]!, scope)
      assert.ok(outcome.ok)
      assert.equal(outcome.changed, wanted.filter(Boolean).length - 1)
      assert.deepEqual(
        await titles(all),
        wanted.map((is) => (is ? 'New' : 'Harbour run')),
      )
      assert.deepEqual(await own(seriesId, all[from]!), [])
    })

  test('moves shifts at local times, and people keep their places', async () => {
    const { seriesId, all } = await open()
    const [, , , fourth] = await Promise.all(all.map(shiftsOf))
    await world.addParticipation({ who: ANN, shift: fourth![0]!.id })
    await move(all[1]!, '2031-10-12T09:30+02:00', '2031-10-12T13:00+02:00')
    assert.ok((await apply(seriesId, all[1]!, 'following')).ok)
    assert.deepEqual(await starts(all), ['10-05T06:00', '10-12T07:30', '10-19T07:30', '10-26T08:30', '11-02T08:30'])
    const changed = await write
      .selectFrom('journal')
      .selectAll()
      .where('subject_id', '=', fourth![0]!.id)
      .where('kind', '=', 'shift.changed')
      .execute()
    assert.equal(changed.length, 1)
  })

  test('skips what was changed by hand in the same field, unless it is overwritten', async () => {
    const { seriesId, all } = await open()
    await edit(all[2]!, { title: 'Special', location: 'Hall' })
    await edit(all[1]!, { title: 'New' })
    const first = await apply(seriesId, all[1]!, 'following')
    assert.deepEqual(first.ok && [first.changed, first.skipped], [2, 1])
    assert.deepEqual(await titles(all), ['Harbour run', 'New', 'Special', 'New', 'New'])
    assert.deepEqual(await own(seriesId, all[2]!), ['event-title', 'event-location'])
    await edit(all[1]!, { title: 'Newer' })
    const second = await apply(seriesId, all[1]!, 'following', { overwrite: [all[2]!] })
    assert.deepEqual(second.ok && [second.changed, second.skipped], [3, 0])
    assert.deepEqual(await titles(all), ['Harbour run', 'Newer', 'Newer', 'Newer', 'Newer'])
    assert.deepEqual(await own(seriesId, all[2]!), ['event-location'])
    assert.equal((await eventRow(all[2]!)).location, 'Hall')
  })

  test('what an event says already counts as made by the series', async () => {
    const { seriesId, all } = await open()
    await edit(all[2]!, { title: 'New', location: 'Hall' })
    await edit(all[0]!, { title: 'New' })
    assert.deepEqual(await own(seriesId, all[2]!), ['event-title', 'event-location'])
    const outcome = await apply(seriesId, all[0]!, 'all')
    assert.deepEqual(outcome.ok && [outcome.changed, outcome.skipped, outcome.stale, outcome.notified], [3, 0, 0, 0])
    assert.deepEqual(await own(seriesId, all[2]!), ['event-location'])
  })

  test('adds and removes shifts, but not those with people', async () => {
    const { seriesId, all } = await open()
    const at = times('2031-10-05T13:00+02:00', '2031-10-05T15:00+02:00')
    const { shiftId } = await addShift(context(), {
      eventId: all[0]!,
      input: input({ label: 'Late', times: at }),
      publish: false,
    })
    assert.deepEqual(await own(seriesId, all[0]!), [`added-${shiftId}`])
    assert.ok((await apply(seriesId, all[0]!, 'all')).ok)
    const labels = async () => (await Promise.all(all.map(shiftsOf))).map((shifts) => shifts.map(({ label }) => label).join(' '))
    assert.deepEqual(await labels(), Array(5).fill('Desk Late'))
    for (const id of all) assert.deepEqual(await own(seriesId, id), [])
    await world.addParticipation({ who: BEN, shift: (await shiftsOf(all[3]!))[1]!.id })
    await deleteShift(context(), { shiftId })
    assert.deepEqual(await own(seriesId, all[0]!), [`removed-${shiftId}`])
    const idsBefore = (await shiftsOf(all[1]!)).map(({ id }) => id)
    const outcome = await apply(seriesId, all[0]!, 'all')
    assert.deepEqual(outcome.ok && [outcome.changed, outcome.skipped], [3, 1])
    assert.deepEqual(await labels(), ['Desk', 'Desk', 'Desk', 'Desk Late', 'Desk'])
    if (!outcome.ok) return
    assert.deepEqual(await undoStep(context(), { step: outcome.step }), { eventId: all[0], undone: 3, left: 0 })
    assert.deepEqual(await labels(), ['Desk', 'Desk Late', 'Desk Late', 'Desk Late', 'Desk Late'])
    assert.deepEqual(await own(seriesId, all[1]!), [])
    assert.deepEqual(
      (await shiftsOf(all[1]!)).map(({ id }) => id),
      idsBefore,
      'the same shift came back',
    )
  })

  test('coupled shifts follow the leader of their own event', async () => {
    const { seriesId, all } = await open([
      input({ label: 'Lead', times: times('2031-10-05T08:00+02:00', '2031-10-05T12:00+02:00') }),
      input({ label: 'Other', times: times('2031-10-05T12:00+02:00', '2031-10-05T14:00+02:00') }),
    ])
    const [lead, other] = await findStoredShifts(write, all[0]!)
    const coupled = { ...other!, flowSlug: 'coupled', flowConfiguration: { leader_shift_id: lead!.id } }
    await changeShift(context(), { shiftId: other!.id, input: coupled, version: {} })
    assert.ok((await apply(seriesId, all[0]!, 'following')).ok)
    const [first, second] = await findStoredShifts(write, all[2]!)
    assert.deepEqual([second!.flowSlug, second!.flowConfiguration.leader_shift_id], ['coupled', first!.id])
    assert.deepEqual(await own(seriesId, all[2]!), [])
  })

  test('an event that changed since the preview stays as it is', async () => {
    const { seriesId, all } = await open()
    await edit(all[0]!, { title: 'New' })
    const seen = await seenOf(seriesId)
    await edit(all[2]!, { description: 'Meanwhile' })
    const input = { eventId: all[0]!, scope: 'all' as const, changes: ['event-title'], overwrite: [], seen }
    const outcome = await applyChanges(context(), input)
    assert.deepEqual(outcome.ok && [outcome.changed, outcome.stale], [3, 1])
    assert.deepEqual(await titles(all), ['New', 'New', 'Harbour run', 'New', 'New'])
    await edit(all[0]!, { title: 'Newest' })
    assert.deepEqual(await applyChanges(context(), input), { ok: false, reason: 'stale' })
  })

  test('events that are over stay as they are', async () => {
    const { seriesId, all } = await open()
    await edit(all[4]!, { title: 'New' })
    const later = { ...context(), now: new Date('2031-10-20T00:00:00Z') }
    const seen = await seenOf(seriesId)
    await applyChanges(later, { eventId: all[4]!, scope: 'all', changes: ['event-title'], overwrite: [], seen })
    assert.deepEqual(await titles(all), ['Harbour run', 'Harbour run', 'Harbour run', 'New', 'New'])
  })

  test('undo restores values and marks, except where the event changed since', async () => {
    const { seriesId, all } = await open()
    await edit(all[2]!, { title: 'Special' })
    await edit(all[0]!, { title: 'New' })
    await move(all[0]!, '2031-10-05T10:00+02:00', '2031-10-05T14:00+02:00')
    const outcome = await apply(seriesId, all[0]!, 'all', { overwrite: [all[2]!] })
    assert.ok(outcome.ok)
    await edit(all[3]!, { title: 'Later' })
    assert.deepEqual(await undoStep(context(), { step: outcome.step }), { eventId: all[0], undone: 3, left: 1 })
    assert.deepEqual(await titles(all), ['New', 'Harbour run', 'Special', 'Later', 'Harbour run'])
    assert.deepEqual(await starts(all), ['10-05T08:00', '10-12T06:00', '10-19T06:00', '10-26T07:00', '11-02T07:00'])
    assert.deepEqual(await own(seriesId, all[2]!), ['event-title'])
    assert.equal((await own(seriesId, all[0]!)).length, 2)
    assert.deepEqual(await undoStep(context(), { step: outcome.step }), { eventId: all[0], undone: 0, left: 0 })
    await assert.rejects(undoStep({ ...contextOf(ANN), requestId: 'x' }, { step: outcome.step }), { code: 'not_found' })
  })

  test('this and following are cancelled or deleted, and come back', async () => {
    const { all } = await open()
    for (const id of all) await write.updateTable('event').set({ active: true }).where('id', '=', id).execute()
    const { step, ended } = await endFollowing(context(), { eventId: all[3]!, end: { how: 'cancel', reason: 'Storm' } })
    const cancelled = async () => (await Promise.all(all.map(eventRow))).map(({ cancelled_at }) => cancelled_at !== null)
    assert.deepEqual([ended, await cancelled()], [2, [false, false, false, true, true]])
    await undoStep(context(), { step })
    assert.deepEqual(await cancelled(), Array(5).fill(false))
    const deleted = await endFollowing(context(), { eventId: all[1]!, end: { how: 'delete' } })
    const binned = async () => (await Promise.all(all.map(eventRow))).map(({ deleted_at }) => deleted_at !== null)
    assert.deepEqual([deleted.ended, await binned()], [4, [false, true, true, true, true]])
    await undoStep(context(), { step: deleted.step })
    assert.deepEqual(await binned(), Array(5).fill(false))
  })

  test('cancelling this and following leaves drafts, and what was cancelled before keeps its reason', async () => {
    const { all } = await open()
    const publish = (id: number) => write.updateTable('event').set({ active: true }).where('id', '=', id).execute()
    for (const id of [all[2]!, all[3]!]) await publish(id)
    await endFollowing(context(), { eventId: all[3]!, end: { how: 'cancel', reason: 'Flood' } })
    await publish(all[4]!)
    const { ended, left } = await endFollowing(context(), { eventId: all[1]!, end: { how: 'cancel', reason: 'Storm' } })
    assert.deepEqual([ended, left], [2, 2])
    const reasons = (await Promise.all(all.map(eventRow))).map((row) => row.cancelled_at && row.cancellation_reason)
    assert.deepEqual(reasons, [null, null, 'Storm', 'Flood', 'Storm'])
  })

  test('a changed rule adds drafts, and removes events without people', async () => {
    const { seriesId, all } = await open()
    await world.addParticipation({ who: ANN, shift: (await shiftsOf(all[4]!))[0]!.id })
    const dates = ['2031-10-05', '2031-10-12', '2031-10-19', '2031-11-09']
    const { step, added, removed, kept } = await changeRule(context(), { eventId: all[1]!, chosen: single(dates) })
    assert.deepEqual([added.length, removed, kept], [1, 1, 1])
    assert.deepEqual(
      (await members(seriesId)).map(({ date }) => date),
      ['2031-10-05', '2031-10-12', '2031-10-19', '2031-11-02', '2031-11-09'],
    )
    assert.deepEqual(await own(seriesId, added[0]!), [])
    await edit(all[1]!, { title: 'New' })
    await move(all[1]!, '2031-10-12T09:00+02:00', '2031-10-12T12:00+02:00')
    assert.ok((await apply(seriesId, all[1]!, 'following')).ok)
    assert.deepEqual(await titles(added), ['New'])
    assert.deepEqual(await starts(added), ['11-09T08:00'])
    await undoStep(context(), { step })
    assert.equal((await eventRow(all[3]!)).deleted_at, null)
    assert.notEqual((await eventRow(added[0]!)).deleted_at, null)
  })

  test('its rule and exceptions are stored and come back; another series keeps its own', async () => {
    const [{ seriesId, all }, other] = [await open(), await open(undefined, DATES.slice(1))]
    const ruleOf = async (id: number) => {
      const { rows } =
        await sql`select start_date::text, rrule, exdates::text[], rdates::text[] from event_series where id = ${id}`.execute(
          write,
        )
      return rows[0] as { start_date: string; rrule: string | null; exdates: string[]; rdates: string[] }
    }
    const allOf = async (id: number) => [
      await ruleOf(id),
      await write.selectFrom('event_series_member').selectAll().where('series_id', '=', id).orderBy('event_id').execute(),
    ]
    const [before, others] = [await ruleOf(seriesId), await allOf(other.seriesId)]
    assert.deepEqual(before, { start_date: DATES[0], rrule: null, exdates: [], rdates: DATES })
    const rule: Recurrence = { first: '2031-10-05', every: 'week', interval: 1, end: { times: 4 } }
    const dates = ['2031-10-05', '2031-10-19', '2031-10-26', '2031-12-24']
    const chosen: ChosenDates = { dates, faults: [], rule, singles: ['2031-12-24'], skipped: ['2031-10-12'] }
    const { step } = await changeRule(context(), { eventId: all[0]!, chosen })
    const changed = await ruleOf(seriesId)
    assert.deepEqual(
      [changed.start_date, changed.exdates, changed.rdates, /FREQ=WEEKLY.*COUNT=4/.test(changed.rrule ?? '')],
      ['2031-10-05', ['2031-10-12'], ['2031-12-24'], true],
    )
    assert.deepEqual(await allOf(other.seriesId), others)
    await undoStep(context(), { step })
    assert.deepEqual(await ruleOf(seriesId), before)
    assert.deepEqual(await allOf(other.seriesId), others)
    await edit(all[0]!, { title: 'New' })
    assert.ok((await apply(seriesId, all[0]!, 'all')).ok)
    await endFollowing(context(), { eventId: all[1]!, end: { how: 'delete' } })
    assert.deepEqual(await allOf(other.seriesId), others)
    assert.deepEqual(await titles(other.all), Array(4).fill('Harbour run'))
  })

  test('a date whose event is in the bin gets a new one if the rule has it', async () => {
    const { seriesId, all } = await open()
    await endFollowing(context(), { eventId: all[4]!, end: { how: 'delete' } })
    const { added } = await changeRule(context(), { eventId: all[0]!, chosen: single(['2031-10-05', ...DATES]) })
    assert.equal(added.length, 1)
    assert.equal((await members(seriesId)).length, 5)
  })

  test('shifts that it removed come back when the step is taken back, with new ids if they are not stored any more', async () => {
    const at = (from: string, until: string) => times(`2031-10-05T${from}+02:00`, `2031-10-05T${until}+02:00`)
    const { eventId, seriesId, all } = await open([
      input({ label: 'Desk', times: at('08:00', '12:00') }),
      input({ label: 'Late', times: at('13:00', '15:00') }),
    ])
    const labels = async () => (await Promise.all(all.map(shiftsOf))).map((shifts) => shifts.map(({ label }) => label).join())
    const lates = async () =>
      (await Promise.all(all.map(shiftsOf))).map((shifts) => shifts.find(({ label }) => label === 'Late')?.id)
    const before = await lates()
    await deleteShift(context(), { shiftId: before[0]! })
    const changed = await apply(seriesId, eventId, 'all')
    assert.ok(changed.ok)
    assert.deepEqual(await labels(), Array(5).fill('Desk'))
    const told = write.selectFrom('journal').select('changes').where('id', '=', changed.step)
    assert.deepEqual((await told.executeTakeFirstOrThrow()).changes, { scope: [null, 'all'], fields: [null, ['removed']] })
    const [, second] = before
    await sql`delete from removed_shift where id <> ${second}`.execute(write)
    assert.deepEqual(await undoStep(context(), { step: changed.step }), { eventId, undone: 4, left: 0 })
    assert.deepEqual(await labels(), ['Desk', ...Array(4).fill('Desk,Late')])
    const after = await lates()
    assert.deepEqual(
      after.map((id, index) => id === before[index]),
      [false, true, false, false, false],
    )
    for (const id of all.slice(1)) assert.deepEqual(await own(seriesId, id), [])
    const former = await write.selectFrom('event_series_member').select('former').where('series_id', '=', seriesId).execute()
    assert.deepEqual(former, Array(5).fill({ former: null }))
    assert.deepEqual((await kinds(all[2]!)).slice(-2), ['shift.deleted', 'shift.created'])
  })

  test('only for those who may change the event', async () => {
    const { all } = await open()
    for (const act of [
      () => applyChanges(contextOf(ANN), { eventId: all[0]!, scope: 'all', changes: [], overwrite: [], seen: {} }),
      () => endFollowing(contextOf(ANN), { eventId: all[0]!, end: { how: 'delete' } }),
      () => changeRule(contextOf(ANN), { eventId: all[0]!, chosen: single(DATES) }),
    ])
      await assert.rejects(act(), { code: 'permission_denied' })
    const { eventId } = await create([input()])
    await assert.rejects(endFollowing(contextOf(PAUL), { eventId, end: { how: 'delete' } }), { code: 'not_found' })
  })
})
