import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SCOPES } from '#platform/auth/scopes.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import { HELPERS, PAUL } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

const PATH = '/api/events/?limit=50'

describe('a list that was requested before', async () => {
  const world = await openWorld()
  const { write } = world.db
  const event = await world.addEvent({ title: 'Fair', seenBy: [HELPERS], shifts: [{ label: 'Early' }] })
  const rita = await world.addPerson({ name: 'Rita' })
  await write.insertInto('user_group_member').values({ group_id: HELPERS.id, user_id: rita.id }).execute()
  const secret = await world.makeToken(rita, SCOPES)
  const caller = world.with({ authorization: `Bearer ${secret}` })

  /** Requests the list twice to fill the caches, applies the change and returns the response to a conditional request. */
  const afterwards = async (change: () => Promise<unknown>) => {
    await caller.get(PATH)
    const { headers } = await caller.get(PATH)
    const again = { headers: { 'if-none-match': headers.etag! } }
    assert.equal(await caller.status(PATH, again), 304)
    await change()
    return caller.get(PATH, again)
  }
  const titles = (answer: { body: { results: { title: string }[] } }) => answer.body.results.map(({ title }) => title)

  test('shows a changed event, type and shift at once', async () => {
    const renamed = await afterwards(() =>
      write.updateTable('event').set({ title: 'Market' }).where('id', '=', event.id).execute(),
    )
    assert.deepEqual(titles(renamed), ['Market'])
    const typed = await afterwards(() => write.updateTable('event_type').set({ title: 'Duty' }).execute())
    assert.equal(typed.body.results[0].type.title, 'Duty')
    const labelled = await afterwards(() => write.updateTable('shift').set({ label: 'Late' }).execute())
    assert.equal(labelled.body.results[0].shifts[0].label, 'Late')
  })
  test('counts a new participation and a new event at once', async () => {
    const [shift] = event.shifts
    const joined = await afterwards(() => world.addParticipation({ shift: shift!, who: PAUL, state: 1 }))
    assert.equal(joined.body.results[0].signup_stats.confirmed_count, 1)
    const grown = await afterwards(() => world.addEvent({ title: 'Zoo', seenBy: [HELPERS], shifts: [{}] }))
    assert.equal(grown.body.count, 2)
  })
  test('is empty at once after leaving the group, and complete after getting the permission', async () => {
    const left = await afterwards(() => write.deleteFrom('user_group_member').where('user_id', '=', rita.id).execute())
    assert.deepEqual([left.status, left.body.count], [200, 0])
    const allowed = await afterwards(() => world.grants(rita, 'view_event'))
    assert.equal(allowed.body.count, 2)
  })
  test('is refused at once when the token loses its scope or is revoked, or its user is deactivated', async () => {
    const token = () => write.updateTable('access_token').where('token_hash', '=', hashSecret(secret))
    const narrowed = await afterwards(() =>
      token()
        .set({ scopes: ['ME_READ'] })
        .execute(),
    )
    assert.deepEqual([narrowed.status, narrowed.body.code], [403, 'insufficient_scope'])
    await token()
      .set({ scopes: [...SCOPES] })
      .execute()
    const resting = await afterwards(() => world.setActive(rita, false))
    assert.deepEqual([resting.status, resting.body.code], [401, 'invalid_token'])
    await world.setActive(rita, true)
    const revoked = await afterwards(() => token().set({ revoked_at: world.now }).execute())
    assert.deepEqual([revoked.status, revoked.body.code], [401, 'invalid_token'])
  })
})

describe('a list of participations that was requested before', async () => {
  const world = await openWorld()
  const { write } = world.db
  const type = await world.addType({ showParticipantData: 2 })
  const event = await world.addEvent({ title: 'Fair', type, seenBy: [HELPERS], shifts: [{}] })
  const [rita, sven] = [await world.addPerson({ name: 'Rita' }), await world.addPerson({ name: 'Sven' })]
  await write.insertInto('user_group_member').values({ group_id: HELPERS.id, user_id: rita.id }).execute()
  const participation = await world.addParticipation({ shift: event.shifts[0]!, who: sven, state: 1 })
  const caller = world.with({ authorization: `Bearer ${await world.makeToken(rita, SCOPES)}` })

  const namesAfter = async (change: () => Promise<unknown>): Promise<string[]> => {
    await caller.get('/api/participations/')
    await caller.get('/api/participations/')
    await change()
    const { body } = await caller.get('/api/participations/')
    const { count, results } = body as { count: number; results: { participant: { display_name: string } }[] }
    assert.equal(count, results.length)
    return results.map(({ participant }) => participant.display_name)
  }

  test('shows and hides a person at once whose profile the caller may view', async () => {
    assert.deepEqual(await namesAfter(() => world.grantsProfile(rita, sven)), ['Sven'])
    assert.deepEqual(await namesAfter(() => write.deleteFrom('profile_user_grant').execute()), [])
    assert.deepEqual(await namesAfter(() => world.grantsProfile(HELPERS, sven)), ['Sven'])
    assert.deepEqual(await namesAfter(() => write.deleteFrom('profile_group_grant').execute()), [])
  })
  test('shows everybody at once to people who become responsible for the event', async () => {
    const grant = { event_id: event.id, group_id: HELPERS.id, permission: 'change' }
    assert.deepEqual(await namesAfter(() => write.insertInto('event_group_grant').values(grant).execute()), ['Sven'])
  })
  test('shows a new name at once, and leaves out who declines', async () => {
    const people = () => write.updateTable('user_profile').where('id', '=', sven.id)
    assert.deepEqual(await namesAfter(() => people().set({ display_name: 'Sven Berg' }).execute()), ['Sven Berg'])
    const decline = () => write.updateTable('participation').set({ state: 2 }).where('id', '=', participation).execute()
    assert.deepEqual(await namesAfter(decline), [])
  })
})

describe('a page of participations that the caller has already', async () => {
  const world = await openWorld()
  const { write } = world.db
  const type = await world.addType({ showParticipantData: 0 })
  const event = await world.addEvent({ title: 'Fair', type, seenBy: [HELPERS], shifts: [{}] })
  // 18 years old on 3 May in Berlin.
  const sven = await world.addPerson({ name: 'Sven', dateOfBirth: '2013-05-03' })
  const firstAid = await world.addQualification('First aid')
  await world.holds(sven, firstAid, new Date('2031-05-01T12:00:00Z'))
  await world.addParticipation({ shift: event.shifts[0]!, who: sven, state: 1 })
  const rita = await world.addPerson({ name: 'Rita' })
  await write.insertInto('user_group_member').values({ group_id: HELPERS.id, user_id: rita.id }).execute()
  const caller = world.with({ authorization: `Bearer ${await world.makeToken(rita, SCOPES)}` })
  const PAGE = '/api/participations/?limit=100'

  /** The only participant after the change; undefined for 304. */
  const participantAfter = async (change: () => Promise<unknown>) => {
    const { headers } = await caller.get(PAGE)
    const again = { headers: { 'if-none-match': headers.etag! } }
    assert.equal(await caller.status(PAGE, again), 304)
    await change()
    const { status, body } = await caller.get(PAGE, again)
    return status === 304 ? undefined : body.results[0].participant
  }
  const setNow = (text: string) => async () => {
    world.now = new Date(text)
  }

  test('is new when a qualification has expired, is granted or gets another name', async () => {
    assert.equal(await participantAfter(setNow('2031-05-01T11:59:00Z')), undefined)
    assert.deepEqual((await participantAfter(setNow('2031-05-01T12:01:00Z'))).qualifications, [])
    const granted = await participantAfter(() => write.updateTable('qualification_grant').set({ expires_at: null }).execute())
    assert.deepEqual(
      granted.qualifications.map(({ title }: { title: string }) => title),
      ['First aid'],
    )
    const renamed = await participantAfter(() => write.updateTable('qualification').set({ title: 'Medic' }).execute())
    assert.ok(renamed.qualifications.some(({ title }: { title: string }) => title === 'Medic'))
  })
  test('is new on the day on which somebody comes of age, by the time zone of the instance', async () => {
    assert.equal(await participantAfter(setNow('2031-05-01T21:59:00Z')), undefined)
    // Midnight of 2 May in Berlin: another day, on which nothing else changes.
    assert.equal((await participantAfter(setNow('2031-05-01T22:01:00Z'))).is_minor, true)
    assert.equal((await participantAfter(setNow('2031-05-02T22:01:00Z'))).is_minor, false)
  })
  test('is another one in another language', async () => {
    const english = await caller.get(PAGE)
    const german = await caller.get(PAGE, { headers: { 'accept-language': 'de', 'if-none-match': english.headers.etag! } })
    assert.notDeepEqual(german.body.results[0].state, english.body.results[0].state)
  })
})
