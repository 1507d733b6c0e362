import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { recomputeStatistics } from '#features/staffing/staffing/jobs.ts'
import { moveOnBoard } from '#test/support/board.ts'
import { contextAs } from '#test/support/command-context.ts'
import { journalOf } from '#test/support/journal.ts'
import { OLGA, PAUL, type Person } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'

const PEOPLE = '/manage/people/'
const LOST = /No longer qualified for this place; it counts as missing/
const LEFT = /No longer in a group that this event is for/

describe('a place that needs a qualification or membership that ends', async () => {
  const world = await openWorld()
  const medic = await world.addQualification('Medic')
  const crew = await world.addGroup('Crew', [])
  const olga = await browserOf(world, OLGA)
  const paul = await browserOf(world, PAUL)

  /** A shift that needs one medic, and a medic whom Paul confirmed. */
  async function hasConfirmed({ holds = true, start = '2031-05-04T08:00:00Z' } = {}) {
    const person = await world.addPerson({ name: 'Mia' })
    await world.db.write.insertInto('user_group_member').values({ group_id: crew.id, user_id: person.id }).execute()
    if (holds) await world.holds(person, medic)
    const configuration = {
      minimum_number_of_participants: 1,
      maximum_number_of_participants: 1,
      required_qualification_ids: [medic.id],
    }
    const { shifts } = await world.addEvent({ seenBy: [crew], responsible: [PAUL], shifts: [{ start, configuration }] })
    const [shiftId] = shifts as [number]
    const outcome = await moveOnBoard(contextAs(world, PAUL), { shiftId, who: { kind: 'local', id: person.id }, to: 1 })
    assert.ok(outcome.ok)
    return { person, shiftId, participationId: outcome.participationId }
  }
  const statsOf = async (shiftId: number) => {
    await recomputeStatistics(world.db.write)
    const { confirmed_count, missing, free } = await world.db.read
      .selectFrom('shift')
      .select(['confirmed_count', 'missing', 'free'])
      .where('id', '=', shiftId)
      .executeTakeFirstOrThrow()
    return [confirmed_count, missing, free]
  }
  const boardOf = async (shiftId: number) => (await paul.get(`/shifts/${shiftId}/disposition/`)).body
  const withdraw = ({ id }: Person) => olga.post(`${PEOPLE}${id}/withdraw/`, { form: { qualification: String(medic.id) } })

  test('is flagged and missing when the qualification is withdrawn, and counts again when it is granted', async () => {
    const { person, shiftId } = await hasConfirmed()
    assert.deepEqual(await statsOf(shiftId), [1, 0, 0])
    assert.doesNotMatch(await boardOf(shiftId), LOST)
    await withdraw(person)
    assert.deepEqual(await statsOf(shiftId), [1, 1, 1])
    assert.match(await boardOf(shiftId), LOST)
    await olga.post(`${PEOPLE}${person.id}/grant/`, { form: { qualification: String(medic.id), until: '' } })
    assert.deepEqual(await statsOf(shiftId), [1, 0, 0])
    assert.doesNotMatch(await boardOf(shiftId), LOST)
  })

  test('is missing when the qualification now expires before the end of the shift', async () => {
    const { person, shiftId } = await hasConfirmed()
    await olga.post(`${PEOPLE}${person.id}/grant/`, { form: { qualification: String(medic.id), until: '2031-05-03' } })
    assert.deepEqual(await statsOf(shiftId), [1, 1, 1])
    assert.match(await boardOf(shiftId), LOST)
  })

  test('counts if a planner confirmed a person without the qualification', async () => {
    const { shiftId } = await hasConfirmed({ holds: false })
    assert.deepEqual(await statsOf(shiftId), [1, 0, 0])
    assert.doesNotMatch(await boardOf(shiftId), LOST)
  })

  test('counts again when a planner keeps the person', async () => {
    const { person, shiftId, participationId } = await hasConfirmed()
    await withdraw(person)
    assert.deepEqual(await statsOf(shiftId), [1, 1, 1])
    const [, value] = /name="do" value="(keep [^"]+)"/.exec(await boardOf(shiftId))!
    const kept = await paul.post(`/shifts/${shiftId}/disposition/`, { form: { do: value! } })
    assert.equal(kept.statusCode, 303)
    assert.deepEqual(await statsOf(shiftId), [1, 0, 0])
    assert.doesNotMatch(await boardOf(shiftId), LOST)
    assert.equal((await journalOf(world, 'participation', participationId)).at(-1)!.kind, 'participation.kept')
  })

  test('can be kept on the board of the event, which keeps what is typed there', async () => {
    const { person, shiftId } = await hasConfirmed()
    await withdraw(person)
    assert.deepEqual(await statsOf(shiftId), [1, 1, 1])
    const { event_id } = await world.db.read
      .selectFrom('shift')
      .select('event_id')
      .where('id', '=', shiftId)
      .executeTakeFirstOrThrow()
    const path = `/events/${event_id}/board/`
    const board = (await paul.get(path)).body
    const [, value] = /name="do" value="(keep [^"]+)"/.exec(board)!
    assert.equal((await paul.post(path, { form: { do: value!.replace(/-\d+$/, '-999999') } })).statusCode, 404)
    const typed = await paul.post(path, { form: { do: value!, added: `local-${PAUL.id}` } })
    assert.match(typed.body, /Mia keeps the place and counts again/)
    assert.match(typed.body, new RegExp(`name="added" value="local-${PAUL.id}"`))
    assert.deepEqual(await statsOf(shiftId), [1, 0, 0])
    assert.doesNotMatch((await paul.get(path)).body, LOST)
    assert.equal((await paul.post(path, { form: { do: value! } })).statusCode, 303)
  })

  test('is flagged and missing when the person leaves the group, until they return', async () => {
    const { person, shiftId } = await hasConfirmed()
    const form = { people: String(person.id) }
    await olga.post(`/manage/groups/${crew.id}/members/remove/`, { form })
    assert.deepEqual(await statsOf(shiftId), [1, 1, 1])
    assert.match(await boardOf(shiftId), LEFT)
    await olga.post(`/manage/groups/${crew.id}/members/add/`, { form })
    assert.deepEqual(await statsOf(shiftId), [1, 0, 0])
    assert.doesNotMatch(await boardOf(shiftId), LEFT)
  })

  test('is flagged when the form of the person removes the group', async () => {
    const { person, shiftId } = await hasConfirmed()
    const form = { name: person.name, email: person.email, language: 'en', is_visible: 'on' }
    assert.equal((await olga.post(`${PEOPLE}${person.id}/`, { form })).statusCode, 303)
    assert.deepEqual(await statsOf(shiftId), [1, 1, 1])
  })

  test('stays as it is after the shift, and for people who see the event for another reason', async () => {
    const past = await hasConfirmed({ start: '2031-04-01T08:00:00Z' })
    const granted = await hasConfirmed()
    await world.db.write
      .insertInto('event_user_grant')
      .columns(['event_id', 'user_id', 'permission'])
      .expression((db) =>
        db
          .selectFrom('shift')
          .select(({ val }) => ['event_id', val(granted.person.id).as('user_id'), val('view').as('permission')])
          .where('id', '=', granted.shiftId),
      )
      .execute()
    for (const { person } of [past, granted])
      await olga.post(`/manage/groups/${crew.id}/members/remove/`, { form: { people: String(person.id) } })
    assert.deepEqual(await statsOf(past.shiftId), [1, 0, 0])
    assert.deepEqual(await statsOf(granted.shiftId), [1, 0, 0])
    assert.doesNotMatch(await boardOf(granted.shiftId), LEFT)
  })
})
