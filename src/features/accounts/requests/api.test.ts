import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { requestHours } from '#features/on-the-day/hours/commands.ts'
import { actorOf, contextAs, contextOf } from '#test/support/command-context.ts'
import { journalOf } from '#test/support/journal.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL, type Person, PLANNERS, VERA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { decideRequest, withdrawRequest } from './commands.ts'

describe('requests decided by the API', async () => {
  const world = await openWorld()
  await world.db.write
    .insertInto('group_grant')
    .values({ group_id: PLANNERS.id, target_group_id: HELPERS.id, permission: 'decide_working_hours_for_group' })
    .execute()
  const paul = world.as(PAUL, 'CONFIDENTIAL_WRITE', 'CONFIDENTIAL_READ')
  const ask = async (person: Person): Promise<number> => {
    await requestHours(contextAs(world, person), { date: '2031-04-02', hours: 2, reason: 'Cleaned' })
    const { rows } = {
      rows: await world.db.read.selectFrom('decision_request').select('id').orderBy('id', 'desc').limit(1).execute(),
    }
    return rows[0]!.id
  }
  const addressOf = (id: number, what: 'approve' | 'reject') => `/api/requests/${id}/${what}/`
  const hoursOf = async ({ id }: Person) =>
    (await world.db.read.selectFrom('working_hours').select('id').where('user_id', '=', id).execute()).length
  const entriesOf = async ({ id }: Person) =>
    (await journalOf(world, 'user', id)).map(({ kind, changes }) => ({ kind, ...(changes as object), request: 0, entry: 0 }))

  test('approving writes the hours, and tells the request', async () => {
    const id = await ask(ANN)
    const { status, body } = await paul.post(addressOf(id, 'approve'), { comment: 'Thanks' })
    assert.equal(status, 200)
    const { created_at, decided_at, text, ...rest } = body
    assert.deepEqual(rest, { id, kind: 'working_hours', user: ANN.id, state: 'granted', comment: 'Thanks' })
    assert.match(text, /Cleaned/)
    assert.ok(created_at && decided_at)
    assert.equal(await hoursOf(ANN), 1)
  })

  test('those who decide find requests, by state; withdrawn ones are not shown', async () => {
    const person = await world.addPerson({ name: 'Asker' })
    const [one, two, three] = [await ask(person), await ask(person), await ask(person)]
    await world.as(OLGA, 'CONFIDENTIAL_WRITE', 'CONFIDENTIAL_READ').post(addressOf(two, 'reject'))
    await withdrawRequest(contextAs(world, person), three)
    const olga = world.as(OLGA, 'CONFIDENTIAL_READ')
    const open = await olga.ids('/api/requests/', { state: 'open' })
    assert.ok(open.includes(one) && !open.includes(two) && !open.includes(three))
    assert.deepEqual(await olga.ids('/api/requests/', { state: 'refused' }), [two])
    assert.equal((await olga.get(`/api/requests/${one}/`)).body.state, 'open')
    assert.equal(await olga.status(`/api/requests/${three}/`), 404)
    assert.equal(await olga.status('/api/requests/?state=withdrawn'), 400)
    // Paul decides about Helpers only.
    assert.equal(await world.as(PAUL, 'CONFIDENTIAL_READ').status(`/api/requests/${one}/`), 404)
    assert.deepEqual(await world.as(person, 'CONFIDENTIAL_READ').ids('/api/requests/'), [])
  })

  test('the journal entries are those of the page', async () => {
    const [one, two] = [await world.addPerson({ name: 'One' }), await world.addPerson({ name: 'Two' })]
    const olga = world.as(OLGA, 'CONFIDENTIAL_WRITE', 'CONFIDENTIAL_READ')
    await decideRequest(contextAs(world, OLGA), {
      id: await ask(one),
      decision: 'grant',
      comment: '',
      needsFourEyes: false,
    })
    await olga.post(addressOf(await ask(two), 'approve'))
    assert.deepEqual(await entriesOf(two), await entriesOf(one))
    assert.equal((await entriesOf(one)).length, 3)
  })

  test('rejecting writes nothing; a decided request is refused, and approving reverts a rejection', async () => {
    const id = await ask(BEN)
    assert.equal((await paul.post(addressOf(id, 'reject'))).body.state, 'refused')
    assert.equal(await hoursOf(BEN), 0)
    const again = await paul.post(addressOf(id, 'reject'))
    assert.deepEqual([again.status, again.body.errors[0].code], [409, 'decided'])
    assert.equal((await paul.post(addressOf(id, 'approve'))).body.state, 'granted')
    assert.equal((await paul.post(addressOf(id, 'approve'))).status, 409)
    assert.equal(await hoursOf(BEN), 1)
  })

  test('a dry run writes nothing', async () => {
    const person = await world.addPerson({ name: 'Dry' })
    const id = await ask(person)
    const { status, body } = await world
      .as(OLGA, 'CONFIDENTIAL_WRITE', 'CONFIDENTIAL_READ')
      .post(addressOf(id, 'approve'), {}, { query: 'dry_run=true' })
    assert.deepEqual([status, body.state, await hoursOf(person)], [200, 'granted', 0])
  })

  test('the command itself needs the scope of a token, too', async () => {
    const actor = actorOf(OLGA, { via: { kind: 'token', tokenId: 1, scopes: new Set(['ME_WRITE']) } })
    const input = { id: await ask(ANN), decision: 'grant', comment: '', needsFourEyes: false } as const
    await assert.rejects(decideRequest(contextOf(world, actor), input), /permission_denied/)
  })

  test('only deciders, only with the scope, and with an If-Match only that version', async () => {
    const id = await ask(ANN)
    for (const person of [ANN, BEN, VERA])
      assert.equal((await world.as(person, 'CONFIDENTIAL_WRITE').post(addressOf(id, 'approve'))).status, 404, person.name)
    assert.equal((await world.as(PAUL, 'ME_WRITE', 'CONFIDENTIAL_READ').post(addressOf(id, 'approve'))).status, 403)
    assert.equal((await paul.post(addressOf(id, 'approve'), {}, { headers: { 'if-match': '"other"' } })).status, 412)
    const others = await ask(VERA)
    assert.equal((await paul.post(addressOf(others, 'approve'))).status, 404)
    const long = await paul.post(addressOf(id, 'approve'), { comment: 'x'.repeat(1001) })
    assert.deepEqual([long.status, long.body.errors[0].pointer], [400, '/comment'])
  })
})
