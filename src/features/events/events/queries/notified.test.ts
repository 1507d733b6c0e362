import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ANN, BEN, HELPERS, PAUL } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { eventResponsibles, responsibleIds } from './notified.ts'

test('those responsible for an event are notified, by themselves or by a group, and nobody who only sees it', async () => {
  const world = await openWorld()
  const crew = await world.addGroup('Crew', [BEN])
  const event = await world.addEvent({ seenBy: [HELPERS, ANN], responsible: [PAUL, crew], shifts: [{}] })
  await world.addEvent({ responsible: [ANN], shifts: [{}] })
  const idsOf = async (query: ReturnType<typeof responsibleIds>) =>
    (await query.execute(world.db.read)).rows.map(({ user_id }) => Number(user_id)).sort((a, b) => a - b)
  const expected = [PAUL.id, BEN.id].sort((a, b) => a - b)
  assert.deepEqual(await idsOf(responsibleIds(event.id)), expected)
  const recipients = eventResponsibles({ eventId: event.id } as never) as ReturnType<typeof responsibleIds>
  assert.deepEqual(await idsOf(recipients), expected)
  assert.deepEqual(await idsOf(eventResponsibles({ eventId: null } as never) as ReturnType<typeof responsibleIds>), [])
})
