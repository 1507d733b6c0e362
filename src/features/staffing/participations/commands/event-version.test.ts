import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { contextAs } from '#test/support/command-context.ts'
import { ANN, HELPERS } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { decline, signUp } from './sign-up.ts'

describe('the version of an event, by which its cached body is recognised', async () => {
  const world = await openWorld()
  const times = { start: '2031-06-01T08:00:00Z', end: '2031-06-01T12:00:00Z' }
  const shift = {
    ...times,
    flow: 'instant_confirmation',
    flowConfiguration: { user_can_decline_confirmed: true },
    configuration: { maximum_number_of_participants: 3 },
  }
  const addShift = async () => {
    const { id, shifts } = await world.addEvent({ seenBy: [HELPERS], shifts: [shift] })
    return { eventId: id, shiftId: shifts[0]! }
  }
  const read = (id: number) =>
    world.db.read
      .selectFrom('event')
      .select(['version', 'start_time', 'end_time', 'shift_count'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()

  test('increases once with a sign-up, which changes counts and statistics of the shift, and once with a decline', async () => {
    const { eventId, shiftId } = await addShift()
    const versions = [(await read(eventId)).version]
    for (const step of [signUp, decline]) {
      assert.equal((await step(contextAs(world, ANN, world.db), { shiftId })).ok, true)
      versions.push((await read(eventId)).version)
    }
    const [first] = versions
    assert.deepEqual(versions, [first, first! + 1, first! + 2])
  })

  test('a transaction that has changed the event already still writes new times and counts', async () => {
    const { eventId, shiftId } = await addShift()
    const before = await read(eventId)
    const later = { start: new Date('2031-06-01T09:00:00Z'), end: new Date('2031-06-01T15:00:00Z') }
    await world.db.write.transaction().execute(async (tx) => {
      await tx.updateTable('event').set({ title: 'Changed' }).where('id', '=', eventId).execute()
      await tx.updateTable('shift').set({ free: 3 }).where('id', '=', shiftId).execute()
      await tx.updateTable('shift').set({ start_time: later.start, end_time: later.end }).where('id', '=', shiftId).execute()
    })
    const changed = await read(eventId)
    assert.deepEqual([changed.start_time, changed.end_time], [later.start, later.end])
    assert.ok(changed.version > before.version)
    await world.db.write.transaction().execute(async (tx) => {
      await tx.updateTable('event').set({ title: 'Without shifts' }).where('id', '=', eventId).execute()
      await tx.deleteFrom('shift').where('id', '=', shiftId).execute()
    })
    const { start_time, end_time, shift_count } = await read(eventId)
    assert.deepEqual([start_time, end_time, shift_count], [null, null, 0])
  })

  test('a later transaction increases it again for a change of statistics alone', async () => {
    const { eventId, shiftId } = await addShift()
    const { version } = await read(eventId)
    for (const free of [3, 4]) await world.db.write.updateTable('shift').set({ free }).where('id', '=', shiftId).execute()
    assert.equal((await read(eventId)).version, version + 2)
  })
})
