import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ANN, BEN, HELPERS, OLGA, PAUL, VERA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

type Found = {
  type: string
  id: number
  user: number | null
  participation: number | null
  display_name: string
  state: { value: number } | null
  verdict: string
  reasons: { code: string; detail: string }[]
  warnings: { code: string }[]
  places: { wish: string }[]
}

describe('candidates of a shift', async () => {
  const world = await openWorld()
  const { write } = world.db
  const medic = await world.addQualification('Medic')
  await world.holds(ANN, medic)
  await world.holds(VERA, medic)
  await world.holds(PAUL, medic)
  const teams = [
    { uuid: 'red', title: 'Red', qualification: medic.id },
    { uuid: 'blue', title: 'Blue', qualification: medic.id },
  ]
  const event = await world.addEvent({
    title: 'Run',
    seenBy: [HELPERS],
    responsible: [PAUL],
    shifts: [{ structure: 'named_teams', configuration: { teams } }],
  })
  const shift = event.shifts[0]!
  const other = await world.addEvent({ title: 'Fair', seenBy: [VERA], shifts: [{}, { start: '2031-05-04T06:00:00+02:00' }] })
  await world.addParticipation({ who: VERA, shift: other.shifts[0]!, state: 1 })
  await world.addParticipation({ who: ANN, shift: other.shifts[1]!, state: 1 })
  await world.addParticipation({ who: PAUL, shift, state: 0 })
  await world.addParticipation({ who: { guest: { name: 'Gus' } }, shift, state: 1 })
  await world.addPerson({ name: 'Hidden', isVisible: false })
  await world.addPerson({ name: 'Gone', isActive: false })
  await write.insertInto('work_limit').values({ kind: 'rest_hours', value: 11, blocks: false }).execute()
  const paul = world.as(PAUL, 'CONFIDENTIAL_READ')
  const path = `/api/shifts/${shift}/candidates/`

  test('are the people whom the board offers and those who take part, each with a verdict and its reasons', async () => {
    const { body } = await paul.get(path)
    assert.deepEqual(
      body.results.map(({ display_name, state, verdict, reasons, places }: Found) => [
        display_name,
        state?.value ?? null,
        verdict,
        reasons.map(({ code }) => code),
        places.map(({ wish }) => wish),
      ]),
      [
        ['Ann', null, 'fits', [], ['red', 'blue']],
        ['Ben', null, 'unfit', ['not_qualified'], []],
        ['Gus', 1, 'unfit', ['not_qualified'], []],
        ['Olga', null, 'unfit', ['not_qualified'], []],
        ['Paul', 0, 'fits', [], ['red', 'blue']],
        ['Vera', null, 'busy', ['conflict'], ['red', 'blue']],
      ],
    )
  })

  test('are told apart: accounts have an id of their own, guests none', async () => {
    const { results } = (await paul.get(path)).body
    const facts = ({ type, id, user, participation }: Found) => [type, user === id ? 'user' : user, participation !== null]
    const byName = Object.fromEntries(results.map((found: Found) => [found.display_name, facts(found)]))
    assert.deepEqual(
      [byName.Ann, byName.Paul, byName.Gus],
      [
        ['LocalUserParticipant', 'user', false],
        ['LocalUserParticipant', 'user', true],
        ['GuestParticipant', null, true],
      ],
    )
    assert.equal(results[0].user, ANN.id)
  })

  test('texts address the planner, and hide events that the planner does not see', async () => {
    const { results } = (await paul.get(path)).body
    assert.equal(results[1].reasons[0].detail, 'Not qualified')
    assert.doesNotMatch(JSON.stringify(results), /Fair/)
    assert.deepEqual(
      results[0].warnings.map(({ code }: { code: string }) => code),
      ['short_rest'],
    )
    const { body } = await world.as(OLGA, 'CONFIDENTIAL_READ').get(path)
    assert.match(JSON.stringify(body.results), /Fair/)
  })

  test('can be paged and searched by name, and by address only with the permission to view profiles', async () => {
    const names = async (caller: typeof paul, query: string) =>
      (await caller.get(path, { query })).body.results.map(({ display_name }: Found) => display_name)
    assert.deepEqual(await names(paul, 'limit=2&offset=1'), ['Ben', 'Gus'])
    assert.equal((await paul.get(path, { query: 'limit=2' })).body.count, 6)
    assert.deepEqual(await names(paul, 'search=pau'), ['Paul'])
    assert.deepEqual(await names(paul, `search=${BEN.email}`), [])
    assert.deepEqual(await names(world.as(OLGA, 'CONFIDENTIAL_READ'), `search=${BEN.email}`), ['Ben'])
  })

  test('are for people who may change the event', async () => {
    assert.equal(await world.as(ANN, 'CONFIDENTIAL_READ').status(path), 403)
    assert.equal(await world.as(VERA, 'CONFIDENTIAL_READ').status(path), 404)
    assert.equal(await paul.status('/api/shifts/99999/candidates/'), 404)
  })
})
