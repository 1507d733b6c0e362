import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ENDPOINTS } from '#endpoints'
import { SCOPES } from '#platform/auth/scopes.ts'
import type { Caller } from '#test/support/api-client.ts'
import { addApiRecords, addRemovedShift, addWaitingEntry, idOfRecord } from '#test/support/api-records.ts'
import type { Json } from '#test/support/api-response.ts'
import { ANN, BEN, HELPERS, NORD, OLGA, PAUL, VERA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

describe('fields and include', async () => {
  const world = await openWorld()
  const records = await addApiRecords(world, [OLGA])
  const type = await world.addType({ title: 'Closed', showParticipantData: 2 })
  const event = await world.addEvent({ type, seenBy: [HELPERS], responsible: [PAUL], sharedWith: [NORD], shifts: [{}, {}] })
  const rows: number[] = []
  for (const who of [ANN, BEN, OLGA]) rows.push(await world.addParticipation({ who, shift: event.shifts[0]! }))
  rows.push(await world.addParticipation({ who: BEN, shift: event.shifts[1]!, state: 0 }))
  await world.addParticipation({ who: VERA, shift: event.shifts[1]!, state: 2 })
  const empty = await world.addEvent({ seenBy: [HELPERS] })
  await world.db.write.insertInto('building_block').values({ name: 'Ambulance', block_type: 'atomic' }).execute()
  const olga = world.as(OLGA, ...SCOPES)
  const draft = await world.addEvent({ draft: true })
  const stopped = await world.addEvent({ cancelled: true, shifts: [{}] })
  const stoppedRow = await world.addParticipation({ who: OLGA, shift: stopped.shifts[0]! })
  const removed = await addRemovedShift(world, { eventId: event.id, participant: ANN })
  const waiting = await addWaitingEntry(world, { shift: event.shifts[0]!, who: OLGA })
  const callerOf = (path: string): Caller => (path.includes('federation') ? world.partner(NORD) : olga)
  const addressOf = (path: string): string => {
    const kinds: [part: string, id: number][] = [
      ['drafts', draft.id],
      ['participations/cancelled', stoppedRow],
      ['cancelled', stopped.id],
      ['removed', removed],
      ['me/waiting-list', waiting],
      ['participations', rows[2]!],
      ['shifts', event.shifts[0]!],
      ['users', OLGA.id],
      ['events', event.id],
    ]
    const id = idOfRecord(path, records, OLGA) ?? kinds.find(([part]) => path.includes(part))?.[1] ?? 1
    return path.replace('{id}', String(id)).replace('{user}', String(OLGA.id)).replace('{email}', OLGA.email)
  }

  for (const endpoint of ENDPOINTS) {
    if (endpoint.kind !== 'list' && endpoint.kind !== 'record') continue
    test(`${endpoint.path} returns the chosen fields as they are in the whole record`, async () => {
      const caller = callerOf(endpoint.path)
      const address = addressOf(endpoint.path)
      const whole = (await caller.get(address)).body
      const recordsOf = (body: Json): Json[] => (endpoint.kind === 'list' ? body.results : [body])
      const names = Object.keys(recordsOf(whole)[0] ?? {})
      for (const chosen of [names.slice(0, 1), names.slice(-1), names.slice(1, 3).reverse(), names]) {
        if (!chosen.length) continue
        const { body } = await caller.get(address, { query: { fields: ` ${chosen.join(' , ')},` } })
        const expected = recordsOf(whole).map((record) =>
          Object.fromEntries(Object.entries(record).filter(([name]) => chosen.includes(name))),
        )
        assert.equal(JSON.stringify(recordsOf(body)), JSON.stringify(expected))
      }
      const wrong = await caller.get(address, { query: { fields: ['nothing', 'toString,__proto__'] } })
      assert.equal(wrong.status, 400)
      assert.deepEqual(
        wrong.body.errors.map(({ parameter, code }: Json) => [parameter, code]),
        [1, 2, 3].map(() => ['fields', 'unknown_field']),
      )
      assert.equal((await caller.get(address, { query: { fields: '' } })).text, (await caller.get(address)).text)
    })
  }
  test('a record has the same strong ETag whatever fields says, and none with what is included', async () => {
    const address = `/api/events/${event.id}/`
    const { etag } = (await olga.get(address)).headers
    assert.match(etag!, /^"/)
    assert.equal((await olga.get(`${address}?fields=id,title`)).headers.etag, etag)
    assert.equal((await olga.get(`${address}?include=participations`)).headers.etag, undefined)
    const indented = await olga.get(address, { headers: { accept: 'application/json; indent=4' }, unchecked: true })
    assert.equal(indented.headers.etag, `W/${etag}`)
    const planner = world.as(OLGA, 'PUBLIC_READ', 'PUBLIC_WRITE')
    assert.equal((await planner.patch(address, {}, indented.headers.etag!)).status, 200)
  })
  test('fields of a list have an ETag of their own', async () => {
    const [plain, some] = await Promise.all(['/api/events/', '/api/events/?fields=id'].map((path) => olga.get(path)))
    assert.notEqual(plain!.headers.etag, some!.headers.etag)
    assert.equal(await olga.status('/api/events/?fields=id', { headers: { 'if-none-match': some!.headers.etag! } }), 304)
  })

  for (const [person, name] of [
    [OLGA, 'an administrator'],
    [PAUL, 'a responsible'],
    [ANN, 'a participant'],
    [BEN, 'another participant'],
  ] as const)
    test(`include=participations adds what ${name} sees in the list of participations`, async () => {
      const caller = world.as(person, 'PUBLIC_READ', 'CONFIDENTIAL_READ')
      const seen: Json[] = (await caller.get('/api/participations/')).body.results
      assert.ok(seen.length > 0)
      for (const [list, key] of [
        ['/api/events/', 'event'],
        ['/api/shifts/', 'shift'],
      ] as const) {
        const { body } = await caller.get(list, { query: { include: 'participations' } })
        const plain = (await caller.get(list)).body
        assert.deepEqual(
          body.results,
          plain.results.map((record: Json) => ({ ...record, participations: seen.filter((each) => each[key] === record.id) })),
        )
        assert.equal(body.count, plain.count)
        const id = key === 'event' ? event.id : event.shifts[0]
        const one = await caller.get(`${list}${id}/?include=participations&fields=id`)
        assert.deepEqual(one.body, { id, participations: seen.filter((each) => each[key] === id) })
      }
    })
  test('an event without participations has an empty list', async () => {
    const { body } = await olga.get(`/api/events/${empty.id}/?include=participations`)
    assert.deepEqual(body.participations, [])
  })
  test('include needs the scope of what is included, and names it', async () => {
    for (const path of ['/api/events/', `/api/events/${event.id}/`, '/api/shifts/']) {
      const { status, body, headers } = await world.as(OLGA, 'PUBLIC_READ').get(path, { query: { include: 'participations' } })
      assert.deepEqual([status, body.code], [403, 'insufficient_scope'])
      assert.match(headers['www-authenticate']!, /scope="CONFIDENTIAL_READ"/)
    }
  })
  test('include refuses what there is not, and endpoints without includes ignore it', async () => {
    const { status, body } = await olga.get('/api/events/?include=people,participations,files')
    assert.equal(status, 400)
    assert.deepEqual(
      body.errors.map(({ parameter, code }: Json) => [parameter, code]),
      [
        ['include', 'invalid_choice'],
        ['include', 'invalid_choice'],
      ],
    )
    assert.equal(await olga.status('/api/users/?include=people'), 200)
    assert.equal((await olga.get('/api/events/?fields=participations')).status, 400)
  })
  test('a change of a participation changes the ETag of a page that includes it', async () => {
    const url = '/api/events/?include=participations'
    const { etag } = (await olga.get(url)).headers
    assert.equal(await olga.status(url, { headers: { 'if-none-match': etag! } }), 304)
    await world.db.write.updateTable('user_profile').set({ display_name: 'Benjamin' }).where('id', '=', BEN.id).execute()
    assert.equal(await olga.status(url, { headers: { 'if-none-match': etag! } }), 200)
  })
  test('a page with included records has at most 100 of them', async () => {
    const { body } = await olga.get('/api/events/?include=participations&limit=1000&cursor=')
    assert.equal(body.next, null)
    const many = Array.from({ length: 110 }, (_, n) => ({ title: `More ${n}`, location: '', type_id: type, active: true }))
    await world.db.write.insertInto('event').values(many).execute()
    const page = (await olga.get('/api/events/?include=participations&limit=1000')).body
    assert.deepEqual([page.results.length, page.count], [100, 112])
    assert.match(page.next, /limit=100&offset=100/)
  })
})
