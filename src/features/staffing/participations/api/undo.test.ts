import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { ANN, BEN, HELPERS } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

describe('undo over the API', async () => {
  const world = await openWorld()
  const { now } = world
  const ann = world.as(ANN, 'ME_READ', 'ME_WRITE')
  beforeEach(async () => {
    world.now = now
    await world.db.write.deleteFrom('participation').execute()
  })
  const addShift = async () => {
    const flowConfiguration = { user_can_decline_confirmed: true }
    const event = await world.addEvent({ seenBy: [HELPERS], shifts: [{ flow: 'instant_confirmation', flowConfiguration }] })
    return event.shifts[0]!
  }
  const post = (shift: number, what: string, body: object = {}) => ann.post(`/api/shifts/${shift}/${what}/`, body)

  test('a sign-up, a decline and a change are taken back', async () => {
    const shift = await addShift()
    await post(shift, 'signup')
    assert.equal((await post(shift, 'undo')).status, 204)
    const signed = await post(shift, 'signup')
    const path = `/api/users/me/participations/${signed.body.id}/`
    await post(shift, 'decline', { comment: 'ill' })
    const back = await post(shift, 'undo')
    assert.deepEqual([back.status, back.body], [200, signed.body])
    await ann.patch(path, { start_time: '2031-05-04T08:30:00+02:00' }, '*')
    assert.deepEqual((await post(shift, 'undo')).body, signed.body)
    const again = await post(shift, 'undo')
    assert.deepEqual([again.status, again.body.errors[0].code], [409, 'nothing_to_undo'])
  })

  test('after a minute, or once somebody else has changed it, a step stays', async () => {
    const shift = await addShift()
    const { body } = await post(shift, 'signup')
    world.now = new Date(now.getTime() + 61_000)
    assert.equal((await post(shift, 'undo')).body.errors[0].code, 'undo_late')
    world.now = now
    const { rows } = {
      rows: await world.db.read.selectFrom('journal').select('event_id').where('subject_id', '=', body.id).execute(),
    }
    const entry = { kind: 'participation.moved', subject_kind: 'participation', subject_id: body.id, event_id: rows[0]!.event_id }
    await world.db.write
      .insertInto('journal')
      .values({ ...entry, actor_kind: 'user', actor_id: BEN.id, at: now, changes: '{}' })
      .execute()
    assert.equal((await post(shift, 'undo')).body.errors[0].code, 'undo_changed')
  })

  test('without a step of one’s own there is nothing to undo, and hidden shifts are not found', async () => {
    const shift = await addShift()
    assert.equal((await post(shift, 'undo')).body.errors[0].code, 'nothing_to_undo')
    const hidden = await world.addEvent({ seenBy: [BEN], shifts: [{}] })
    assert.equal((await post(hidden.shifts[0]!, 'undo')).status, 404)
  })
})
