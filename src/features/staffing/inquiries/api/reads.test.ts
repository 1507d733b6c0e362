import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ANN, BEN, HELPERS, OLGA, PAUL } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

describe('inquiries by the API', async () => {
  const world = await openWorld()
  const { write } = world.db
  const { shifts } = await world.addEvent({ seenBy: [HELPERS], responsible: [PAUL], shifts: [{}] })
  const [shift] = shifts as [number]
  const times = { asked_at: world.now, expires_at: new Date(world.now.getTime() + 3_600_000) }
  const inquiry = {
    shift_id: shift,
    created_by_id: PAUL.id,
    created_at: world.now,
    wanted: 2,
    was_short: true,
    message: 'Please',
  }
  const { id } = await write.insertInto('inquiry').values(inquiry).returning('id').executeTakeFirstOrThrow()
  const asked = { inquiry_id: id, wave: 1, ...times }
  await write
    .insertInto('inquiry_person')
    .values([
      { ...asked, user_id: ANN.id, position: 0, answer: 'cannot', answered_at: world.now, reason: 'Ill' },
      { ...asked, user_id: BEN.id, position: 1, wave: null, asked_at: null, expires_at: null },
    ])
    .execute()
  const path = `/api/shifts/${shift}/inquiries/`

  test('are those of the shift with the answers, in the order of asking', async () => {
    const { body } = await world.as(PAUL, 'CONFIDENTIAL_READ').get(path)
    const [found] = body.inquiries
    assert.deepEqual([body.id, found.id, found.message, found.wanted, found.end_reason], [shift, id, 'Please', 2, null])
    assert.equal(Date.parse(found.created_at), world.now.getTime())
    assert.deepEqual(
      found.people.map((one: Record<string, unknown>) => [one.user, one.answer, one.reason, one.asked_at !== null]),
      [
        [ANN.id, 'cannot', 'Ill', true],
        [BEN.id, null, '', false],
      ],
    )
    assert.equal((await world.as(OLGA, 'CONFIDENTIAL_READ').get(path)).text, JSON.stringify(body))
  })

  test('are for those who plan the event', async () => {
    assert.equal(await world.as(ANN, 'CONFIDENTIAL_READ').status(path), 403)
  })
})
