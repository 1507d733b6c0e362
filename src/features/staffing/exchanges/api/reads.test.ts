import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ANN, BEN, HELPERS, PAUL, type Person } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

describe('stand-ins and swaps by the API', async () => {
  const world = await openWorld()
  const { write } = world.db
  const first = await world.addEvent({ title: 'First', seenBy: [HELPERS], responsible: [PAUL], shifts: [{}] })
  // Paul plans the first one only, and does not see this one.
  const second = await world.addEvent({ title: 'Second', seenBy: [ANN, BEN], shifts: [{}] })
  const [shift, other] = [first.shifts[0]!, second.shifts[0]!]
  const place = await world.addParticipation({ who: ANN, shift, state: 1 })
  const otherPlace = await world.addParticipation({ who: BEN, shift: other, state: 1 })
  const search = { shift_id: shift, user_id: ANN.id, participation_id: place, message: 'ill', created_at: world.now }
  const standIn = await write.insertInto('stand_in').values(search).returning('id').executeTakeFirstOrThrow()
  const swap = await write
    .insertInto('swap')
    .values({
      user_id: ANN.id,
      shift_id: shift,
      participation_id: place,
      other_id: BEN.id,
      other_shift_id: other,
      other_participation_id: otherPlace,
      message: '',
      created_at: world.now,
      expires_at: new Date(world.now.getTime() + 3_600_000),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const read = async (who: Person, path: string) => (await world.as(who, 'ME_READ', 'CONFIDENTIAL_READ').get(path)).body
  const ofShift = `/api/shifts/${shift}/exchanges/`
  const own = '/api/users/me/exchanges/'

  test('of a shift are for those who plan it, without places in events that they do not see', async () => {
    const { stand_ins: standIns, swaps } = await read(PAUL, ofShift)
    assert.deepEqual(standIns, [
      { id: standIn.id, user: ANN.id, display_name: 'Ann', state: 'open', asked: 0, people: 0, taken_by: null },
    ])
    assert.deepEqual(
      [swaps.length, swaps[0].id, swaps[0].state, swaps[0].proposer.user, swaps[0].other],
      [1, swap.id, 'open', ANN.id, null],
    )
    assert.equal(await world.as(ANN, 'CONFIDENTIAL_READ').status(ofShift), 403)
  })

  test('of the own account are those that the person has part in', async () => {
    const { stand_ins: standIns, swaps } = await read(ANN, own)
    assert.deepEqual(standIns, [{ shift, state: 'open', asked: 0, people: 0, next_at: null }])
    assert.deepEqual([swaps[0].proposer.shift, swaps[0].other.shift, swaps[0].other.display_name], [shift, other, 'Ben'])
    const { stand_ins: none, asked: unasked, swaps: proposed } = await read(BEN, own)
    assert.deepEqual([none, unasked, proposed], [[], [], swaps])
    assert.deepEqual(await read(PAUL, own), { stand_ins: [], asked: [], swaps: [] })
  })
})
