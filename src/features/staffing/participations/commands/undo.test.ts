import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { Problem } from '#platform/http/problem.ts'
import { moveOnBoard } from '#test/support/board.ts'
import { contextAs } from '#test/support/command-context.ts'
import { addShift, type ShiftOptions } from '#test/support/fixtures.ts'
import { journalOf } from '#test/support/journal.ts'
import { ANN, BEN, HELPERS, PAUL, type Person } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { GUARD } from './locks.ts'
import { customize, decline, type MoveOutcome, signUp } from './sign-up.ts'
import { type UndoOutcome, undo } from './undo.ts'

const day = (hour: number, date = 4) => `2031-05-0${date}T${String(hour).padStart(2, '0')}:00:00Z`
const NOW = new Date('2031-05-01T10:00:00Z')
const INSTANT = {
  flow: 'instant_confirmation',
  flowConfiguration: { user_can_decline_confirmed: true, user_can_customize_signup_times: true },
}
const ONE_PLACE = { ...INSTANT, configuration: { maximum_number_of_participants: 1 } }

describe('undoing the own last step', async () => {
  const world = await openWorld()
  const as = (person: Person) => contextAs(world, person)
  beforeEach(async () => {
    world.now = NOW
    await world.db.write.deleteFrom('participation').execute()
  })
  const wait = (seconds: number) => {
    world.now = new Date(NOW.getTime() + seconds * 1000)
  }
  async function addEventShift(shift: ShiftOptions) {
    const { id, shifts } = await world.addEvent({
      seenBy: [HELPERS],
      responsible: [PAUL],
      shifts: [{ start: day(8), end: day(12), ...shift }],
    })
    return { id, shiftId: shifts[0]! }
  }
  const recordsOf = (shiftId: number) =>
    world.db.read
      .selectFrom('participation')
      .select([
        'id',
        'user_id',
        'state',
        'individual_start_time',
        'individual_end_time',
        'structure_data',
        'start_time',
        'end_time',
      ])
      .where('shift_id', '=', shiftId)
      .orderBy('id')
      .execute()
  const statsOf = (id: number) =>
    world.db.read
      .selectFrom('shift')
      .select(['requested_count', 'confirmed_count', 'missing', 'free'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  const entryOf = (outcome: MoveOutcome): number => {
    assert.ok(outcome.ok && outcome.entryId !== undefined)
    return outcome.entryId
  }
  const codeOf = (outcome: UndoOutcome) => {
    if (outcome.ok) return outcome.hasChanged ? 'undone' : 'nothing'
    return outcome.code === 'refused' ? outcome.reasons.map(({ code }) => code).join() : outcome.code
  }

  test('removes a new participation with its comment, and the journal says so', async () => {
    const { shiftId } = await addEventShift(INSTANT)
    const before = await statsOf(shiftId)
    const outcome = await signUp(as(ANN), { shiftId, comment: { text: 'hello', isPublic: true } })
    const entryId = entryOf(outcome)
    wait(59)
    assert.equal(codeOf(await undo(as(ANN), { shiftId, entryId })), 'undone')
    assert.deepEqual([await recordsOf(shiftId), await statsOf(shiftId)], [[], before])
    assert.equal((await world.db.read.selectFrom('participation_comment').select('id').execute()).length, 0)
    assert.ok(outcome.ok)
    const [signed, undone, ...more] = await journalOf(world, 'participation', outcome.participationId)
    assert.deepEqual([signed!.kind, undone!.kind, more], ['participation.signed_up', 'participation.undone', []])
    assert.deepEqual(undone!.changes, { state: [1, null], undone: entryId, shift_id: shiftId, user_id: ANN.id })
    assert.equal(codeOf(await undo(as(ANN), { shiftId, entryId })), 'nothing', 'a double click')
    assert.equal(codeOf(await undo(as(ANN), { shiftId, entryId: entryOf(await signUp(as(ANN), { shiftId })) })), 'undone')
  })

  test('restores state, times and wish after a decline and after a change of details', async () => {
    const { shiftId } = await addEventShift(INSTANT)
    const times = { start: new Date(day(9)), end: null }
    await signUp(as(ANN), { shiftId, details: { times } })
    const before = await recordsOf(shiftId)
    for (const move of [
      () => decline(as(ANN), { shiftId, comment: { text: 'ill', isPublic: false } }),
      () => customize(as(ANN), { shiftId, details: { times: { start: null, end: new Date(day(11)) } } }),
    ]) {
      const entryId = entryOf(await move())
      assert.notDeepEqual(await recordsOf(shiftId), before)
      assert.equal(codeOf(await undo(as(ANN), { shiftId, entryId })), 'undone')
      assert.deepEqual(await recordsOf(shiftId), before)
    }
    assert.equal((await statsOf(shiftId)).confirmed_count, 1)
  })

  test('also restores what a closed sign-up would no longer allow', async () => {
    const { shiftId } = await addEventShift({
      ...INSTANT,
      flowConfiguration: { user_can_decline_confirmed: true, signup_until: day(9, 1) },
    })
    await world.addParticipation({ who: ANN, shift: shiftId, state: 1 })
    world.now = new Date(day(8, 1))
    const outcome = await decline(as(ANN), { shiftId })
    assert.equal(codeOf(await undo(as(ANN), { shiftId, entryId: entryOf(outcome) })), 'undone')
  })

  test('is refused after a minute, after a change by others, and for entries of others', async () => {
    const { shiftId } = await addEventShift(INSTANT)
    const entryId = entryOf(await signUp(as(ANN), { shiftId }))
    await assert.rejects(undo(as(BEN), { shiftId, entryId }), Problem)
    const other = await addEventShift(INSTANT)
    await assert.rejects(undo(as(ANN), { shiftId: other.shiftId, entryId }), Problem)
    wait(61)
    assert.equal(codeOf(await undo(as(ANN), { shiftId, entryId })), 'late')
    wait(30)
    await moveOnBoard(as(PAUL), { shiftId, who: { kind: 'local', id: ANN.id }, to: 3 })
    assert.equal(codeOf(await undo(as(ANN), { shiftId, entryId })), 'changed')
    assert.equal((await recordsOf(shiftId))[0]!.state, 3)
  })

  test('is refused if the place is taken or the person is confirmed elsewhere by now', async () => {
    const { shiftId } = await addEventShift(ONE_PLACE)
    await signUp(as(ANN), { shiftId })
    const entryId = entryOf(await decline(as(ANN), { shiftId }))
    assert.ok((await signUp(as(BEN), { shiftId })).ok)
    assert.equal(codeOf(await undo(as(ANN), { shiftId, entryId })), 'full')
    assert.deepEqual((await recordsOf(shiftId)).map(({ state }) => state).sort(), [1, 2])

    await world.db.write.deleteFrom('participation').execute()
    const here = await addEventShift(INSTANT)
    const there = await addEventShift(INSTANT)
    await signUp(as(ANN), { shiftId: here.shiftId })
    const left = entryOf(await decline(as(ANN), { shiftId: here.shiftId }))
    await signUp(as(ANN), { shiftId: there.shiftId })
    assert.equal(codeOf(await undo(as(ANN), { shiftId: here.shiftId, entryId: left })), 'conflict')
  })

  /** Ann takes back her decline while Ben signs up for the same single place. */
  async function raceForPlace(lockEvent: typeof GUARD.lockEvent): Promise<number> {
    await world.db.write.deleteFrom('participation').execute()
    const { shiftId } = await addEventShift(ONE_PLACE)
    await signUp(as(ANN), { shiftId })
    const entryId = entryOf(await decline(as(ANN), { shiftId }))
    let bens: Promise<unknown> | undefined
    const guard = {
      ...GUARD,
      lockEvent,
      // Between check and write of the undo. With the lock, Ben's sign-up waits until the undo is committed.
      checked: async () => {
        bens = signUp(as(BEN), { shiftId }, { ...GUARD, lockEvent, checked: async () => {} }).catch(() => {})
        if (lockEvent !== GUARD.lockEvent) await bens
      },
    }
    await undo(as(ANN), { shiftId, entryId }, guard)
    await bens
    return (await recordsOf(shiftId)).filter(({ state }) => state === 1).length
  }
  test('does not overbook together with a sign-up', async () => assert.equal(await raceForPlace(GUARD.lockEvent), 1))
  test('twin: overbooks without the lock', async () => assert.equal(await raceForPlace(async () => true), 2))

  test('follows to coupled shifts', async () => {
    const { id, shiftId } = await addEventShift(INSTANT)
    const flowConfiguration = { leader_shift_id: shiftId }
    const follower = await addShift(world.db.write, id, { start: day(8, 5), end: day(9, 5), flow: 'coupled', flowConfiguration })
    const states = async () => (await recordsOf(follower)).map(({ state }) => state)
    const signed = await signUp(as(ANN), { shiftId })
    assert.deepEqual(await states(), [1])
    await undo(as(ANN), { shiftId, entryId: entryOf(signed) })
    assert.deepEqual([await states(), (await statsOf(follower)).confirmed_count], [[], 0])
    await signUp(as(ANN), { shiftId })
    wait(10)
    const declined = await decline(as(ANN), { shiftId })
    assert.deepEqual(await states(), [2])
    await undo(as(ANN), { shiftId, entryId: entryOf(declined) })
    assert.deepEqual([await states(), (await statsOf(follower)).confirmed_count], [[1], 1])
  })
})
