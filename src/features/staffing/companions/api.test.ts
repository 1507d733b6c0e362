import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findPlaceholders } from '#test/support/companions.ts'
import { ANN, BEN, HELPERS, PAUL, VERA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

describe('companions by the API', async () => {
  const world = await openWorld()
  const ann = world.as(ANN, 'ME_READ', 'ME_WRITE')
  const { shifts } = await world.addEvent({
    seenBy: [HELPERS],
    responsible: [PAUL],
    shifts: [
      {
        flow: 'instant_confirmation',
        flowConfiguration: { user_can_bring: 2, user_can_decline_confirmed: true },
        configuration: { maximum_number_of_participants: 3 },
      },
    ],
  })
  const shift = shifts[0]!
  const path = `/api/shifts/${shift}/companions/`
  const errorsOf = ({ body }: { body: { errors: { pointer?: string; code: string }[] } }) =>
    body.errors.map(({ pointer, code }) => [pointer, code])
  const names = async () => (await findPlaceholders(world.db, shift)).map(({ name, state }) => `${name}: ${state}`)

  test('are named by those who take part, within what the shift allows', async () => {
    const refused = await ann.patch(path, { companions: [{ name: 'Eva' }] }, '*')
    assert.deepEqual([refused.status, errorsOf(refused)], [409, [[undefined, 'not_in']]])
    await ann.post(`/api/shifts/${shift}/signup/`, {})
    const { body: empty, headers } = await ann.get(path)
    assert.deepEqual(empty, { id: shift, may_bring: 2, companions: [] })
    const { status, body } = await ann.patch(path, { companions: [{ name: 'Eva' }, {}] }, headers.etag!)
    assert.deepEqual([status, body.companions.length, body.companions[0].name, body.companions[0].state], [200, 2, 'Eva', 1])
    assert.equal((await ann.patch(path, { companions: [] }, headers.etag!)).status, 412)
    const many = await ann.patch(
      path,
      { companions: [...body.companions.map(({ id }: { id: number }) => ({ id })), { name: 'Mia' }] },
      '*',
    )
    assert.deepEqual([many.status, errorsOf(many)], [400, [['/companions', 'too_many']]])
  })

  test('are renamed, and leave when they are not in the list any more', async () => {
    const [eva, other] = (await ann.get(path)).body.companions
    const taken = await ann.patch(path, { companions: [{ id: eva.id }, { id: other.id, name: 'Eva' }] }, '*')
    assert.deepEqual(errorsOf(taken), [['/companions/1/name', 'name_taken']])
    const { body } = await ann.patch(path, { companions: [{ id: other.id, name: 'Max' }] }, '*')
    assert.deepEqual(body.companions, [{ id: other.id, name: 'Max', state: 1 }])
    assert.deepEqual(await names(), ['Eva: 2', 'Max: 1'])
  })

  test('of others are not known', async () => {
    const [max] = (await ann.get(path)).body.companions
    await world.as(BEN, 'ME_WRITE').post(`/api/shifts/${shift}/signup/`, {})
    const foreign = await world.as(BEN, 'ME_WRITE').patch(path, { companions: [{ id: max.id, name: 'Ben' }] }, '*')
    assert.deepEqual(errorsOf(foreign), [['/companions/0/id', 'unknown']])
    assert.deepEqual((await world.as(BEN, 'ME_READ').get(path)).body.companions, [])
    assert.equal(await world.as(VERA, 'ME_READ').status(path), 404)
  })
})
