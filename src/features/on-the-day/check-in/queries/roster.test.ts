import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { contextAs } from '#test/support/command-context.ts'
import { ANN, BEN, HELPERS, NORD, OLGA, PAUL, type Person, VERA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { applyRealTimes } from '../commands/apply.ts'
import { markPeople, resolveConflict } from '../commands/marks.ts'
import { renewCheckInCode, saveCheckInSettings } from '../commands/settings.ts'
import { findRealRows, getLastRun } from './results.ts'
import {
  findCheckInPeople,
  findCheckInShifts,
  findConflicts,
  findLoggedMarks,
  findOldMarks,
  getStoredSettings,
  requireCheckInEvent,
} from './roster.ts'
import { findOwnShifts, getCheckInLink } from './self.ts'

describe('lists of a check-in', async () => {
  const world = await openWorld()
  const { write } = world.db
  const start = new Date(world.now.getTime() + 3_600_000)
  const hours = (count: number) => new Date(start.getTime() + count * 3_600_000)
  const text = (count: number) => hours(count).toISOString()
  const context = (person: Person = PAUL, now = start) => ({ ...contextAs(world, person), now })
  const addEvent = (title: string) =>
    world.addEvent({
      title,
      location: 'Pier',
      seenBy: [HELPERS],
      responsible: [PAUL],
      shifts: [
        { label: 'Late', start: text(2), end: text(4), meeting: text(1) },
        { label: 'Early', start: text(1), end: text(4), meeting: text(0) },
        { label: 'Long', start: text(1), end: text(5), meeting: text(1) },
        { label: 'Also', start: text(2), end: text(4), meeting: text(1) },
      ],
    })
  const mark = async (event: number, participationId: number, kind: 'arrived' | 'no_show', person = PAUL, now = start) => {
    const id = randomUUID()
    const what = kind === 'arrived' ? { kind, at: start } : { kind }
    await markPeople(context(person, now), event, [{ id, participationId, mark: what, base: null, madeAt: start }], {
      source: 'planner',
    })
    return id
  }

  const event = await addEvent('Regatta')
  const [late, early, long, also] = event.shifts as [number, number, number, number]
  const place = (who: Parameters<typeof world.addParticipation>[0]['who'], shift: number, state: 0 | 1 | 2 | 3 = 1) =>
    world.addParticipation({ who, shift, state })
  const ann = await world.addParticipation({ who: ANN, shift: late, state: 1, start: text(2.5) })
  const visitor = await place({ visitor: { name: 'anna' }, of: NORD }, late)
  const guest = await place({ guest: { name: 'Gina' } }, late)
  const tom = await place({ placeholder: 'Tom' }, late)
  const ben = await place(BEN, early)
  await place(BEN, late, 0)
  await place(OLGA, late, 2)
  await place(VERA, long, 3)
  const other = await addEvent('Other')
  const elsewhere = await place(ANN, other.shifts[0]!)

  test('shifts come by meeting, start and id; those of other events do not', async () => {
    assert.deepEqual(
      (await findCheckInShifts(write, event.id)).map(({ id, label }) => [id, label]),
      [
        [early, 'Early'],
        [long, 'Long'],
        [late, 'Late'],
        [also, 'Also'],
      ],
    )
    assert.deepEqual((await findCheckInShifts(write, event.id))[0], {
      id: early,
      label: 'Early',
      meeting: start,
      start: hours(1),
      end: hours(4),
    })
  })

  test('the confirmed people of shifts come by name, whoever they are, with their own times and phone', async () => {
    const people = await findCheckInPeople(write, [late])
    const nothing = { arrivedAt: null, leftAt: null, noShow: false, markId: null, previous: null, source: null }
    const common = { shiftId: late, start: hours(2), end: hours(4), phone: null, ...nothing }
    assert.deepEqual(people, [
      { ...common, id: ann, kind: 'local', name: 'Ann', phone: ANN.phone, start: hours(2.5) },
      { ...common, id: visitor, kind: 'visitor', name: 'anna' },
      { ...common, id: guest, kind: 'guest', name: 'Gina' },
      { ...common, id: tom, kind: 'placeholder', name: 'Tom' },
    ])
    assert.deepEqual(
      (await findCheckInPeople(write, [late, early])).map(({ id }) => id),
      [ann, visitor, ben, guest, tom],
    )
    assert.deepEqual(await findCheckInPeople(write, []), [])
    const real = await findRealRows(write, event.id)
    assert.deepEqual(
      real.map(({ id, shiftId, kind, name, label }) => [id, shiftId, kind, name, label]),
      [
        [ben, early, 'local', 'Ben', 'Early'],
        [ann, late, 'local', 'Ann', 'Late'],
        [visitor, late, 'visitor', 'anna', 'Late'],
        [guest, late, 'guest', 'Gina', 'Late'],
        [tom, late, 'placeholder', 'Tom', 'Late'],
      ],
    )
    assert.deepEqual([real[0]!.personId, real[1]!.personId, real[4]!.personId], [BEN.id, ANN.id, null])
    const {
      individualStart,
      individualEnd,
      start: from,
      end,
      shiftStart,
      shiftEnd,
      arrivedAt,
      leftAt,
      noShow,
      isAbsent,
    } = real[1]!
    assert.deepEqual(
      [individualStart, individualEnd, from, end, shiftStart, shiftEnd, arrivedAt, leftAt, noShow, isAbsent],
      [hours(2.5), null, hours(2.5), hours(4), hours(2), hours(4), null, null, false, false],
    )
  })

  test('own shifts are the confirmed ones of the person in the event, by start, with the last mark', async () => {
    await place(ANN, early, 0)
    const second = await place(ANN, long)
    const own = await findOwnShifts(write, event.id, ANN.id)
    assert.deepEqual(
      own.map(({ participationId, label, from, start: begins, end, isOwnMark, markId }) => ({
        participationId,
        label,
        from,
        begins,
        end,
        isOwnMark,
        markId,
      })),
      [
        {
          participationId: second,
          label: 'Long',
          from: hours(1),
          begins: hours(1),
          end: hours(5),
          isOwnMark: false,
          markId: null,
        },
        {
          participationId: ann,
          label: 'Late',
          from: hours(2.5),
          begins: hours(2.5),
          end: hours(4),
          isOwnMark: false,
          markId: null,
        },
      ],
    )
    assert.deepEqual(await findOwnShifts(write, event.id, OLGA.id), [])
    await write.deleteFrom('participation').where('id', '=', second).execute()
    await write.deleteFrom('participation').where('user_id', '=', ANN.id).where('state', '=', 0).execute()
  })

  test('conflicts wait for a decision, the oldest first; the log has every mark of the event, the newest first', async () => {
    const minute = (count: number) => new Date(start.getTime() + count * 60_000)
    const first = await mark(event.id, ann, 'arrived')
    const agreed = await mark(event.id, ann, 'arrived', OLGA, minute(1))
    const later = await mark(event.id, ann, 'no_show', OLGA, minute(3))
    const sooner = await mark(event.id, ann, 'no_show', PAUL, minute(2))
    const ofTom = await mark(event.id, tom, 'no_show', PAUL, minute(4))
    const outside = await mark(other.id, elsewhere, 'arrived')
    const conflicts = await findConflicts(write, [ann, tom])
    assert.deepEqual(conflicts, [
      {
        id: sooner,
        participationId: ann,
        arrivedAt: null,
        leftAt: null,
        noShow: true,
        by: 'Paul',
        source: 'planner',
        madeAt: start,
      },
      {
        id: later,
        participationId: ann,
        arrivedAt: null,
        leftAt: null,
        noShow: true,
        by: 'Olga',
        source: 'planner',
        madeAt: start,
      },
    ])
    assert.deepEqual(await findConflicts(write, [tom]), [])
    await resolveConflict(context(OLGA), event.id, { markId: sooner, takes: false })
    await write.updateTable('attendance_mark').set({ by_id: null }).where('id', '=', agreed).execute()
    const log = await findLoggedMarks(write, event.id)
    assert.deepEqual(
      log.map(({ id, name, label, by, outcome, resolvedBy }) => [id, name, label, by, outcome, resolvedBy]),
      [
        [ofTom, 'Tom', 'Late', 'Paul', 'applied', null],
        [later, 'Ann', 'Late', 'Olga', 'conflict', null],
        [sooner, 'Ann', 'Late', 'Paul', 'dismissed', 'Olga'],
        [agreed, 'Ann', 'Late', null, 'agreed', null],
        [first, 'Ann', 'Late', 'Paul', 'applied', null],
      ],
    )
    assert.deepEqual(
      (await findLoggedMarks(write, other.id)).map(({ id }) => id),
      [outside],
    )
    const [shown] = await findCheckInPeople(write, [late])
    assert.deepEqual(
      [shown!.arrivedAt, shown!.markId, shown!.source, shown!.previous],
      [start, first, 'planner', { arrivedAt: null, leftAt: null, noShow: false }],
    )
    assert.deepEqual(await findOldMarks(write, start), { count: 0, oldest: null })
    assert.deepEqual(await findOldMarks(write, minute(4)), { count: 4, oldest: start }, 'the undecided conflict does not count')
  })

  test('the last run of an event that is not undone counts its people', async () => {
    assert.equal(await getLastRun(write, event.id), undefined)
    const run = await applyRealTimes(context(PAUL, hours(6)), event.id, 0)
    assert.ok(run)
    assert.deepEqual(await getLastRun(write, event.id), { id: run.runId, appliedAt: hours(6), by: 'Paul', people: run.changed })
    assert.equal(run.changed, 2, 'Ann and Tom')
    assert.equal(await getLastRun(write, other.id), undefined)
    await write
      .updateTable('attendance_run')
      .set({ undone_at: hours(7) })
      .where('id', '=', run.runId)
      .execute()
    assert.equal(await getLastRun(write, event.id), undefined)
  })

  test('settings are those of the event, are logged by what changed, and a new code ends the old one', async () => {
    const [one, two] = [await addEvent('One'), await addEvent('Two')]
    const settings = { is_active: true, minutes_before: 30, is_changing: false }
    assert.equal(await renewCheckInCode(context(), one.id), false)
    for (const { id } of [one, two]) await saveCheckInSettings(context(), id, settings)
    await saveCheckInSettings(context(), one.id, settings)
    await saveCheckInSettings(context(), one.id, { ...settings, minutes_before: 45, is_changing: true })
    const tokenOf = async (id: number) => world.app.site.keyring.unseal((await getStoredSettings(write, id))!.tokenSealed)
    const { tokenSealed, ...stored } = (await getStoredSettings(write, one.id))!
    assert.ok(tokenSealed)
    assert.deepEqual(stored, { isActive: true, minutesBefore: 45, isChanging: true })
    const { tokenSealed: _, ...untouched } = (await getStoredSettings(write, two.id))!
    assert.deepEqual(untouched, { isActive: true, minutesBefore: 30, isChanging: false })
    const [old, ofTwo] = [await tokenOf(one.id), await tokenOf(two.id)]
    const link = { eventId: one.id, title: 'One', location: 'Pier', isActive: true, isChanging: true, minutesBefore: 45 }
    assert.deepEqual(await getCheckInLink(write, old), link)
    assert.equal(await renewCheckInCode(context(), one.id), true)
    assert.equal(await getCheckInLink(write, old), undefined)
    assert.deepEqual(await getCheckInLink(write, await tokenOf(one.id)), link)
    assert.equal(await tokenOf(two.id), ofTwo)
    const journal = await write
      .selectFrom('journal')
      .select(['kind', 'changes'])
      .where('event_id', '=', one.id)
      .where('kind', 'like', 'event.check_in%')
      .orderBy('id')
      .execute()
    assert.deepEqual(
      journal.map(({ kind, changes }) => [kind, changes]),
      [
        ['event.check_in_changed', { is_active: [null, true], minutes_before: [null, 30], is_changing: [null, false] }],
        ['event.check_in_changed', { minutes_before: [30, 45], is_changing: [false, true] }],
        ['event.check_in_code_renewed', {}],
      ],
    )
    for (const refused of [
      () => saveCheckInSettings(context(ANN), one.id, settings),
      () => renewCheckInCode(context(ANN), one.id),
      () => requireCheckInEvent(context(ANN), one.id),
    ])
      await assert.rejects(refused, { code: 'permission_denied' })
    assert.deepEqual(await requireCheckInEvent(context(), one.id), {
      id: one.id,
      title: 'One',
      location: 'Pier',
      start: hours(1),
      end: hours(5),
      isCancelled: false,
    })
    await write
      .updateTable('event')
      .set({ cancelled_at: world.now, cancellation_reason: 'Storm' })
      .where('id', '=', two.id)
      .execute()
    assert.equal(await getCheckInLink(write, ofTwo), undefined, 'a cancelled event takes nobody')
    assert.equal((await requireCheckInEvent(context(), two.id)).isCancelled, true)
    await write.updateTable('event').set({ deleted_at: world.now }).where('id', '=', one.id).execute()
    await assert.rejects(saveCheckInSettings(context(), one.id, settings), { code: 'not_found' })
  })
})
