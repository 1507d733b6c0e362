import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { findDrift } from '#features/operations/backup/commands/denormalised.ts'
import { makeRandom } from '#platform/sample-data/random.ts'
import { ANN, BEN, type Group, HELPERS, OLGA, PAUL, type Person, PLANNERS, VERA } from '#test/support/people.ts'
import { chooseSize } from '#test/support/sizes.ts'
import { openWorld } from '#test/support/world.ts'

const ROUNDS = chooseSize({ usual: 2, full: 6 })
const PAGE_SIZE = 15
/** A filter that every participation passes: the list is then read and counted row by row. */
const ALL = { start_time_after: '1900-01-01T00:00:00Z' }

describe('the unfiltered list of participations', async () => {
  const world = await openWorld()
  const random = makeRandom('unfiltered participations')
  const { write } = world.db
  const seesAll = await world.addPerson({ name: 'Sam', permissions: ['view_event'] })
  const seesAllPeople = await world.addPerson({ name: 'Pia', permissions: ['view_event', 'view_user'] })
  const seesPeople = await world.addPerson({ name: 'Una', permissions: ['view_user'] })
  const changesAll = await world.addPerson({ name: 'Cem', permissions: ['change_event'] })
  const late = await world.addPerson({ name: 'Zoe' })
  const latecomers = await world.addGroup('Latecomers', [late])
  const leaders = await world.addGroup('Leaders', [VERA, changesAll])
  const callers = [ANN, BEN, PAUL, OLGA, VERA, seesAll, seesAllPeople, changesAll, late]
  const others: Person[] = []
  for (let i = 0; i < 6; i++) others.push(await world.addPerson({ name: `Person ${i}` }))
  const viewers: (Person | Group)[] = [ANN, PAUL, VERA, HELPERS, PLANNERS, leaders]
  const some = <T>(from: readonly T[]): T[] => from.filter(() => random.chance(0.3))
  const types: number[] = []
  for (const showParticipantData of [0, 1, 2, 3]) types.push(await world.addType({ showParticipantData }))
  await world.grantsProfile(ANN, others[0]!)
  await world.grantsProfile(PLANNERS, others[1]!)
  const events: { id: number; shifts: number[] }[] = []

  async function addEvent(seenBy: (Person | Group)[], states: readonly number[]): Promise<void> {
    const wish = { seenBy, responsible: some(viewers), type: random.pick(types), shifts: [{}, {}], draft: random.chance(0.1) }
    const event = await world.addEvent(wish)
    events.push(event)
    for (const shift of event.shifts) {
      for (const who of some([...others, ANN, BEN, VERA, seesPeople, late]))
        await world.addParticipation({ who, shift, state: random.pick(states) as 0 })
      if (random.chance(0.5)) await world.addParticipation({ who: { placeholder: 'Somebody' }, shift, state: 1 })
      if (random.chance(0.5)) await world.addParticipation({ who: { placeholder: 'Nobody' }, shift, state: 2 })
    }
  }

  const CHANGES: ((id: number) => Promise<unknown>)[] = [
    (id) => sql`update participation set state = ${random.between(0, 4)} where event_id = ${id} and id % 2 = 0`.execute(write),
    (id) => sql`delete from participation where event_id = ${id} and id % 3 = 0`.execute(write),
    (id) => sql`update event set type_id = ${random.pick(types)} where id = ${id}`.execute(write),
    (id) => sql`update event set active = not active where id = ${id}`.execute(write),
    (id) =>
      sql`delete from event_group_grant where event_id = ${id} and group_id = ${random.pick([1, 2, leaders.id])}`.execute(write),
    (id) =>
      sql`insert into event_group_grant values (${id}, ${random.pick([HELPERS, PLANNERS, leaders]).id}, ${random.pick(['view', 'change'])})
        on conflict do nothing`.execute(write),
    (id) =>
      sql`update event_group_grant set group_id = ${latecomers.id} where event_id = ${id} and permission = 'change'
        and group_id = ${PLANNERS.id}`.execute(write),
    (id) =>
      sql`insert into event_user_grant values (${id}, ${random.pick([ANN, VERA]).id}, 'change') on conflict do nothing`.execute(
        write,
      ),
    (id) => sql`update shift set event_id = ${random.pick(events).id} where event_id = ${id} and id % 2 = 0`.execute(write),
    () =>
      sql`update event_type set show_participant_data = ${random.between(0, 3)} where id = ${random.pick(types)}`.execute(write),
    (id) =>
      sql`update participation set kind = 'placeholder', placeholder_name = 'Person ' || id, user_id = null
        where event_id = ${id} and id % 5 = 0 and kind = 'local'`.execute(write),
  ]

  async function compare(): Promise<void> {
    for (const person of callers) {
      const caller = world.as(person, 'PUBLIC_READ', 'CONFIDENTIAL_READ')
      const expected = await caller.ids('/api/participations/', { ...ALL, limit: 1000 })
      const found: number[] = []
      for (let offset = 0; offset === 0 || offset < expected.length; offset += PAGE_SIZE) {
        const { body } = await caller.get('/api/participations/', { query: { limit: PAGE_SIZE, offset } })
        const { count, results } = body as { count: number; results: { id: number }[] }
        assert.equal(count, expected.length, `count for ${person.name}`)
        found.push(...results.map(({ id }) => id))
      }
      assert.deepEqual(found, expected, `pages of ${person.name}`)
    }
  }
  async function compareInAllStates(): Promise<void> {
    for (const person of [OLGA, VERA, seesAllPeople, seesPeople]) {
      const caller = world.as(person, 'PUBLIC_READ', 'CONFIDENTIAL_READ')
      const expected = await caller.ids('/api/participations-userinfo/', { ...ALL, limit: 1000 })
      const { body } = await caller.get('/api/participations-userinfo/', { query: { limit: 1000 } })
      const { count, results } = body as { count: number; results: { id: number }[] }
      assert.equal(count, expected.length, `count for ${person.name}`)
      const ids = results.map(({ id }) => id)
      assert.deepEqual(ids, expected, `rows of ${person.name}`)
      const second = await caller.ids('/api/participations-userinfo/', { limit: PAGE_SIZE, offset: PAGE_SIZE })
      assert.deepEqual(second, expected.slice(PAGE_SIZE, 2 * PAGE_SIZE), `second page of ${person.name}`)
    }
  }

  test('gives everybody the same rows and the same count as the filtered list, after random changes', async () => {
    for (let i = 0; i < 20; i++) await addEvent(some(viewers), [0, 0, 1, 1, 2, 3, 4])
    await addEvent([latecomers], [0, 1])
    await compare()
    // Far behind the first rows of the table, so they are found by audience.
    const latecomer = world.as(late, 'PUBLIC_READ', 'CONFIDENTIAL_READ')
    const seen = await latecomer.ids('/api/participations/', { ...ALL, limit: 1000 })
    assert.ok(seen.length > 0)
    assert.deepEqual(await latecomer.ids('/api/participations/', { limit: 1 }), seen.slice(0, 1))
    await compareInAllStates()
    for (let round = 0; round < ROUNDS; round++) {
      for (const change of random.shuffled(CHANGES).slice(0, 5)) await change(random.pick(events).id)
      await compare()
      await compareInAllStates()
    }
    await sql`delete from event where id % 2 = 0`.execute(write)
    await compare()
    assert.deepEqual(await findDrift(world.db.read), [])
  })
})
