import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ANN, BEN, HELPERS, PAUL } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

describe('proposals by the API', async () => {
  const world = await openWorld()
  const medic = await world.addQualification('Medic')
  await world.holds(ANN, medic)
  const requirements = [{ qualification: medic.id, min_count: 1, max_count: 1 }]
  const { shifts } = await world.addEvent({
    seenBy: [HELPERS],
    responsible: [PAUL],
    shifts: [
      { structure: 'qualification_mix', configuration: { qualification_requirements: requirements } },
      { structure: 'uniform', configuration: { minimum_number_of_participants: 2, maximum_number_of_participants: 4 } },
      { start: '2020-05-04T08:00:00Z', end: '2020-05-04T12:00:00Z' },
    ],
  })
  const [mixed, many, past] = shifts as [number, number, number]
  await world.addParticipation({ who: BEN, shift: many, state: 0 })
  const paul = world.as(PAUL, 'CONFIDENTIAL_READ')
  const get = async (shift: number, query = '') => (await paul.get(`/api/shifts/${shift}/proposal/${query}`)).body

  test('name who fits the open places, and why others do not', async () => {
    const { id, pool, places } = await get(mixed)
    assert.deepEqual([id, pool, places.length], [mixed, 'everyone', 1])
    const [{ count, people, missing }] = places
    assert.deepEqual(
      [count, people.map(({ user, is_requested, is_only }: Record<string, unknown>) => [user, is_requested, is_only]), missing],
      [1, [[ANN.id, false, true]], 0],
    )
  })

  test('consider those who requested first, or everyone', async () => {
    const requested = await get(many)
    assert.deepEqual(
      [requested.pool, requested.places[0].people.map(({ user }: { user: number }) => user), requested.places[0].missing],
      ['requested', [BEN.id], 1],
    )
    const all = await get(many, '?pool=everyone')
    assert.deepEqual([all.pool, all.places[0].missing], ['everyone', 0])
    assert.ok((await get(many, '?pool=everyone&optional=true')).places.length > all.places.length)
    assert.equal(await paul.status(`/api/shifts/${many}/proposal/?pool=nobody`), 400)
  })

  test('are for those who plan the event, about coming shifts', async () => {
    assert.equal(await world.as(ANN, 'CONFIDENTIAL_READ').status(`/api/shifts/${many}/proposal/`), 404)
    assert.equal(await paul.status(`/api/shifts/${past}/proposal/`), 404)
  })
})
