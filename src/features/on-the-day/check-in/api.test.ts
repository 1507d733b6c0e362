import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ANN, BEN, HELPERS, PAUL } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

describe('attendance by the API', async () => {
  const world = await openWorld()
  const { id, shifts } = await world.addEvent({ seenBy: [HELPERS], responsible: [PAUL], shifts: [{}] })
  const [shift] = shifts as [number]
  const ann = await world.addParticipation({ who: ANN, shift, state: 1 })
  const guest = await world.addParticipation({ who: { guest: { name: 'Gina' } }, shift, state: 1 })
  await world.addParticipation({ who: BEN, shift, state: 0 })
  const marked = { participation_id: ann, arrived_at: new Date('2031-05-04T05:52:00Z'), no_show: false }
  await world.db.write.insertInto('attendance').values(marked).execute()
  await world.db.write.insertInto('attendance').values({ participation_id: guest, no_show: true }).execute()

  test('lists confirmed people with what was marked, for those who plan the event', async () => {
    const { body } = await world.as(PAUL, 'CONFIDENTIAL_READ').get(`/api/events/${id}/attendance/`)
    assert.deepEqual(
      body.entries.map((each: Record<string, unknown>) => [
        each.participation,
        each.user,
        each.display_name,
        each.arrived_at && Date.parse(String(each.arrived_at)),
        each.left_at,
        each.no_show,
        each.is_absent,
      ]),
      [
        [ann, ANN.id, 'Ann', marked.arrived_at.getTime(), null, false, false],
        [guest, null, 'Gina', null, null, true, false],
      ],
    )
    assert.equal(await world.as(ANN, 'CONFIDENTIAL_READ').status(`/api/events/${id}/attendance/`), 403)
  })
})
