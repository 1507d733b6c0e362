import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ANN, BEN, HELPERS, PAUL, PEOPLE, PLANNERS, VERA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

describe('the list of all participations and the lists of each event', async () => {
  const world = await openWorld()
  const others = [await world.addPerson({ name: 'Kim' }), await world.addPerson({ name: 'Lou' })]
  const events: number[] = []
  for (const showParticipantData of [0, 1, 2, 3])
    for (const more of [{}, { responsible: [BEN] }, { responsible: [PLANNERS] }, { seenBy: [VERA] }]) {
      const type = await world.addType({ showParticipantData })
      const { id, shifts } = await world.addEvent({ seenBy: [HELPERS, PAUL], ...more, type, shifts: [{}, {}] })
      events.push(id)
      for (const who of [...others, { placeholder: 'Somebody' }])
        await world.addParticipation({ who, shift: shifts[0]!, state: 0 })
      await world.addParticipation({ who: showParticipantData % 2 ? ANN : BEN, shift: shifts[1]!, state: 1 })
    }
  await world.db.write.insertInto('profile_user_grant').values({ user_id: others[0]!.id, viewer_id: ANN.id }).execute()
  await world.db.write.insertInto('profile_group_grant').values({ user_id: others[1]!.id, group_id: PLANNERS.id }).execute()

  for (const person of PEOPLE)
    test(`return the same rows to ${person.name} by different queries`, async () => {
      const caller = world.as(person, 'PUBLIC_READ', 'CONFIDENTIAL_READ')
      const all = await caller.ids('/api/participations/', { limit: 1000 })
      const mayAsk = await caller.ids('/api/events/', { limit: 1000 })
      const byEvent = await caller.ids('/api/participations/', { event: events.filter((id) => mayAsk.includes(id)), limit: 1000 })
      assert.ok(all.length > 0)
      assert.deepEqual(all, byEvent)
    })

  test('differ from person to person', async () => {
    const counts = await Promise.all(
      PEOPLE.map(
        async (person) =>
          (await world.as(person, 'PUBLIC_READ', 'CONFIDENTIAL_READ').ids('/api/participations/', { limit: 1000 })).length,
      ),
    )
    assert.ok(new Set(counts).size >= 4, String(counts))
  })
})
