import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { scope } from '#platform/http/access.ts'
import { type Endpoint, writeEndpoint } from '#platform/http/endpoint.ts'
import { makeBarrier } from '#test/support/barrier.ts'
import type { Person } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { GUARD } from '../commands/locks.ts'
import { signUp } from '../commands/sign-up.ts'

const CROWD = 40
const PLACES = 10
/** As many as the pool for writes has connections, so that all of them can be judged before the first one writes. */
const AT_ONCE = 4

describe('people who sign up at the same time over the API', async () => {
  let checked = async () => {}
  const withoutLock: Endpoint = writeEndpoint({
    method: 'POST',
    path: '/api/unlocked-shifts/{id}/signup/',
    access: scope('ME_WRITE'),
    name: 'Sign Up',
    operationId: 'unlocked_create',
    tag: 'tests',
    summary: 'The sign-up without the lock on the event',
    responses: { 201: { description: 'Done' } },
    perform: async (context, { id: shiftId }) => {
      const outcome = await signUp(context, { shiftId }, { ...GUARD, lockEvent: async () => true, checked })
      return { status: outcome.ok ? 201 : 409 }
    },
  })
  const world = await openWorld({ extra: { endpoints: [withoutLock] } })
  const crowd: Person[] = []
  for (let index = 0; index < CROWD; index++) crowd.push(await world.addPerson({ name: `Person ${index}` }))
  const group = await world.addGroup('Crowd', crowd)
  const addShift = async (places: number, start: string) => {
    const configuration = { maximum_number_of_participants: places }
    return (await world.addEvent({ seenBy: [group], shifts: [{ start, flow: 'instant_confirmation', configuration }] }))
      .shifts[0]!
  }
  const signUpAll = (people: Person[], path: string) =>
    Promise.all(people.map((person) => world.as(person, 'ME_WRITE').post(path, {}, { unchecked: true })))
  const confirmedIn = async (shift: number) =>
    (await world.db.read.selectFrom('participation').select('id').where('shift_id', '=', shift).where('state', '=', 1).execute())
      .length

  test(`of ${CROWD} people exactly ${PLACES} get the ${PLACES} places; the others learn that it is full`, async () => {
    const shift = await addShift(PLACES, '2031-05-04T08:00:00Z')
    const answers = await signUpAll(crowd, `/api/shifts/${shift}/signup/`)
    const refused = answers.filter(({ status }) => status !== 201)
    assert.deepEqual([answers.length - refused.length, await confirmedIn(shift)], [PLACES, PLACES])
    for (const { status, body } of refused) assert.deepEqual([status, body.errors[0].code], [409, 'full'])
  })

  test('twin: without the lock on the event, more people are confirmed than there are places', async () => {
    const shift = await addShift(AT_ONCE - 1, '2031-05-05T08:00:00Z')
    checked = makeBarrier(AT_ONCE)
    await signUpAll(crowd.slice(0, AT_ONCE), `/api/unlocked-shifts/${shift}/signup/`)
    assert.equal(await confirmedIn(shift), AT_ONCE)
  })
})
