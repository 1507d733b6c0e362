import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { grantQualification, withdrawQualification } from '#features/accounts/people/commands/grants.ts'
import { forgetPlaceBasis } from '#features/staffing/staffing/commands/place-basis.ts'
import { refreshStatistics } from '#features/staffing/staffing/commands/statistics.ts'
import { recomputeStatistics } from '#features/staffing/staffing/jobs.ts'
import { transact } from '#platform/db/transaction.ts'
import { contextAs } from '#test/support/command-context.ts'
import { OLGA, PAUL } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { createDue } from './commands/create.ts'
import { findNotifications } from './queries/notifications.ts'

describe('a confirmed person who no longer meets what the place needs', async () => {
  const world = await openWorld()
  const { write } = world.db
  const category = await write
    .insertInto('qualification_category')
    .values({ title: 'C' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: medic } = await write
    .insertInto('qualification')
    .values({ title: 'Medic', abbreviation: 'M', category_id: category.id })
    .returning('id')
    .executeTakeFirstOrThrow()
  const configuration = { minimum_number_of_participants: 1, required_qualification_ids: [medic] }
  const grant = (userId: number, until: string | null) =>
    grantQualification(contextAs(world, OLGA), { userId, qualificationId: medic, until })
  const withdraw = (userId: number) => withdrawQualification(contextAs(world, OLGA), { userId, qualificationId: medic })

  async function hasConfirmedMedic(name: string) {
    const person = await world.addPerson({ name })
    await grant(person.id, null)
    const { id: eventId, shifts } = await world.addEvent({
      title: `Fair of ${name}`,
      seenBy: [person],
      responsible: [PAUL, person],
      shifts: ['2031-05-04', '2031-05-05'].map((day) => ({ start: `${day}T08:00:00Z`, end: `${day}T12:00:00Z`, configuration })),
    })
    const places: number[] = []
    for (const shift of shifts) places.push(await world.addParticipation({ who: person, shift, state: 1 }))
    await transact(write, (tx) => refreshStatistics(tx, shifts))
    return { person, eventId, shifts, places }
  }
  /** Runs the jobs; returns the notifications of this kind about the event. */
  async function noticesOf(eventId: number) {
    await recomputeStatistics(write)
    await createDue(write, { now: world.now, site: { ...world.app.site, timeZone: 'Europe/Berlin' } })
    return write
      .selectFrom('notification')
      .select(['id', 'user_id', 'participation_id', 'bundle', 'data'])
      .where('kind', '=', 'place_lapsed')
      .where('event_id', '=', eventId)
      .orderBy('id')
      .execute()
  }
  const isObsolete = async (id: number) => {
    const [found] = await findNotifications(contextAs(world, PAUL), contextAs(world, PAUL).actor, { ids: [id] })
    return found!.kind.isObsolete(found!, world.now)
  }

  test('a withdrawn qualification: each place is notified once, in one mail, to the others who are responsible', async () => {
    const { person, eventId, places } = await hasConfirmedMedic('Mia')
    assert.deepEqual(await noticesOf(eventId), [])
    await withdraw(person.id)
    const first = await noticesOf(eventId)
    assert.deepEqual(
      first.map(({ user_id, participation_id, data }) => [user_id, participation_id, data]),
      places.map((place) => [PAUL.id, place, { lapse: 'unqualified' }]),
    )
    assert.equal(new Set(first.map(({ bundle }) => bundle)).size, 1)
    assert.equal((await noticesOf(eventId)).length, 2, 'not again')
    assert.equal(await isObsolete(first[0]!.id), false)
    await grant(person.id, null)
    await noticesOf(eventId)
    assert.equal(await isObsolete(first[0]!.id), true, 'the person is qualified again')
    await withdraw(person.id)
    assert.equal((await noticesOf(eventId)).length, 4, 'a new loss is a new notification')
  })

  test('an expiry before one of the shifts concerns that shift only', async () => {
    const { person, eventId, places } = await hasConfirmedMedic('Eva')
    await grant(person.id, '2031-05-04')
    assert.deepEqual(
      (await noticesOf(eventId)).map(({ participation_id }) => participation_id),
      [places[1]],
    )
  })

  test('nobody is notified of a person whom a planner keeps, who declined, or of an event that is not listed', async () => {
    const kept = await hasConfirmedMedic('Kim')
    const gone = await hasConfirmedMedic('Gil')
    const draft = await hasConfirmedMedic('Dan')
    await write.updateTable('participation').set({ state: 2 }).where('id', 'in', gone.places).execute()
    await write.updateTable('event').set({ active: false }).where('id', '=', draft.eventId).execute()
    for (const { person } of [kept, gone, draft]) await withdraw(person.id)
    await recomputeStatistics(write)
    await transact(write, async (tx) => {
      for (const place of kept.places) await forgetPlaceBasis(tx, place)
    })
    for (const { eventId } of [kept, gone, draft]) assert.deepEqual(await noticesOf(eventId), [])
  })
})
