import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { actorOf } from '#test/support/command-context.ts'
import { ANN, BEN, HELPERS, NORD, PAUL, type Person, VERA } from '#test/support/people.ts'
import { openRecords } from '#test/support/records.ts'
import { findConflicts, findPeopleOn } from './conflicts.ts'
import { getLastStep, UNDO_MS } from './steps.ts'

describe('people on shifts of the table', async () => {
  const world = await openRecords()
  const { write } = world.db
  const at = (time: string) => `2031-05-20T${time}:00Z`
  const addShift = async (from: string, until: string, more: object = {}, event: object = {}) =>
    (await world.addEvent({ seenBy: [HELPERS], shifts: [{ start: at(from), end: at(until), ...more }], ...event })).shifts[0]!
  const put = (who: Person, shift: number, state: 0 | 1 | 2 = 1) => world.addParticipation({ who, shift, state })
  const helper = actorOf(ANN, { groupIds: [HELPERS.id] })
  const clear = () => write.deleteFrom('participation').execute()

  const CASES: [what: string, from: string, until: string, more: object, state: 0 | 1 | 2, event: object, isFound: boolean][] = [
    ['that begins before the end', '11:59', '13:00', {}, 1, {}, true],
    ['that begins at the end', '12:00', '13:00', {}, 1, {}, false],
    ['that ends after the beginning', '09:00', '10:01', {}, 1, {}, true],
    ['that ends at the beginning', '09:00', '10:00', {}, 1, {}, false],
    ['with a request', '10:00', '12:00', {}, 0, {}, false],
    ['that was declined', '10:00', '12:00', {}, 2, {}, false],
    ['of a cancelled event', '10:00', '12:00', {}, 1, { cancelled: true }, false],
    ['of a draft', '10:00', '12:00', {}, 1, { draft: true }, false],
  ]
  for (const [what, from, until, more, state, event, isFound] of CASES)
    test(`a shift ${what} is ${isFound ? 'a' : 'no'} conflict`, async () => {
      await clear()
      const own = await addShift('10:00', '12:00')
      const other = await addShift(from, until, more, event)
      await put(ANN, own)
      await put(ANN, other, state)
      await put(BEN, other)
      assert.equal((await findConflicts(write, helper, [own])).length, isFound ? 1 : 0)
      assert.deepEqual(await findConflicts(write, helper, []), [])
    })

  test('a conflict counts confirmed people alone, once for each pair, by name and time', async () => {
    await clear()
    const [first, second] = [await addShift('10:00', '12:00', { label: 'A' }), await addShift('11:00', '13:00', { label: 'B' })]
    const early = await addShift('09:00', '10:30', { label: 'C' }, { title: 'Fair', seenBy: [] })
    await put(VERA, first, 0)
    await put(VERA, second)
    const ids: Record<string, number> = {}
    for (const [who, shift] of [
      [BEN, first],
      [BEN, second],
      [BEN, early],
      [ANN, first],
      [ANN, second],
    ] as const)
      ids[`${who.name} ${shift}`] = await put(who, shift)
    const pair = (who: Person, a: number, b: number) => `${ids[`${who.name} ${a}`]} ${ids[`${who.name} ${b}`]}`
    const row = (who: Person, a: number, b: number, rest: object) => ({
      pair: pair(who, a, b),
      name: who.name,
      shiftId: a,
      ...rest,
    })
    const b = { title: 'Harbour run', label: 'B', start: new Date(at('11:00')), end: new Date(at('13:00')) }
    const hidden = { title: null, label: '', start: new Date(at('09:00')), end: new Date(at('10:30')) }
    // Ben takes part in the hidden event, so he sees it, unlike Ann.
    assert.deepEqual(await findConflicts(write, helper, [first, second]), [
      row(ANN, first, second, b),
      row(BEN, first, early, hidden),
      row(BEN, first, second, b),
    ])
    const ben = actorOf(BEN, { groupIds: [HELPERS.id] })
    const [, seen] = await findConflicts(write, ben, [first, second])
    assert.deepEqual([seen?.title, seen?.label], ['Fair', 'C'])
  })

  test('a shift that follows another is no conflict with it, but with others', async () => {
    await clear()
    const leader = await addShift('10:00', '12:00')
    const other = await addShift('10:00', '12:00')
    const coupled = { flow: 'coupled', flowConfiguration: { leader_shift_id: leader } }
    const follower = await addShift('10:00', '12:00', coupled)
    for (const shift of [leader, follower]) await put(ANN, shift)
    assert.deepEqual(await findConflicts(write, helper, [leader]), [])
    assert.deepEqual(await findConflicts(write, helper, [follower]), [])
    await put(ANN, other)
    assert.equal((await findConflicts(write, helper, [leader])).length, 1)
    assert.equal((await findConflicts(write, helper, [follower])).length, 1)
    await write.updateTable('shift').set({ signup_flow_slug: 'manual' }).where('id', '=', follower).execute()
    assert.equal((await findConflicts(write, helper, [leader])).length, 2)
  })

  test('people are named by kind, confirmed ones first, then by name', async () => {
    await clear()
    const [shift, other] = [await addShift('10:00', '12:00'), await addShift('10:00', '12:00')]
    await put(PAUL, shift, 0)
    await put(BEN, shift, 0)
    await put(VERA, shift, 2)
    await put(VERA, other)
    await world.addParticipation({ who: { placeholder: 'driver' }, shift, state: 1 })
    await world.addParticipation({ who: { visitor: { name: 'Zed' }, of: NORD }, shift, state: 1 })
    await world.addParticipation({ who: { guest: { name: 'Gus' } }, shift, state: 1 })
    await put(ANN, shift)
    assert.deepEqual(
      (await findPeopleOn(write, [shift])).map(({ name, isConfirmed, shiftId }) => [name, isConfirmed, shiftId]),
      [
        ['Ann', true, shift],
        ['driver', true, shift],
        ['Gus', true, shift],
        ['Zed', true, shift],
        ['Ben', false, shift],
        ['Paul', false, shift],
      ],
    )
    assert.deepEqual(await findPeopleOn(write, []), [])
  })

  test('the last step of an event is its own, for a day, and not one that was taken back', async () => {
    const [event, other] = [(await world.addEvent({})).id, (await world.addEvent({})).id]
    const log = async (kind: string, changes: object, eventId = event, actor: number | null = PAUL.id) =>
      write
        .insertInto('journal')
        .values({
          kind,
          subject_kind: 'event',
          subject_id: eventId,
          event_id: eventId,
          changes: JSON.stringify(changes),
          at: world.now,
          actor_kind: actor === null ? 'system' : 'user',
          actor_id: actor,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
    const last = (ms = 0, eventId = event) => getLastStep(write, eventId, new Date(world.now.getTime() + ms))
    assert.equal(await last(), undefined)
    const counts = { created: [null, 1], changed: [null, 2], removed: [null, 3] }
    const { id } = await log('event.shifts_edited', counts)
    await log('event.changed', {})
    const step = { id, at: world.now, by: 'Paul', created: 1, changed: 2, removed: 3 }
    assert.deepEqual(await last(), step)
    assert.deepEqual(await last(UNDO_MS - 1), step)
    assert.equal(await last(UNDO_MS), undefined)
    assert.equal(await last(0, other), undefined)
    const { id: second } = await log('event.shifts_edited', {}, event, null)
    assert.deepEqual(await last(), { id: second, at: world.now, by: null, created: 0, changed: 0, removed: 0 })
    await log('event.shifts_edit_undone', { step: [null, second] })
    assert.equal(await last(), undefined)
  })
})
