import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { deleteShift } from '#features/planning/planning/commands/removals.ts'
import { changeShift } from '#features/planning/planning/commands/shifts.ts'
import { findStoredShifts } from '#features/planning/planning/queries/shifts.ts'
import { GUARD, type Guard } from '#features/staffing/participations/commands/locks.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { openTestDatabase } from '#test/support/database.ts'
import { ANN, BEN, PAUL } from '#test/support/people.ts'
import { openPlanning } from '#test/support/planning.ts'
import { input, times } from '#test/support/shift-input.ts'
import { getLastStep, UNDO_MS } from '../queries/steps.ts'
import { partsOf, printCells } from '../rules/cells.ts'
import type { CellTexts } from '../rules/columns.ts'
import { emptyRow, type TableRow, versionOf } from '../rules/rows.ts'
import { saveTable } from './save.ts'
import { undoTable } from './undo.ts'

const ZONE = 'Europe/Berlin'
const words = wordsFor('en', ZONE)
const reading = { from: '2031-05-01' }

describe('saving the shift table', async () => {
  const { world, write, contextOf, create, kinds, lastChanges } = await openPlanning()
  let requests = 0
  const context = (more: Partial<CommandContext> = {}) => ({ ...contextOf(PAUL), requestId: `table-${++requests}`, ...more })
  const rowsOf = async (eventId: number, edits: Record<string, CellTexts> = {}): Promise<TableRow[]> =>
    (await findStoredShifts(write, eventId)).map((shift, row) => {
      const printed = printCells(words, shift)
      const texts = { ...printed.texts, ...edits[shift.label] }
      return { ...emptyRow(), row, id: shift.id, seen: versionOf(partsOf(shift, ZONE)), ...printed, texts }
    })
  const fresh = (texts: CellTexts, row = 100): TableRow => ({ ...emptyRow(texts), row })
  const save = (
    eventId: number,
    rows: readonly TableRow[],
    more: { agreed?: string; isTrial?: boolean; patternId?: number } = {},
  ) => saveTable(context(), { eventId, rows, reading, agreed: '', patternId: undefined, ...more })
  const shown = async (eventId: number) =>
    (await findStoredShifts(write, eventId)).map(
      ({ label, times: { start, end } }) => `${label} ${start.toISOString().slice(5, 16)}–${end.toISOString().slice(11, 16)}`,
    )
  const two = async () => {
    const { eventId, shiftIds } = await create([
      input({ label: 'A' }),
      input({ label: 'B', times: times('2031-06-01T12:00+02:00', '2031-06-01T16:00+02:00') }),
    ])
    return { eventId, a: shiftIds[0]!, b: shiftIds[1]! }
  }

  const db = openTestDatabase({ url: world.databaseUrl, reads: 2, writes: 4 })
  after(db.close)

  /** Runs `act` after the check of another command, until it is done or waits for a lock. */
  function meanwhile<T>(act: () => Promise<T>) {
    let other: Promise<T> | undefined
    const waiting = async () => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        db.read,
      )
      return rows[0]!.count
    }
    const checked = async () => {
      let isDone = false
      other = act().finally(() => {
        isDone = true
      })
      while (!isDone && (await waiting()) === 0);
    }
    return { checked, result: () => other! }
  }

  test('makes, changes and deletes shifts with one entry each, and says how many', async () => {
    const { eventId } = await two()
    const rows = await rowsOf(eventId, { A: { start: '9', label: 'A2' } })
    const outcome = await save(eventId, [
      rows[0]!,
      { ...rows[1]!, isGone: true },
      fresh({ date: '2 Jun', start: '8', end: '12', label: 'C', min: '2' }),
    ])
    assert.ok(outcome.ok)
    assert.deepEqual(await shown(eventId), ['A2 06-01T07:00–10:00', 'C 06-02T06:00–10:00'])
    assert.deepEqual(await lastChanges(eventId, 'event.shifts_edited'), {
      created: [null, 1],
      changed: [null, 1],
      removed: [null, 1],
    })
    assert.deepEqual((await kinds(eventId)).slice(-4), ['event.shifts_edited', 'shift.created', 'shift.changed', 'shift.deleted'])
    const made = await write
      .selectFrom('shift')
      .selectAll()
      .where('event_id', '=', eventId)
      .where('label', '=', 'C')
      .executeTakeFirstOrThrow()
    assert.equal(made.missing, 2)
  })

  test('saves nothing if a cell is wrong', async () => {
    const { eventId } = await two()
    const rows = await rowsOf(eventId, { A: { label: 'A2' }, B: { end: 'late' } })
    const outcome = await save(eventId, [...rows, fresh({ date: '2 Jun' })])
    assert.ok(!outcome.ok && outcome.reason === 'faults')
    assert.deepEqual(
      outcome.faults.map(({ row, cell, code }) => `${row} ${cell} ${code}`),
      ['1 end not_a_time', '100 start missing', '100 end missing'],
    )
    assert.deepEqual(await shown(eventId), ['A 06-01T06:00–10:00', 'B 06-01T10:00–14:00'])
  })

  test('says that there is nothing to save, and keeps one shift', async () => {
    const { eventId } = await two()
    const rows = await rowsOf(eventId)
    assert.deepEqual(await save(eventId, rows), { ok: false, reason: 'nothing' })
    const gone = rows.map((row) => ({ ...row, isGone: true }))
    assert.deepEqual(await save(eventId, gone), { ok: false, reason: 'last_shift' })
    assert.equal((await shown(eventId)).length, 2)
    assert.ok((await save(eventId, [...gone, fresh({ date: '2 Jun', start: '8', end: '12' })])).ok)
    assert.equal((await shown(eventId)).length, 1)
  })

  test('takes rules of new shifts from the pattern', async () => {
    const { eventId, a } = await two()
    assert.ok((await save(eventId, [fresh({ date: '2 Jun', start: '8', end: '12', label: 'C' })], { patternId: a })).ok)
    const made = (await findStoredShifts(write, eventId)).find(({ label }) => label === 'C')!
    assert.equal(made.flowSlug, 'instant_confirmation')
  })

  test('is refused to people who do not plan the event', async () => {
    const { eventId } = await two()
    const rows = await rowsOf(eventId, { A: { label: 'A2' } })
    await assert.rejects(saveTable(contextOf(ANN), { eventId, rows, reading, agreed: '', patternId: undefined }), {
      code: 'permission_denied',
    })
    await assert.rejects(undoTable(contextOf(ANN), { eventId, step: 1 }), { code: 'permission_denied' })
  })

  describe('with people on the shifts', () => {
    const staffed = async () => {
      await write.deleteFrom('participation').execute()
      const made = await two()
      await world.addParticipation({ who: ANN, shift: made.a })
      await world.addParticipation({ who: ANN, shift: made.b })
      await world.addParticipation({ who: BEN, shift: made.b, state: 0 })
      return made
    }

    test('asks first, names them and the overlaps, and leaves no trace', async () => {
      const { eventId, a } = await staffed()
      const before = await kinds(eventId)
      const rows = await rowsOf(eventId, { A: { end: '13' } })
      const asked = await save(eventId, rows)
      assert.ok(!asked.ok && asked.reason === 'asks')
      assert.deepEqual(asked.effects.people, [{ shiftId: a, name: 'Ann', isConfirmed: true }])
      assert.deepEqual(
        asked.effects.conflicts.map(({ name, label, shiftId }) => [name, label, shiftId]),
        [['Ann', 'B', a]],
      )
      assert.equal(asked.effects.notified, 1)
      assert.deepEqual(await kinds(eventId), before)
      assert.deepEqual(await shown(eventId), ['A 06-01T06:00–10:00', 'B 06-01T10:00–14:00'])
      const saved = await save(eventId, rows, { agreed: asked.digest })
      assert.ok(saved.ok)
      assert.deepEqual((await shown(eventId))[0], 'A 06-01T06:00–11:00')
    })

    test('finds no overlap if both shifts move, and counts everybody once', async () => {
      const { eventId } = await staffed()
      const rows = await rowsOf(eventId, { A: { start: '9', end: '13' }, B: { start: '13', end: '17' } })
      const asked = await save(eventId, rows)
      assert.ok(!asked.ok && asked.reason === 'asks')
      assert.deepEqual(asked.effects.conflicts, [])
      assert.equal(asked.effects.notified, 2)
      assert.equal(asked.effects.people.length, 3)
    })

    test('asks again if somebody signed up after the preview', async () => {
      const { eventId, a } = await staffed()
      const rows = await rowsOf(eventId, { A: { start: '9' } })
      const asked = await save(eventId, rows, { isTrial: true })
      assert.ok(!asked.ok && asked.reason === 'asks')
      await world.addParticipation({ who: BEN, shift: a })
      const again = await save(eventId, rows, { agreed: asked.digest })
      assert.ok(!again.ok && again.reason === 'asks')
      assert.notEqual(again.digest, asked.digest)
    })

    test('asks before it deletes a shift, and says who is notified', async () => {
      const { eventId } = await staffed()
      const rows = await rowsOf(eventId)
      const asked = await save(eventId, [rows[0]!, { ...rows[1]!, isGone: true }])
      assert.ok(!asked.ok && asked.reason === 'asks')
      assert.deepEqual([asked.effects.notified, asked.effects.people.map(({ name }) => name)], [2, ['Ann', 'Ben']])
    })

    test('asks about a change that notifies nobody, too', async () => {
      const { eventId } = await staffed()
      const asked = await save(eventId, await rowsOf(eventId, { A: { max: '1' } }))
      assert.ok(!asked.ok && asked.reason === 'asks')
      assert.equal(asked.effects.notified, 0)
    })

    test('previews what nobody is affected by without saving', async () => {
      const { eventId } = await two()
      const asked = await save(eventId, await rowsOf(eventId, { A: { label: 'A2' } }), { isTrial: true })
      assert.ok(!asked.ok && asked.reason === 'asks')
      assert.equal((await shown(eventId))[0], 'A 06-01T06:00–10:00')
    })
  })

  describe('while another planner works', () => {
    test('keeps both changes of different parts, and reports those of the same part', async () => {
      const { eventId, a } = await two()
      const rows = await rowsOf(eventId, { A: { max: '5' } })
      const clash = await rowsOf(eventId, { A: { label: 'Mine' }, B: { label: 'B2' } })
      const [shift] = await findStoredShifts(write, eventId)
      await changeShift(context(), { shiftId: a, input: { ...shift!, label: 'Theirs' }, version: {} })
      assert.ok((await save(eventId, rows)).ok)
      assert.equal((await shown(eventId))[0], 'Theirs 06-01T06:00–10:00')
      const outcome = await save(eventId, clash)
      assert.ok(!outcome.ok && outcome.reason === 'conflicts')
      assert.deepEqual(
        outcome.conflicts.map(({ row, parts, current }) => [row, parts, current?.label]),
        [[0, ['label'], 'Theirs']],
      )
      assert.deepEqual((await shown(eventId))[1], 'B 06-01T10:00–14:00')
    })

    test('reports a shift that was deleted', async () => {
      const { eventId, a } = await two()
      const rows = await rowsOf(eventId, { A: { label: 'Mine' } })
      await deleteShift(context(), { shiftId: a })
      const outcome = await save(eventId, rows)
      assert.ok(!outcome.ok && outcome.reason === 'conflicts')
      assert.equal(outcome.conflicts[0]!.current, undefined)
    })

    async function saveTwice(guard: Guard) {
      const { eventId } = await two()
      const first = await rowsOf(eventId, { A: { label: 'First' } })
      const second = await rowsOf(eventId, { A: { label: 'Second' } })
      const run = (rows: TableRow[], used: Guard) =>
        saveTable(context({ db: db.write }), { eventId, rows, reading, agreed: '', patternId: undefined }, used)
      const { checked, result } = meanwhile(() => run(second, guard))
      assert.ok((await run(first, { ...guard, checked })).ok)
      return result()
    }

    test('the second one of two at once is told', async () => {
      const outcome = await saveTwice(GUARD)
      assert.ok(!outcome.ok && outcome.reason === 'conflicts')
    })
    test('without the lock of the event, the second one overwrites', async () => {
      assert.ok((await saveTwice({ ...GUARD, lockEvent: async () => true })).ok)
    })
  })

  describe('and taking it back', () => {
    test('restores what was changed, deleted and made', async () => {
      const { eventId } = await two()
      const before = await shown(eventId)
      const rows = await rowsOf(eventId, { A: { start: '9' } })
      const outcome = await save(eventId, [
        rows[0]!,
        { ...rows[1]!, isGone: true },
        fresh({ date: '2 Jun', start: '8', end: '12' }),
      ])
      assert.ok(outcome.ok)
      assert.deepEqual(await undoTable(context(), { eventId, step: outcome.step }), { ok: true, undone: 3, left: 0 })
      assert.deepEqual(await shown(eventId), before)
      assert.deepEqual(await undoTable(context(), { eventId, step: outcome.step }), { ok: false })
      assert.equal(await getLastStep(write, eventId, world.now), undefined)
    })
    async function undoTwice(guard: Guard) {
      const { eventId } = await two()
      const outcome = await save(eventId, await rowsOf(eventId, { A: { label: 'A2' } }))
      assert.ok(outcome.ok)
      const run = (used: Guard) => undoTable(context({ db: db.write }), { eventId, step: outcome.step }, used)
      const { checked, result } = meanwhile(() => run(guard))
      const first = await run({ ...guard, checked })
      return [first, await result()].map(({ ok }) => ok)
    }

    test('happens once if it is asked for twice at once', async () => {
      assert.deepEqual(await undoTwice(GUARD), [true, false])
    })
    test('without the lock of the event, it happens twice', async () => {
      assert.deepEqual(await undoTwice({ ...GUARD, lockEvent: async () => true }), [true, true])
    })
    test('leaves what was changed since', async () => {
      const { eventId, a } = await two()
      const outcome = await save(eventId, await rowsOf(eventId, { A: { label: 'A2' }, B: { label: 'B2' } }))
      assert.ok(outcome.ok)
      const [shift] = await findStoredShifts(write, eventId)
      await changeShift(context(), { shiftId: a, input: { ...shift!, label: 'A3' }, version: {} })
      assert.deepEqual(await undoTable(context(), { eventId, step: outcome.step }), { ok: true, undone: 1, left: 1 })
      assert.deepEqual(
        (await shown(eventId)).map((line) => line.split(' ')[0]),
        ['A3', 'B'],
      )
    })
    test('is possible for a day, and only for the last time', async () => {
      const { eventId } = await two()
      const first = await save(eventId, await rowsOf(eventId, { A: { label: 'A2' } }))
      const second = await save(eventId, await rowsOf(eventId, { B: { label: 'B2' } }))
      assert.ok(first.ok && second.ok)
      const at = (ms: number) => context({ now: new Date(world.now.getTime() + ms) })
      assert.deepEqual(await undoTable(context(), { eventId, step: first.step }), { ok: false })
      assert.deepEqual(await undoTable(at(UNDO_MS), { eventId, step: second.step }), { ok: false })
      assert.deepEqual((await getLastStep(write, eventId, world.now))?.by, 'Paul')
      assert.deepEqual(await undoTable(at(UNDO_MS - 1), { eventId, step: second.step }), { ok: true, undone: 1, left: 0 })
    })
  })
})
