import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ENDPOINTS } from '#endpoints'
import { SCOPES } from '#platform/auth/scopes.ts'
import { methodOf } from '#platform/http/endpoint.ts'
import type { Caller } from '#test/support/api-client.ts'
import { addApiRecords, addRemovedShift, addWaitingEntry, idOfRecord } from '#test/support/api-records.ts'
import { ANN, HELPERS, NORD, OLGA } from '#test/support/people.ts'
import { chooseVariants } from '#test/support/sizes.ts'
import { openWorld } from '#test/support/world.ts'

/** Names of the endpoints in responses to OPTIONS. */
const NAMES: Record<string, string> = {
  '/api/': 'Api Root',
  '/api/events/': 'Event List',
  '/api/events/{id}/': 'Event Instance',
  '/api/events/drafts/': 'Draft List',
  '/api/events/drafts/{id}/': 'Draft Instance',
  '/api/events/bin/': 'Bin List',
  '/api/events/cancelled/': 'Cancelled Event List',
  '/api/events/cancelled/{id}/': 'Cancelled Event Instance',
  '/api/shifts/removed/': 'Removed Shift List',
  '/api/shifts/removed/{id}/': 'Removed Shift Instance',
  '/api/shifts/': 'Shift List',
  '/api/shifts/{id}/': 'Shift Instance',
  '/api/shifts/{id}/eligibility/': 'Eligibility',
  '/api/shifts/{id}/candidates/': 'Candidates',
  '/api/users/': 'User List',
  '/api/users/{id}/': 'User Instance',
  '/api/users/by_email/{email}/': 'User By Mail Instance',
  '/api/users/me/': 'User Profile Me',
  '/api/me/capabilities/': 'Capabilities',
  '/api/participations/': 'Participation List',
  '/api/participations/{id}/': 'Participation Instance',
  '/api/participations-userinfo/': 'Userinfo Participation List',
  '/api/participations-userinfo/{id}/': 'Userinfo Participation Instance',
  '/api/users/{user}/participations/': 'User Participation List',
  '/api/users/{user}/participations/{id}/': 'User Participation Instance',
  '/api/users/me/participations/': 'Own Participations List',
  '/api/users/me/participations/{id}/': 'Own Participations Instance',
  '/api/users/me/participations/cancelled/': 'Own Cancelled Participations List',
  '/api/users/me/participations/cancelled/{id}/': 'Own Cancelled Participations Instance',
  '/api/buildingblocks/': 'Building Block List',
  '/api/buildingblocks/{id}/': 'Building Block Instance',
  '/api/event-types/': 'Event Type List',
  '/api/event-types/{id}/': 'Event Type Instance',
  '/api/qualifications/': 'Qualification List',
  '/api/qualifications/{id}/': 'Qualification Instance',
  '/api/qualification-categories/': 'Qualification Category List',
  '/api/qualification-categories/{id}/': 'Qualification Category Instance',
  '/api/groups/': 'Group List',
  '/api/groups/{id}/': 'Group Instance',
  '/api/groups/{id}/members/': 'Group Member List',
  '/api/users/{user}/qualifications/': 'User Qualification List',
  '/api/users/{user}/qualifications/{id}/': 'User Qualification Instance',
  '/api/users/me/qualifications/': 'Own Qualification List',
  '/api/users/me/qualifications/{id}/': 'Own Qualification Instance',
  '/api/resources/': 'Resource List',
  '/api/resources/{id}/': 'Resource Instance',
  '/api/resource-categories/': 'Resource Category List',
  '/api/resource-categories/{id}/': 'Resource Category Instance',
  '/api/requests/': 'Request List',
  '/api/requests/{id}/': 'Request Instance',
  '/api/working-hours/': 'Working Hours List',
  '/api/working-hours/{id}/': 'Working Hours Instance',
  '/api/users/me/working-hours/': 'Own Working Hours List',
  '/api/users/me/working-hours/{id}/': 'Own Working Hours Instance',
  '/api/users/me/notifications/': 'Own Notification List',
  '/api/users/me/notifications/{id}/': 'Own Notification Instance',
  '/api/changes/': 'Changes',
  '/api/users/me/notification-choices/': 'Notification Choices',
  '/api/users/me/working-hours-requests/': 'Own Working Hours Request List',
  '/api/users/me/working-hours-requests/{id}/': 'Own Working Hours Request Instance',
  '/api/webhooks/': 'Webhook List',
  '/api/webhooks/{id}/': 'Webhook Instance',
  '/api/webhooks/{id}/deliveries/': 'Webhook Delivery List',
  '/api/federation/events/': 'Shared Event List',
  '/api/federation/participations/': 'Visitor Participation List',
  '/api/federation/setup/': 'Redeem Invite Code',
  '/api/federation/guest/delete/': 'Federated Guest Delete',
  '/api/federation/subscription/': 'Federation Subscription',
  '/api/federation/changes/': 'Federation Changes',
  '/api/federation/objections/': 'Federation Objections',
  '/api/federation/declines/': 'Federation Decline',
  '/api/federation/notices/': 'Federation Notice',
}
/** In the order of the declarations. */
const methodsOf = (path: string): string[] => ENDPOINTS.filter((endpoint) => endpoint.path === path).map(methodOf)
const allowOf = (path: string): string =>
  [...methodsOf(path).flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'].join(', ')
const ALLOW: Record<string, string> = {
  '/api/federation/setup/': 'POST, OPTIONS',
  '/api/federation/guest/delete/': 'DELETE, OPTIONS',
}

/** Paths that need no scope. */
const ANY_USER = ['/api/changes/', '/api/', '/api/me/capabilities/']

describe('methods', async () => {
  const world = await openWorld()
  const event = await world.addEvent({ seenBy: [HELPERS], shifts: [{}], sharedWith: [NORD] })
  const participation = await world.addParticipation({ who: OLGA, shift: event.shifts[0]! })
  const draft = await world.addEvent({ seenBy: [HELPERS], shifts: [{}], draft: true })
  const stopped = await world.addEvent({ cancelled: true, shifts: [{}] })
  const stoppedRow = await world.addParticipation({ who: OLGA, shift: stopped.shifts[0]! })
  const removed = await addRemovedShift(world, { eventId: event.id, participant: ANN })
  const waiting = await addWaitingEntry(world, { shift: event.shifts[0]!, who: OLGA })
  await world.db.write.insertInto('building_block').values({ name: 'Ambulance', block_type: 'atomic' }).execute()
  const records = await addApiRecords(world, [OLGA])
  const olga = world.as(OLGA, ...SCOPES)
  const callerOf = (path: string): Caller => (path.startsWith('/api/federation/') ? world.partner(NORD) : olga)
  const addressOf = (path: string): string => {
    const ofKind: [part: string, id: number][] = [
      ['drafts', draft.id],
      ['participations/cancelled', stoppedRow],
      ['cancelled', stopped.id],
      ['removed', removed],
      ['me/waiting-list', waiting],
      ['participations', participation],
      ['shifts', event.shifts[0]!],
      ['users', OLGA.id],
    ]
    const id = idOfRecord(path, records, OLGA) ?? ofKind.find(([part]) => path.includes(part))?.[1] ?? 1
    return path.replace('{id}', String(id)).replace('{user}', String(OLGA.id)).replace('{email}', OLGA.email)
  }
  const gets = ENDPOINTS.filter(({ kind }) => kind === 'list' || kind === 'record').map(({ path }) => path as string)

  for (const [path, name] of Object.entries(NAMES))
    test(`OPTIONS ${path} describes the endpoint`, async () => {
      const { status, body, headers } = await callerOf(path).options(addressOf(path))
      assert.equal(status, 200)
      assert.equal(body.name, name)
      assert.equal(typeof body.description, 'string')
      assert.deepEqual(body.renders, ['application/json'])
      assert.deepEqual(body.parses, ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'])
      assert.equal(headers.allow, ALLOW[path] ?? allowOf(path))
      assert.equal(headers.etag, undefined)
    })
  test('OPTIONS of the set-up describes the fields', async () => {
    const { body } = await world.nobody.options('/api/federation/setup/')
    assert.deepEqual(
      Object.keys(body.actions.POST),
      ['id', 'name', 'url', 'client_id', 'client_secret', 'code', 'turnout', 'access_token', 'host_name'].filter(
        (key) => key in body.actions.POST,
      ),
    )
    for (const name of ['name', 'url', 'client_id', 'client_secret', 'code']) assert.equal(body.actions.POST[name].required, true)
  })

  for (const path of gets) {
    test(`HEAD ${path} answers like GET without the body`, async () => {
      const caller = callerOf(path)
      const [got, headed] = await Promise.all([caller.get(addressOf(path)), caller.head(addressOf(path))])
      assert.equal(got.status, 200)
      const { date: _got, 'x-request-id': _id, ...expected } = got.headers
      const { date: _headed, 'x-request-id': _other, ...headers } = headed.headers
      assert.deepEqual([headed.status, headers], [got.status, expected])
      assert.equal(headers['content-length'], String(Buffer.byteLength(got.text)))
    })
    test(`HEAD ${path} is refused if GET is refused`, async () => {
      const all = [
        world.nobody,
        world.as(ANN),
        world.as(ANN, ...SCOPES),
        world.with({ authorization: 'Bearer x' }),
        world.partner(NORD),
      ]
      for (const caller of chooseVariants(all, gets.indexOf(path))) {
        for (const query of ['', 'format=xml', 'start_gte=x&state=9&type=0&search=%00']) {
          const [got, headed] = await Promise.all([
            caller.get(addressOf(path), { query }),
            caller.head(addressOf(path), { query }),
          ])
          assert.equal(headed.status, got.status)
          assert.equal(headed.headers['www-authenticate'], got.headers['www-authenticate'])
        }
      }
    })
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'].filter((each) => !methodsOf(path).includes(each)))
      test(`${method} ${path} is not allowed`, async () => {
        const answer = await callerOf(path).request(method, addressOf(path), {
          body: '{}',
          headers: { 'content-type': 'application/json' },
        })
        assert.deepEqual([answer.status, answer.body.code, answer.headers.allow], [405, 'method_not_allowed', allowOf(path)])
      })
    test(`${path} checks access before the method`, async () => {
      const isFederation = path.startsWith('/api/federation/')
      for (const method of ['POST', 'DELETE', 'OPTIONS']) {
        assert.equal((await world.nobody.request(method, addressOf(path))).status, isFederation ? 403 : 401)
        if (!ANY_USER.includes(path)) assert.equal((await world.as(ANN).request(method, addressOf(path))).status, 403)
      }
    })
  }
  test('writing is 403 without the permission to write such records, and 405 with it if there is no such write', async () => {
    const planner = await world.addPerson({ name: 'Planner', permissions: ['add_event', 'delete_event', 'view_user'] })
    const caller = world.as(planner, ...SCOPES)
    const statuses = async (path: string) =>
      Promise.all(['POST', 'PUT', 'PATCH', 'DELETE'].map(async (method) => (await caller.request(method, path)).status))
    assert.deepEqual(await statuses('/api/shifts/'), [405, 403, 403, 405])
    // Creating needs a body; changing and deleting need If-Match, and those who are responsible need no permission.
    assert.deepEqual(await statuses('/api/events/'), [400, 403, 403, 405])
    assert.deepEqual(await statuses(`/api/events/${event.id}/`), [405, 403, 428, 428])
    assert.deepEqual(await statuses(`/api/shifts/${event.shifts[0]}/`), [405, 403, 428, 428])
    for (const path of ['/api/users/', `/api/users/${OLGA.id}/`, `/api/users/by_email/${OLGA.email}/`])
      assert.deepEqual(await statuses(path), [403, 403, 403, 403], path)
    for (const path of ['/api/participations/', '/api/me/capabilities/'])
      assert.deepEqual(await statuses(path), [405, 405, 405, 405], path)
    // The own profile can be changed, with If-Match.
    assert.deepEqual(await statuses('/api/users/me/'), [405, 405, 428, 405])
  })
  for (const [path, allow] of Object.entries(ALLOW))
    for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', path.includes('setup') ? 'DELETE' : 'POST'])
      test(`${method} ${path} is not allowed`, async () => {
        const answer = await world.partner(NORD).request(method, path)
        assert.deepEqual([answer.status, answer.headers.allow], [405, allow])
      })

  test('answers 304 for a matching ETag', async () => {
    for (const [n, path] of gets.entries()) {
      const caller = callerOf(path)
      const first = await caller.get(addressOf(path))
      const etag = first.headers.etag!
      const matching = [etag, `"x", ${etag}`, etag.replace(/^W\//, ''), `W/${etag.replace(/^W\//, '')}`, '*']
      for (const known of chooseVariants(matching, n)) {
        for (const method of chooseVariants(['GET', 'HEAD'], n)) {
          const again = await caller.request(method, addressOf(path), { headers: { 'if-none-match': known } })
          assert.deepEqual([again.status, again.headers.etag, again.text], [304, etag, ''], `${method} ${path} ${known}`)
          assert.equal(again.headers['content-length'], undefined)
        }
      }
      for (const other of chooseVariants(['"x"', 'W/"x"', '', 'garbage'], n))
        assert.equal(await caller.status(addressOf(path), { headers: { 'if-none-match': other } }), 200)
    }
  })
  test('checks access before the ETag', async () => {
    const { headers } = await olga.get('/api/events/')
    assert.equal(await world.nobody.status('/api/events/', { headers: { 'if-none-match': headers.etag! } }), 401)
    assert.equal(await world.as(ANN).status('/api/events/', { headers: { 'if-none-match': '*' } }), 403)
    assert.equal(await olga.status('/api/events/999/', { headers: { 'if-none-match': '*' } }), 404)
  })
  test('an ETag changes with every change, and with page, language and caller', async () => {
    const ann = world.as(ANN, ...SCOPES)
    const etags = new Set<string>()
    await world.addEvent({ seenBy: [OLGA] })
    const note = async (caller: Caller, path: string, language = 'en') =>
      etags.add((await caller.get(path, { headers: { 'accept-language': language } })).headers.etag!)
    await note(olga, '/api/participations/')
    await note(olga, '/api/participations/', 'de')
    await note(olga, '/api/events/')
    await note(olga, '/api/events/?limit=1')
    await world.addEvent({ seenBy: [OLGA] })
    await note(olga, '/api/events/')
    await note(olga, '/api/events/?limit=1')
    await note(ann, '/api/events/')
    await world.db.write.updateTable('event').set({ title: 'Renamed' }).where('id', '=', event.id).execute()
    await note(olga, '/api/events/')
    await note(olga, '/api/shifts/')
    await world.db.write.updateTable('event_type').set({ title: 'Renamed' }).execute()
    await note(olga, '/api/events/')
    await world.addParticipation({ who: ANN, shift: event.shifts[0]!, state: 0 })
    await note(olga, '/api/events/')
    await note(olga, '/api/shifts/')
    assert.equal(etags.size, 12)
  })
})
