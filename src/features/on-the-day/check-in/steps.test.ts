import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { GUARD } from '#features/staffing/participations/commands/locks.ts'
import { contextAs } from '#test/support/command-context.ts'
import { ANN, BEN, HELPERS, NORD, PAUL, type Person } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { applyRealTimes, undoRealTimes } from './commands/apply.ts'
import { markPeople, type NewMark, resolveConflict } from './commands/marks.ts'
import { deleteOldMarks } from './commands/retention.ts'
import { saveCheckInSettings } from './commands/settings.ts'
import { addWalkIn } from './commands/walk-in.ts'
import { getLastRun } from './queries/results.ts'
import { findConflicts, findLoggedMarks, getStoredSettings, requireCheckInEvent } from './queries/roster.ts'
import { ownCheckInOf } from './queries/self.ts'

describe('steps of a check-in', async () => {
  const world = await openWorld()
  const { write } = world.db
  const start = new Date(world.now.getTime() + 30 * 60_000)
  const hours = (count: number) => new Date(start.getTime() + count * 3600_000)
  const addShift = async () => {
    const { id, shifts } = await world.addEvent({
      seenBy: [HELPERS],
      responsible: [PAUL],
      shifts: [{ start: start.toISOString(), end: hours(4).toISOString() }],
    })
    const places: number[] = []
    for (const who of [ANN, BEN]) places.push(await world.addParticipation({ who, shift: shifts[0]!, state: 1 }))
    return { event: id, shift: shifts[0]!, ann: places[0]!, ben: places[1]! }
  }
  let made: Awaited<ReturnType<typeof addShift>>
  beforeEach(async () => {
    await write.deleteFrom('attendance_mark').execute()
    made = await addShift()
  })
  const at = (now: Date, person: Person = PAUL) => ({ ...contextAs(world, person), now })
  const mark = (what: NewMark['mark'], more: Partial<NewMark> = {}): NewMark => ({
    id: randomUUID(),
    participationId: made.ann,
    base: null,
    madeAt: start,
    mark: what,
    ...more,
  })
  const arrived = (hour = 0): NewMark['mark'] => ({ kind: 'arrived', at: hours(hour) })
  const send = async (given: NewMark, { now = start, event = made.event } = {}) => {
    const [result] = await markPeople(at(now), event, [given], { source: 'device' })
    return result!.outcome === 'refused' ? result!.reason : result!.outcome
  }
  const marks = () => write.selectFrom('attendance_mark').selectAll().orderBy('received_at').orderBy('made_at').execute()

  test('real times lock everybody who is on the event and has an account, a visit or a link', async (t) => {
    await world.addParticipation({ who: { guest: { name: 'Gina' } }, shift: made.shift, state: 1 })
    await world.addParticipation({ who: { visitor: { name: 'Vic' }, of: NORD }, shift: made.shift, state: 1 })
    await world.addParticipation({ who: { placeholder: 'Tom' }, shift: made.shift, state: 1 })
    const lock = t.mock.method(GUARD, 'lockPeople')
    await applyRealTimes(at(hours(5)), made.event, 0)
    const [, people] = lock.mock.calls[0]!.arguments
    assert.deepEqual(people.map(({ kind }) => kind).sort(), ['guest', 'local', 'local', 'visitor'])
    assert.deepEqual(people.flatMap(({ kind, id }) => (kind === 'local' ? [id] : [])).sort(), [ANN.id, BEN.id].sort())
  })

  test('a mark that is sent again gets the same answer, whatever was decided since', async () => {
    const [first, same, other] = [mark(arrived()), mark(arrived()), mark({ kind: 'no_show' })]
    assert.deepEqual([await send(first), await send(same), await send(other)], ['applied', 'agreed', 'conflict'])
    const again = async () => [await send(first), await send(same), await send(other)]
    assert.deepEqual(await again(), ['applied', 'agreed', 'conflict'])
    await resolveConflict(at(start), made.event, { markId: other.id, takes: false })
    assert.deepEqual(await again(), ['applied', 'agreed', 'conflict'])
    assert.equal(await send({ ...first, participationId: made.ben }), 'unknown', 'the mark of another person')
    assert.equal((await marks()).length, 3)
  })

  test('a conflict that is taken counts as applied', async () => {
    await send(mark(arrived()))
    const other = mark({ kind: 'no_show' })
    await send(other)
    assert.equal(await resolveConflict(at(start), made.event, { markId: other.id, takes: true }), true)
    assert.equal(await send(other), 'applied')
  })

  test('a mark keeps what was before and what was asked, who made it, and when', async () => {
    const first = mark(arrived())
    await send(first)
    const left = mark({ kind: 'left', at: hours(-1) }, { madeAt: hours(1) })
    assert.equal(await send(left, { now: hours(2) }), 'conflict', 'left before the arrival that the device has not seen')
    const row = (await marks()).find(({ id }) => id === left.id)!
    assert.deepEqual(
      [row.kind, row.arrived_at, row.left_at, row.no_show, row.arrived_before, row.left_before, row.no_show_before],
      ['left', null, hours(-1), false, start, null, false],
    )
    assert.deepEqual(
      [row.by_id, row.source, row.made_at, row.received_at, row.outcome, row.participation_id],
      [PAUL.id, 'device', hours(1), hours(2), 'conflict', made.ann],
    )
  })

  test('events that do not take place have no check-in', async () => {
    const set = (values: object) => write.updateTable('event').set(values).where('id', '=', made.event).execute()
    for (const [off, on] of [
      [{ active: false }, { active: true }],
      [{ deleted_at: world.now }, { deleted_at: null }],
    ] as const) {
      await set(off)
      await assert.rejects(send(mark(arrived())))
      await assert.rejects(applyRealTimes(at(hours(8)), made.event, 0))
      await assert.rejects(requireCheckInEvent(at(start), made.event), { code: 'not_found' })
      await set(on)
    }
    assert.equal(await send(mark(arrived())), 'applied')
    await assert.rejects(applyRealTimes(at(hours(8), ANN), made.event, 0))
  })

  test('the log of marks names everybody, whoever they are', async () => {
    const others = [{ guest: { name: 'Gina' } }, { visitor: { name: 'Vic' }, of: NORD }, { placeholder: 'Tom' }]
    const places = [made.ann]
    for (const who of others) places.push(await world.addParticipation({ who, shift: made.shift, state: 1 }))
    for (const participationId of places) assert.equal(await send(mark(arrived(), { participationId })), 'applied')
    const logged = (await findLoggedMarks(write, made.event)).map(({ name, by }) => `${name} by ${by}`)
    assert.deepEqual(logged.sort(), ['Ann by Paul', 'Gina by Paul', 'Tom by Paul', 'Vic by Paul'])
  })

  test('the own check-in is for the confirmed person, if it is on or somebody has marked them', async () => {
    const own = async (who: Person) =>
      (await sql<{ own: object | null }>`select ${ownCheckInOf(sql`${made.ann}`, who.id)} as own`.execute(write)).rows[0]!.own
    assert.equal(await own(ANN), null)
    const settings = { is_active: true, minutes_before: 45, is_changing: true }
    await saveCheckInSettings(at(start), made.event, settings)
    const stored = await getStoredSettings(write, made.event)
    assert.deepEqual([stored?.isActive, stored?.minutesBefore, stored?.isChanging], [true, 45, true])
    assert.partialDeepStrictEqual(await own(ANN), { isActive: true, minutesBefore: 45, isChanging: true })
    assert.equal(await own(BEN), null)
    await saveCheckInSettings(at(start), made.event, { ...settings, is_active: false })
    assert.equal(await own(ANN), null)
    await send(mark(arrived()))
    assert.partialDeepStrictEqual(await own(ANN), { isActive: false })
    await write.updateTable('participation').set({ state: 0 }).where('id', '=', made.ann).execute()
    assert.equal(await own(ANN), null)
  })

  test('old marks are deleted, except undecided conflicts and those of the day itself', async () => {
    const [first, conflict] = [mark(arrived()), mark({ kind: 'no_show' })]
    await send(first)
    await send(conflict)
    const other = mark(arrived(), { participationId: made.ben })
    await send(other, { now: hours(1) })
    const left = async () => (await marks()).map(({ id }) => id)
    assert.equal(await deleteOldMarks(write, start), 0)
    assert.equal(await deleteOldMarks(write, hours(1)), 1)
    assert.deepEqual((await left()).sort(), [conflict.id, other.id].sort())
  })

  describe('real times', () => {
    const after = hours(8)
    const apply = () => applyRealTimes(at(after), made.event, 0)
    beforeEach(async () => {
      await send(mark(arrived(0.5)))
      await send(mark({ kind: 'no_show' }, { participationId: made.ben }))
    })
    const results = (run: number) =>
      write.selectFrom('attendance_result').selectAll().where('run_id', '=', run).orderBy('participation_id').execute()
    const absent = async (place: number) =>
      (await write.selectFrom('attendance').select('is_absent').where('participation_id', '=', place).executeTakeFirst())
        ?.is_absent

    test('are kept with what counted before', async () => {
      const { runId } = (await apply())!
      const rows = await results(runId)
      assert.deepEqual(
        rows.map((row) => [row.participation_id, row.start_before, row.start_after, row.absent_before, row.absent_after]),
        [
          [made.ann, null, hours(0.5), false, false],
          [made.ben, null, null, false, true],
        ],
      )
      assert.deepEqual([await absent(made.ann), await absent(made.ben)], [false, true])
      const run = await write.selectFrom('attendance_run').selectAll().where('id', '=', runId).executeTakeFirstOrThrow()
      assert.deepEqual([run.event_id, run.by_id, run.applied_at, run.undone_at], [made.event, PAUL.id, after, null])
      const { changes } = await write
        .selectFrom('journal')
        .select('changes')
        .where('kind', '=', 'event.real_times_applied')
        .where('event_id', '=', made.event)
        .executeTakeFirstOrThrow()
      assert.deepEqual(changes, { rounding: 0, participations: [made.ann, made.ben], absent: [made.ben] })
    })

    test('are undone for the event of the run, once', async () => {
      const { runId } = (await apply())!
      const other = await addShift()
      assert.equal(await undoRealTimes(at(after), other.event, runId), undefined)
      const last = await getLastRun(write, made.event)
      assert.deepEqual([last?.id, last?.by, last?.people, last?.appliedAt], [runId, PAUL.name, 2, after])
      assert.equal(await getLastRun(write, other.event), undefined)
      assert.deepEqual(await undoRealTimes(at(after), made.event, runId), { restored: 2, kept: 0 })
      assert.deepEqual([await absent(made.ann), await absent(made.ben)], [false, false])
      assert.equal(await getLastRun(write, made.event), undefined)
    })

    test('of a person who is not absent any more stay as they are', async () => {
      const { runId } = (await apply())!
      await write.updateTable('attendance').set({ is_absent: false }).where('participation_id', '=', made.ben).execute()
      assert.deepEqual(await undoRealTimes(at(after), made.event, runId), { restored: 1, kept: 1 })
      const { changes } = await write
        .selectFrom('journal')
        .select('changes')
        .where('kind', '=', 'event.real_times_undone')
        .where('event_id', '=', made.event)
        .executeTakeFirstOrThrow()
      assert.deepEqual(changes, { participations: [made.ann] })
    })
  })

  test('a conflict is decided by planners of its event', async () => {
    await send(mark(arrived()))
    await send(mark({ kind: 'no_show' }))
    const [conflict] = await findConflicts(write, [made.ann])
    const other = await addShift()
    const decide = (event: number, person: Person = PAUL) =>
      resolveConflict(at(start, person), event, { markId: conflict!.id, takes: true })
    assert.equal(await decide(other.event).catch(() => false), false)
    await assert.rejects(decide(made.event, ANN))
    assert.equal((await findConflicts(write, [made.ann])).length, 1)
    assert.equal(await decide(made.event), true)
  })

  test('somebody who was not on the list needs a name and a shift of the event', async () => {
    const other = await addShift()
    const add = (shiftId: number, name: string) => addWalkIn(at(start), made.event, { shiftId, name, markId: randomUUID() })
    assert.deepEqual(await add(other.shift, 'Jo'), { ok: false, reason: 'shift' })
    assert.deepEqual(await add(made.shift, ''), { ok: false, reason: 'name' })
    assert.deepEqual(await add(made.shift, 'Jo'), { ok: true })
    assert.deepEqual(await add(made.shift, 'Jo'), { ok: false, reason: 'known' })
    const [row] = await marks()
    assert.deepEqual([row?.kind, row?.arrived_at, row?.source], ['arrived', start, 'planner'])
  })
})
