import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ANN, BEN } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { finishEndedShifts } from '../jobs.ts'

describe('after the end of a shift', async () => {
  const world = await openWorld()
  const past = { start: '2031-04-30T08:00:00Z', end: '2031-04-30T12:00:00Z' }
  const running = { start: '2031-05-01T08:00:00Z', end: '2031-05-01T12:00:00Z' }
  const rowsOf = (shift: number) =>
    world.db.read
      .selectFrom('participation')
      .select(['user_id', 'state', 'finished', 'version'])
      .where('shift_id', '=', shift)
      .orderBy('id')
      .execute()
  const finishedIn = async (shift: number) => (await rowsOf(shift)).map(({ finished }) => finished)
  const entriesOf = (shift: number) =>
    world.db.read
      .selectFrom('journal')
      .select(['changes', 'actor_kind'])
      .where('kind', '=', 'shift.finished')
      .where('subject_id', '=', shift)
      .orderBy('id')
      .execute()

  test('confirmed participations are finished once, and requests are not', async () => {
    const { shifts } = await world.addEvent({ shifts: [past] })
    const [shift] = shifts as [number]
    const ann = await world.addParticipation({ who: ANN, shift, state: 1 })
    await world.addParticipation({ who: BEN, shift, state: 0 })
    await finishEndedShifts(world.db.write, world.now)
    await finishEndedShifts(world.db.write, world.now)
    assert.deepEqual(await finishedIn(shift), [true, false])
    assert.deepEqual(await entriesOf(shift), [{ changes: { participations: [ann] }, actor_kind: 'system' }])
    // Boards that are open in a browser can still be saved.
    assert.deepEqual(
      (await rowsOf(shift)).map(({ version }) => version),
      [1, 1],
    )
    await world.db.write
      .updateTable('shift')
      .set({ end_time: new Date('2031-06-01T00:00:00Z') })
      .where('id', '=', shift)
      .execute()
    await world.db.write
      .updateTable('shift')
      .set({ end_time: new Date(past.end) })
      .where('id', '=', shift)
      .execute()
    await finishEndedShifts(world.db.write, world.now)
    assert.equal((await entriesOf(shift)).length, 1)
  })

  const UNTOUCHED: [what: string, event: object, participation: object][] = [
    ['a running shift', { shifts: [running] }, {}],
    ['a running shift that the person left earlier', { shifts: [running] }, { end: '2031-05-01T09:00:00Z' }],
    ['a person who stays longer than the shift', { shifts: [past] }, { end: '2031-05-01T18:00:00Z' }],
    ['a cancelled event', { shifts: [past], cancelled: true }, {}],
    ['a deleted event', { shifts: [past], deleted: true }, {}],
    ['a draft', { shifts: [past], draft: true }, {}],
  ]
  for (const [what, event, participation] of UNTOUCHED)
    test(`${what} is not finished`, async () => {
      const { shifts } = await world.addEvent(event)
      await world.addParticipation({ who: ANN, shift: shifts[0]!, ...participation })
      await finishEndedShifts(world.db.write, world.now)
      assert.deepEqual(await finishedIn(shifts[0]!), [false])
    })
})
