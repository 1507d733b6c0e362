import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { deleteShift } from '#features/planning/planning/commands/removals.ts'
import { addShift, changeShift } from '#features/planning/planning/commands/shifts.ts'
import { findStoredShifts } from '#features/planning/planning/queries/shifts.ts'
import { GUARD, type Guard } from '#features/staffing/participations/commands/locks.ts'
import { transact } from '#platform/db/transaction.ts'
import { openTestDatabase } from '#test/support/database.ts'
import { ANN, BEN, PAUL } from '#test/support/people.ts'
import { openPlanning } from '#test/support/planning.ts'
import { input, times } from '#test/support/shift-input.ts'
import type { Session } from '../formats/programme-file.ts'
import { findLinks, getProgramme, loadPlan } from '../queries/programme.ts'
import { nextRequestAt, UNDO_MS } from '../rules/following.ts'
import { DEFAULT_OPTIONS } from '../rules/options.ts'
import { digestOf, newsDigest, peopleOf } from '../rules/plan.ts'
import { applyProgramme, MAX_NEW_SHIFTS } from './apply.ts'
import { storeFetched } from './follow.ts'
import { changeOptions, removeProgramme, setSource } from './source.ts'
import { undoProgramme } from './undo.ts'

const ZONE = 'Europe/Berlin'
const session = (key: string, start: string, end: string, more: Partial<Session> = {}): Session => ({
  key,
  title: `Talk ${key}`,
  room: 'Hall',
  track: '',
  type: '',
  start: new Date(`2031-06-07T${start}Z`).toISOString(),
  end: new Date(`2031-06-07T${end}Z`).toISOString(),
  ...more,
})
const fileOf = (sessions: Session[]) => ({ format: 'schedule_xml', title: 'Deich', content: { sessions, faults: [] } })
const TWO = [session('a', '08:00', '09:00'), session('b', '10:00', '11:00')]

describe('a programme', async () => {
  const { world, write, contextOf, create, kinds, lastChanges } = await openPlanning()
  let requests = 0
  const context = (more = {}) => ({ ...contextOf(PAUL), requestId: `programme-${++requests}`, ...more })
  const give = (eventId: number, sessions: Session[]) =>
    setSource(context(), { eventId, source: { kind: 'file', fileName: 'schedule.xml' }, file: fileOf(sessions) })
  const open = async (sessions = TWO) => {
    const { eventId, shiftIds } = await create([input({ label: 'Info desk' })])
    await give(eventId, sessions)
    return { eventId, desk: shiftIds[0]! }
  }
  const planOf = async (eventId: number, now = world.now) => {
    const programme = (await getProgramme(write, eventId))!
    return { programme, ...(await loadPlan(write, programme, { now, timeZone: ZONE })) }
  }
  type Choices = { overwrite?: number[]; remove?: number[]; again?: number[] }
  const apply = async (eventId: number, choices: Choices = {}, now = world.now) => {
    const { plan, programme } = await planOf(eventId, now)
    const seen = digestOf(plan, programme.options)
    return applyProgramme(context({ now }), { eventId, seen, overwrite: [], remove: [], again: [], ...choices })
  }
  const verdicts = async (eventId: number) => (await planOf(eventId)).plan.rows.map(({ verdict }) => verdict)
  const shown = async (eventId: number) =>
    (await findStoredShifts(write, eventId)).map(
      ({ label, times: { start, end } }) => `${label} ${start.toISOString().slice(11, 16)}–${end.toISOString().slice(11, 16)}`,
    )
  const shiftNamed = async (eventId: number, label: string) =>
    (await findStoredShifts(write, eventId)).find((each) => each.label === label)!
  const linkNamed = async (eventId: number, key: string) =>
    (await findLinks(write, eventId)).find(({ keys }) => keys.includes(key))!
  async function edit(eventId: number, label: string, more: object) {
    const shift = await shiftNamed(eventId, label)
    await changeShift(context(), { shiftId: shift.id, input: { ...shift, ...more }, version: {} })
  }

  test('changes nothing before it is applied, and makes shifts in one step then', async () => {
    const { eventId } = await open()
    assert.deepEqual(await shown(eventId), ['Info desk 06:00–10:00'])
    assert.deepEqual(await verdicts(eventId), ['new', 'new'])
    const outcome = await apply(eventId)
    assert.ok(outcome.ok)
    assert.deepEqual([outcome.created, outcome.changed, outcome.removed], [2, 0, 0])
    assert.deepEqual(await shown(eventId), ['Info desk 06:00–10:00', 'Talk a (Hall) 08:00–09:00', 'Talk b (Hall) 10:00–11:00'])
    assert.deepEqual((await kinds(eventId)).slice(-4), [
      'event.programme_read',
      'event.programme_applied',
      'shift.created',
      'shift.created',
    ])
    assert.deepEqual(await lastChanges(eventId, 'event.programme_applied'), {
      created: [null, 2],
      changed: [null, 0],
      removed: [null, 0],
    })
  })

  test('that is read again without a change changes nothing', async () => {
    const { eventId } = await open()
    await apply(eventId)
    const before = await findStoredShifts(write, eventId)
    await give(eventId, TWO)
    assert.deepEqual(await verdicts(eventId), ['same', 'same'])
    assert.deepEqual(await apply(eventId), { ok: false, reason: 'nothing' })
    assert.deepEqual(await findStoredShifts(write, eventId), before)
  })

  test('new shifts are like the pattern', async () => {
    const { eventId, desk } = await open()
    await edit(eventId, 'Info desk', { structureConfiguration: { maximum_number_of_participants: 7 } })
    await changeOptions(context(), { eventId, options: { ...DEFAULT_OPTIONS, pattern: desk, lead: 30 }, isAutomatic: true })
    assert.equal((await getProgramme(write, eventId))!.automaticById, null, 'files are not followed')
    await apply(eventId)
    const made = await shiftNamed(eventId, 'Talk a (Hall)')
    assert.deepEqual(
      [made.structureConfiguration, made.times.start.toISOString().slice(11, 16)],
      [{ maximum_number_of_participants: 7 }, '07:30'],
    )
  })

  test('new shifts like a coupled one have the people of its leader', async () => {
    const { eventId, desk } = await open()
    const times = {
      start: new Date('2031-06-07T17:00Z'),
      end: new Date('2031-06-07T18:00Z'),
      meeting: new Date('2031-06-07T17:00Z'),
    }
    const coupled = input({ label: 'Along', times, flowSlug: 'coupled', flowConfiguration: { leader_shift_id: desk } })
    const { shiftId } = await addShift(context(), { eventId, input: coupled, publish: false })
    await world.addParticipation({ who: ANN, shift: desk })
    await changeOptions(context(), { eventId, options: { ...DEFAULT_OPTIONS, pattern: shiftId }, isAutomatic: false })
    assert.ok((await apply(eventId)).ok)
    const made = await shiftNamed(eventId, 'Talk a (Hall)')
    assert.deepEqual([made.flowSlug, made.confirmed], ['coupled', 1])
  })

  test('moves and renames shifts; people who are signed up keep their place and are counted', async () => {
    const { eventId } = await open()
    await apply(eventId)
    await world.addParticipation({ who: ANN, shift: (await shiftNamed(eventId, 'Talk a (Hall)')).id })
    await give(eventId, [session('a', '12:00', '13:30'), session('b', '10:00', '11:00', { title: 'Tides' })])
    assert.deepEqual(await verdicts(eventId), ['changed', 'changed'])
    const outcome = await apply(eventId)
    assert.ok(outcome.ok)
    assert.deepEqual([outcome.changed, outcome.notified], [2, 1])
    assert.deepEqual(await shown(eventId), ['Info desk 06:00–10:00', 'Tides (Hall) 10:00–11:00', 'Talk a (Hall) 12:00–13:30'])
    assert.equal(peopleOf(await shiftNamed(eventId, 'Talk a (Hall)')), 1)
    const { start_time } = await lastChanges(eventId, 'shift.changed')
    assert.ok(start_time === undefined || Array.isArray(start_time))
  })

  test('keeps what was changed by hand until the planner overwrites it', async () => {
    const { eventId } = await open()
    await apply(eventId)
    await edit(eventId, 'Talk a (Hall)', { times: times('2031-06-07T08:15Z', '2031-06-07T09:00Z') })
    await give(eventId, [session('a', '14:00', '15:00'), TWO[1]!])
    assert.deepEqual(await verdicts(eventId), ['same', 'own'])
    const kept = await apply(eventId)
    assert.ok(kept.ok && kept.changed === 0)
    assert.deepEqual((await shown(eventId))[1], 'Talk a (Hall) 08:15–09:00')
    // Decided: not news any more, and still to be overwritten.
    assert.deepEqual(await apply(eventId), { ok: false, reason: 'nothing' })
    const { id } = await linkNamed(eventId, 'a')
    const outcome = await apply(eventId, { overwrite: [id] })
    assert.ok(outcome.ok && outcome.changed === 1)
    assert.deepEqual((await shown(eventId)).at(-1), 'Talk a (Hall) 14:00–15:00')
  })

  test('is applied if the planner keeps one own value of two that differ, and not if nothing was decided', async () => {
    const { eventId } = await open()
    await apply(eventId)
    for (const [label, start] of [
      ['Talk a (Hall)', '08:15'],
      ['Talk b (Hall)', '10:15'],
    ] as const)
      await edit(eventId, label, { times: times(`2031-06-07T${start}Z`, '2031-06-07T11:00Z') })
    assert.deepEqual(await apply(eventId), { ok: false, reason: 'nothing' }, 'the programme says what it said')
    await give(eventId, [session('a', '14:00', '15:00'), TWO[1]!])
    assert.deepEqual(await verdicts(eventId), ['own', 'own'])
    const kept = await apply(eventId)
    assert.ok(kept.ok)
    assert.deepEqual([kept.created, kept.changed, kept.removed, kept.left, kept.notified], [0, 0, 0, 0, 0])
  })

  test('deletes only what is ticked, with people or without', async () => {
    const { eventId } = await open()
    await apply(eventId)
    await world.addParticipation({ who: ANN, shift: (await shiftNamed(eventId, 'Talk a (Hall)')).id })
    await give(eventId, [])
    assert.deepEqual(await verdicts(eventId), ['removed', 'removed'])
    assert.deepEqual(await apply(eventId), { ok: false, reason: 'nothing' })
    const outcome = await apply(eventId, { remove: [(await linkNamed(eventId, 'b')).id] })
    assert.ok(outcome.ok && outcome.removed === 1)
    assert.deepEqual(await shown(eventId), ['Info desk 06:00–10:00', 'Talk a (Hall) 08:00–09:00'])
    assert.equal((await findLinks(write, eventId)).length, 1)
  })

  test('a shift that somebody signs up for while the preview is open is not deleted', async () => {
    const { eventId } = await open()
    await apply(eventId)
    await give(eventId, [TWO[1]!])
    const { plan, programme } = await planOf(eventId)
    const seen = digestOf(plan, programme.options)
    await world.addParticipation({ who: BEN, shift: (await shiftNamed(eventId, 'Talk a (Hall)')).id })
    const remove = [(await linkNamed(eventId, 'a')).id]
    const outcome = await applyProgramme(context(), { eventId, seen, overwrite: [], remove, again: [] })
    assert.deepEqual(outcome, { ok: false, reason: 'stale' })
    assert.equal((await findStoredShifts(write, eventId)).length, 3)
  })

  test('a shift that was deleted by hand is made again only on request', async () => {
    const { eventId } = await open()
    await apply(eventId)
    await deleteShift(context(), { shiftId: (await shiftNamed(eventId, 'Talk a (Hall)')).id })
    assert.deepEqual(await verdicts(eventId), ['deleted', 'same'])
    assert.deepEqual(await apply(eventId), { ok: false, reason: 'nothing' })
    const outcome = await apply(eventId, { again: [(await linkNamed(eventId, 'a')).id] })
    assert.ok(outcome.ok && outcome.created === 1)
    assert.deepEqual(await verdicts(eventId), ['same', 'same'])
  })

  test('the last shift of an event stays', async () => {
    const { eventId, desk } = await open([TWO[0]!])
    await apply(eventId)
    await deleteShift(context(), { shiftId: desk })
    await give(eventId, [])
    const outcome = await apply(eventId, { remove: [(await linkNamed(eventId, 'a')).id] })
    assert.ok(outcome.ok)
    assert.deepEqual([outcome.removed, outcome.left], [0, 1])
    assert.equal((await findLinks(write, eventId)).length, 1)
  })

  test('only those who may change the event apply it', async () => {
    const { eventId } = await open()
    const { plan, programme } = await planOf(eventId)
    const seen = digestOf(plan, programme.options)
    const byAnn = { ...contextOf(ANN), requestId: 'ann' }
    await assert.rejects(applyProgramme(byAnn, { eventId, seen, overwrite: [], remove: [], again: [] }), {
      name: /Problem|Error/,
    })
    assert.equal((await findStoredShifts(write, eventId)).length, 1)
  })

  test('a step is undone: new shifts go, moved ones go back, deleted ones return', async () => {
    const { eventId } = await open()
    await apply(eventId)
    const before = await shown(eventId)
    await give(eventId, [session('a', '12:00', '13:00'), session('c', '15:00', '16:00')])
    const outcome = await apply(eventId, { remove: [(await linkNamed(eventId, 'b')).id] })
    assert.ok(outcome.ok)
    assert.deepEqual(await shown(eventId), ['Info desk 06:00–10:00', 'Talk a (Hall) 12:00–13:00', 'Talk c (Hall) 15:00–16:00'])
    assert.deepEqual(await undoProgramme(context(), { eventId, step: outcome.step }), { ok: true, undone: 3, left: 0 })
    assert.deepEqual(await shown(eventId), before)
    assert.deepEqual(await verdicts(eventId), ['changed', 'new', 'removed'])
    assert.deepEqual(await undoProgramme(context(), { eventId, step: outcome.step }), { ok: false })
    // The programme as it was before gives the shifts as they are.
    await give(eventId, TWO)
    assert.deepEqual(await verdicts(eventId), ['same', 'same'])
  })

  test('undo leaves what changed since, and ends after a day', async () => {
    const { eventId } = await open()
    const outcome = await apply(eventId)
    assert.ok(outcome.ok)
    await world.addParticipation({ who: ANN, shift: (await shiftNamed(eventId, 'Talk a (Hall)')).id })
    await edit(eventId, 'Talk b (Hall)', { label: 'Own' })
    const late = context({ now: new Date(world.now.getTime() + UNDO_MS) })
    assert.deepEqual(await undoProgramme(late, { eventId, step: outcome.step }), { ok: false })
    assert.deepEqual(await undoProgramme(context(), { eventId, step: outcome.step }), { ok: true, undone: 0, left: 2 })
    assert.deepEqual(await verdicts(eventId), ['same', 'own'])
  })

  test('only the last step is undone', async () => {
    const { eventId } = await open()
    const first = await apply(eventId)
    assert.ok(first.ok)
    await give(eventId, [...TWO, session('c', '15:00', '16:00')])
    const second = await apply(eventId)
    assert.ok(second.ok)
    assert.deepEqual(await undoProgramme(context(), { eventId, step: first.step }), { ok: false })
    assert.equal((await shown(eventId)).length, 4)
    assert.deepEqual(await undoProgramme(context(), { eventId, step: second.step }), { ok: true, undone: 1, left: 0 })
  })

  test('shifts stay when the programme is no longer used', async () => {
    const { eventId } = await open()
    await apply(eventId)
    await removeProgramme(context(), { eventId })
    assert.equal((await findStoredShifts(write, eventId)).length, 3)
    assert.equal(await getProgramme(write, eventId), undefined)
  })

  test('what the programme says is stored with each shift, also where the planner keeps another value', async () => {
    const { eventId } = await open()
    const { eventId: elsewhere } = await open()
    assert.ok((await apply(elsewhere)).ok)
    const untouched = await findLinks(write, elsewhere)
    const links = async () =>
      (await findLinks(write, eventId)).map(({ id: _id, start, end, ...link }) => ({
        ...link,
        from: start.toISOString().slice(11, 16),
        to: end.toISOString().slice(11, 16),
      }))
    assert.ok((await apply(eventId)).ok)
    const shiftIds = [(await shiftNamed(eventId, 'Talk a (Hall)')).id, (await shiftNamed(eventId, 'Talk b (Hall)')).id]
    assert.deepEqual(await links(), [
      { shiftId: shiftIds[0], keys: ['a'], label: 'Talk a (Hall)', from: '08:00', to: '09:00' },
      { shiftId: shiftIds[1], keys: ['b'], label: 'Talk b (Hall)', from: '10:00', to: '11:00' },
    ])
    await edit(eventId, 'Talk a (Hall)', { times: times('2031-06-07T08:15Z', '2031-06-07T09:00Z') })
    await deleteShift(context(), { shiftId: shiftIds[1]! })
    const before = await findLinks(write, eventId)
    await give(eventId, [session('a', '14:00', '15:00', { title: 'Tides' }), session('b', '12:00', '13:00', { title: 'Waves' })])
    const { ok: _ok, step, ...done } = (await apply(eventId)) as { ok: true; step: number }
    assert.deepEqual(done, { created: 0, changed: 1, removed: 0, left: 0, notified: 0 })
    assert.deepEqual(await shown(eventId), ['Info desk 06:00–10:00', 'Tides (Hall) 08:15–09:00'])
    const a = { shiftId: shiftIds[0], keys: ['a'], label: 'Tides (Hall)', from: '14:00', to: '15:00' }
    assert.deepEqual(await links(), [a, { shiftId: null, keys: ['b'], label: 'Waves (Hall)', from: '12:00', to: '13:00' }])
    const { former } = (await getProgramme(write, eventId))!
    assert.deepEqual(former, {
      step,
      at: world.now.toISOString(),
      links: before.map(({ start, end, ...link }) => ({ ...link, start: start.toISOString(), end: end.toISOString() })),
    })
    await give(eventId, [session('a', '14:00', '15:00', { title: 'Tides' }), session('c', '16:00', '17:00')])
    assert.ok((await apply(eventId)).ok)
    const c = { shiftId: (await shiftNamed(eventId, 'Talk c (Hall)')).id, keys: ['c'], label: 'Talk c (Hall)' }
    assert.deepEqual(await links(), [a, { ...c, from: '16:00', to: '17:00' }])
    assert.deepEqual(await findLinks(write, elsewhere), untouched)
  })

  test('that asks for more shifts than are made at once is refused', async () => {
    const many = Array.from({ length: MAX_NEW_SHIFTS + 1 }, (_, index) => session(`s${index}`, '08:00', '09:00'))
    const { eventId } = await open(many)
    assert.deepEqual(await apply(eventId), { ok: false, reason: 'too_many' })
    assert.equal((await findStoredShifts(write, eventId)).length, 1)
    assert.equal((await kinds(eventId)).includes('event.programme_applied'), false)
  })

  test('a step that is undone leaves the shifts of the programme as they were before it, and those that stay as they are', async () => {
    const { eventId } = await open()
    await apply(eventId)
    const before = await findLinks(write, eventId)
    const next = [session('a', '12:00', '13:00'), session('c', '15:00', '16:00'), session('d', '17:00', '18:00')]
    const step = async () => {
      await give(eventId, next)
      const outcome = await apply(eventId, { remove: [(await linkNamed(eventId, 'b')).id] })
      assert.ok(outcome.ok)
      return outcome.step
    }
    const undo = (step: number) => undoProgramme(context(), { eventId, step })
    const first = await step()
    await write.updateTable('programme').set({ announced: 'before' }).where('event_id', '=', eventId).execute()
    assert.deepEqual(await undo(first), { ok: true, undone: 4, left: 0 })
    assert.deepEqual(await findLinks(write, eventId), before)
    const { former, announced } = (await getProgramme(write, eventId))!
    assert.deepEqual([former, announced], [null, null])
    const second = await step()
    const [a, c] = [await linkNamed(eventId, 'a'), await linkNamed(eventId, 'c')]
    await edit(eventId, 'Talk a (Hall)', { times: times('2031-06-07T12:30Z', '2031-06-07T13:00Z') })
    await edit(eventId, 'Talk c (Hall)', { label: 'Own' })
    assert.deepEqual(await undo(second), { ok: true, undone: 2, left: 2 })
    assert.deepEqual(
      (await findLinks(write, eventId)).toSorted((x, y) => x.id - y.id),
      [a, before[1]!, c].toSorted((x, y) => x.id - y.id),
    )
    assert.deepEqual(await lastChanges(eventId, 'event.programme_undone'), { step: [null, second] })
  })

  test('undo keeps a link without a shift if the shift was deleted by hand before the step', async () => {
    const { eventId } = await open()
    await apply(eventId)
    await deleteShift(context(), { shiftId: (await shiftNamed(eventId, 'Talk b (Hall)')).id })
    const before = await findLinks(write, eventId)
    await give(eventId, [session('a', '12:00', '13:00'), session('b', '14:00', '15:00')])
    const outcome = await apply(eventId)
    assert.ok(outcome.ok)
    assert.deepEqual(await undoProgramme(context(), { eventId, step: outcome.step }), { ok: true, undone: 1, left: 0 })
    assert.deepEqual(await findLinks(write, eventId), before)
  })

  describe('at an address', () => {
    const URL = 'https://programme.example/schedule.xml'
    const openAt = async () => {
      const { eventId } = await create([input({ label: 'Info desk' })])
      const source = { kind: 'address' as const, url: URL, etag: '"1"', lastModified: null }
      await setSource(context(), { eventId, source, file: fileOf(TWO) })
      await apply(eventId)
      return eventId
    }
    const fetched = (sessions: Session[]) => ({
      outcome: 'read' as const,
      file: fileOf(sessions),
      etag: '"2"',
      lastModified: null,
    })
    const byJob = (eventId: number, sessions: Session[], more: object = {}) =>
      storeFetched(context({ actor: { kind: 'anonymous' } }), { eventId, url: URL, fetched: fetched(sessions), ...more })
    const differences = async (eventId: number) =>
      (await kinds(eventId)).filter((kind) => kind === 'event.programme_differs').length

    test('planners are told once about the same differences', async () => {
      const eventId = await openAt()
      const moved = [session('a', '12:00', '13:00'), session('c', '15:00', '16:00')]
      await byJob(eventId, TWO)
      assert.equal(await differences(eventId), 0)
      await byJob(eventId, moved)
      await byJob(eventId, [...moved])
      assert.equal(await differences(eventId), 1)
      assert.deepEqual(await lastChanges(eventId, 'event.programme_differs'), {
        created: [null, 1],
        changed: [null, 1],
        removed: [null, 1],
      })
      await byJob(eventId, [moved[0]!, { ...moved[1]!, track: 'Main stage' }])
      assert.equal(await differences(eventId), 1, 'the file differs, but no shift does')
      await byJob(eventId, [session('a', '12:30', '13:00'), moved[1]!])
      assert.equal(await differences(eventId), 2)
      await byJob(eventId, TWO)
      assert.equal(await differences(eventId), 2, 'back as it was: nothing differs')
      assert.deepEqual((await shown(eventId)).length, 3)
    })

    test('times are applied automatically where no people are signed up, and nothing else', async () => {
      const eventId = await openAt()
      await world.addParticipation({ who: ANN, shift: (await shiftNamed(eventId, 'Talk a (Hall)')).id })
      const automatic = contextOf(PAUL).actor
      await byJob(
        eventId,
        [session('a', '12:00', '13:00'), session('b', '14:00', '15:00', { title: 'Tides' }), session('c', '16:00', '17:00')],
        { automatic },
      )
      assert.deepEqual(await shown(eventId), ['Info desk 06:00–10:00', 'Talk a (Hall) 08:00–09:00', 'Talk b (Hall) 14:00–15:00'])
      assert.deepEqual(await verdicts(eventId), ['changed', 'changed', 'new'])
      assert.deepEqual(await lastChanges(eventId, 'event.programme_followed'), { changed: [null, 1] })
      const { label, start, end } = await linkNamed(eventId, 'b')
      assert.deepEqual(
        [label, start.toISOString().slice(11, 16), end.toISOString().slice(11, 16)],
        ['Talk b (Hall)', '14:00', '15:00'],
      )
      const { former } = (await getProgramme(write, eventId))!
      assert.deepEqual(await undoProgramme(context(), { eventId, step: former!.step }), { ok: true, undone: 1, left: 0 })
      assert.equal((await shown(eventId))[2], 'Talk b (Hall) 10:00–11:00')
    })

    test('nothing is applied in the name of a person who may not change the event any more', async () => {
      const eventId = await openAt()
      await byJob(eventId, [session('a', '12:00', '13:00'), TWO[1]!], { automatic: contextOf(ANN).actor })
      assert.equal((await shown(eventId))[1], 'Talk a (Hall) 08:00–09:00')
    })

    test('an answer is stored as a whole, for its programme alone', async () => {
      const [eventId, other] = [await openAt(), await openAt()]
      const row = (id: number) => write.selectFrom('programme').selectAll().where('event_id', '=', id).executeTakeFirstOrThrow()
      const at = (ms: number) => new Date(world.now.getTime() + ms)
      const store = (ms: number, answer: Parameters<typeof storeFetched>[1]['fetched'], id = eventId) =>
        storeFetched(context({ now: at(ms), actor: { kind: 'anonymous' } }), { eventId: id, url: URL, fetched: answer })
      const due = (ms: number, failures = 0) => ({ next_at: nextRequestAt(at(ms), failures) })
      const success = (ms: number) => ({ ...due(ms), succeeded_at: at(ms), failure: null, failures: 0 })
      const [before, untouched] = [await row(eventId), await row(other)]
      const failure = { code: 'status' as const, value: '500' }
      await store(1, { outcome: 'failed', failure })
      const failed = { ...before, ...due(1, 1), failure, failures: 1, failed_at: at(1) }
      assert.deepEqual(await row(eventId), failed)
      await store(2, { outcome: 'unchanged' })
      const unchanged = { ...failed, ...success(2) }
      assert.deepEqual(await row(eventId), unchanged)
      const headers = { etag: '"2"', lastModified: 'today' }
      await store(3, { ...fetched(TWO), ...headers })
      const same = { ...unchanged, ...success(3), etag: '"2"', last_modified: 'today' }
      assert.deepEqual(await row(eventId), same, 'read before with the same sessions')
      const file = { ...fileOf([session('a', '12:00', '13:00')]), format: 'ical', title: 'Other' }
      await store(4, { ...fetched([]), etag: null, file })
      const changed = await row(eventId)
      const stored = { format: 'ical', title: 'Other', content: file.content, read_at: at(4) }
      assert.deepEqual(changed, {
        ...same,
        ...success(4),
        ...stored,
        etag: null,
        last_modified: null,
        announced: newsDigest((await planOf(eventId)).plan),
      })
      assert.notEqual(changed.announced, null)
      assert.deepEqual(await row(other), untouched)
      const { eventId: none } = await create([input()])
      await store(5, { outcome: 'unchanged' }, none)
      assert.equal(await getProgramme(write, none), undefined)
    })

    test('failures wait longer each time; a success ends it; an old address stores nothing', async () => {
      const eventId = await openAt()
      const failed = { outcome: 'failed' as const, failure: { code: 'unreachable' as const } }
      const hours = async () => ((await getProgramme(write, eventId))!.nextAt!.getTime() - world.now.getTime()) / 3600_000
      assert.equal(await hours(), 1)
      const waits: number[] = []
      for (let count = 0; count < 6; count++) {
        await storeFetched(context(), { eventId, url: URL, fetched: failed })
        waits.push(await hours())
      }
      assert.deepEqual(waits, [2, 4, 8, 16, 24, 24])
      await storeFetched(context(), { eventId, url: URL, fetched: { outcome: 'unchanged' } })
      assert.deepEqual([await hours(), (await getProgramme(write, eventId))!.failure], [1, null])
      await storeFetched(context(), { eventId, url: 'https://other.example/', fetched: fetched([]) })
      assert.equal((await getProgramme(write, eventId))!.content.sessions.length, 2)
    })
  })

  const db = openTestDatabase({ url: world.databaseUrl, reads: 2, writes: 4 })
  after(db.close)
  const waiting = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      db.read,
    )
    return rows[0]!.count
  }

  describe('a new version while a person signs up', () => {
    /** The person is locked, as at the beginning of a sign-up. Whether the event is free for the sign-up when the new version waits. */
    async function isEventFree(guard: Pick<Guard, 'lockPeople'>): Promise<boolean> {
      const { eventId } = await open()
      await apply(eventId)
      await world.addParticipation({ who: ANN, shift: (await shiftNamed(eventId, 'Talk a (Hall)')).id })
      let isDone = false
      const { stored, isFree } = await transact(db.write, async (tx) => {
        await GUARD.lockPeople(tx, [{ kind: 'local', id: ANN.id }])
        const wish = { eventId, url: '', fetched: { outcome: 'unchanged' as const } }
        const stored = storeFetched(context({ db: db.write }), wish, guard).finally(() => {
          isDone = true
        })
        while (!isDone && (await waiting()) === 0);
        return { stored, isFree: !isDone && (await GUARD.lockEvent(tx, eventId, { waits: false })) }
      })
      await stored
      return isFree
    }

    test('waits for the person before it locks the event, so that the two cannot wait for each other', async () => {
      assert.equal(await isEventFree(GUARD), true)
    })

    test('without the lock of people, it does not wait', async () => {
      assert.equal(await isEventFree({ lockPeople: async () => {} }), false)
    })
  })

  describe('two planners at once', () => {
    async function applyTwice(guard: Guard) {
      const { eventId } = await open()
      const { plan, programme } = await planOf(eventId)
      const wish = { eventId, seen: digestOf(plan, programme.options), overwrite: [], remove: [], again: [] }
      let other: Promise<unknown> | undefined
      const checked = async () => {
        let isDone = false
        other = applyProgramme(context({ db: db.write }), wish, guard).finally(() => {
          isDone = true
        })
        while (!isDone && (await waiting()) === 0);
      }
      const first = await applyProgramme(context({ db: db.write }), wish, { ...guard, checked })
      return { first, second: await other, shifts: (await findStoredShifts(write, eventId)).length }
    }

    test('the second one sees a new preview', async () => {
      const { first, second, shifts } = await applyTwice(GUARD)
      assert.ok(first.ok)
      assert.deepEqual(second, { ok: false, reason: 'stale' })
      assert.equal(shifts, 3)
    })

    test('without the lock of the event, every shift is made twice', async () => {
      const { shifts } = await applyTwice({ ...GUARD, lockEvent: async () => true })
      assert.equal(shifts, 5)
    })
  })
})
