import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { describe, test } from 'node:test'
import { createServiceAccount } from '#features/access/service-accounts/commands/accounts.ts'
import { startNewFeed } from '#features/sharing/change-feed/commands/sequence.ts'
import { transact } from '#platform/db/transaction.ts'
import { makeOutbound } from '#platform/outbound/outbound.ts'
import { contextAs } from '#test/support/command-context.ts'
import { addEvent, type EventOptions } from '#test/support/fixtures.ts'
import { importSample } from '#test/support/guide.ts'
import { NotificationOutbox } from '#test/support/notification-outbox.ts'
import { ANN, BEN, HELPERS, OLGA, PLANNERS } from '#test/support/people.ts'
import { openReceiver, type Received, status } from '#test/support/webhook-receiver.ts'
import { addWebhook, LOOPBACK, later, openDispatcher } from '#test/support/webhooks.ts'
import { NOW, openWorld } from '#test/support/world.ts'
import { askForResend, askForTest } from './commands/ask.ts'
import { deleteOldDeliveries } from './commands/outcomes.ts'
import { changeWebhook, deleteWebhook, rotateWebhookSecret, setWebhookActive } from './commands/webhooks.ts'
import { findAsked, findDeliveries } from './queries/deliveries.ts'

const HOUR = 3600_000
const world = await openWorld(LOOPBACK)
const receiver = await openReceiver()
const dispatcher = openDispatcher(world)
const outbox = new NotificationOutbox(world)
const ann = () => contextAs(world, ANN)
const publish = (wish: EventOptions = {}) => transact(world.db.write, (tx) => addEvent(tx, { seenBy: [HELPERS], ...wish }, NOW))
const rename = (id: number, title: string) => world.db.write.updateTable('event').set({ title }).where('id', '=', id).execute()
const deliveriesOf = (id: number) =>
  world.db.read.selectFrom('webhook_delivery').selectAll().where('webhook_id', '=', id).orderBy('id').execute()
const webhookOf = (id: number) => world.db.read.selectFrom('webhook').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const queueOf = (id: number) =>
  world.db.read.selectFrom('webhook_queue').selectAll().where('webhook_id', '=', id).executeTakeFirstOrThrow()

let paths = 0
/** A webhook with a path of its own at the receiver; the former ones are deleted. */
async function add(wish: Partial<Parameters<typeof addWebhook>[2]> = {}, owner = ANN) {
  await world.db.write.deleteFrom('webhook').execute()
  const path = `/hook-${++paths}`
  return { path, ...(await addWebhook(world, owner, { url: receiver.url(path), ...wish })) }
}

describe('a webhook', () => {
  test('gets the changes that its owner may see, in order, one per request, as the feed tells them', async () => {
    const { path } = await add()
    const event = await publish({ shifts: [{}] })
    await publish({ seenBy: [PLANNERS] })
    await rename(event.id, 'Renamed')
    await dispatcher.runUntilIdle()
    assert.deepEqual(receiver.told(path), [
      `event ${event.id} created`,
      `shift ${event.shifts[0]} created`,
      `event ${event.id} updated`,
    ])
    const { body } = await world.as(ANN, 'PUBLIC_READ').get('/api/changes/', { query: { after: 'start', limit: 1000 } })
    assert.deepEqual(
      receiver.at(path).map((each) => JSON.parse(each.body)),
      body.results.slice(-3),
    )
    assert.deepEqual(
      receiver.at(path).map(({ id }) => id),
      body.results.slice(-3).map(({ cursor }: { cursor: string }) => cursor),
    )
    assert.deepEqual(dispatcher.errors, [])
  })

  test('starts with the next change, and gets only its kinds and scopes', async () => {
    const before = await publish({ shifts: [{}] })
    await dispatcher.runUntilIdle()
    const { path } = await add({ kinds: ['shift', 'participation'] })
    await world.addParticipation({ who: ANN, shift: before.shifts[0]!, state: 1 })
    const event = await publish({ shifts: [{}] })
    await dispatcher.runUntilIdle()
    assert.deepEqual(receiver.told(path), [`shift ${before.shifts[0]} updated`, `shift ${event.shifts[0]} created`])
  })

  test('signs as Standard Webhooks describes, with both secrets while they are rotated', async () => {
    const { id, path, secret } = await add()
    const rotated = await rotateWebhookSecret(ann(), id, 24)
    await publish()
    await dispatcher.runUntilIdle()
    later(world, 24 * HOUR)
    await publish()
    await dispatcher.runUntilIdle()
    const sign = (key: string, text: string) =>
      `v1,${createHmac('sha256', Buffer.from(key.replace('whsec_', ''), 'base64'))
        .update(text)
        .digest('base64')}`
    const signatures = receiver.at(path).map(({ headers, body }) => {
      const text = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
      return [
        headers['webhook-signature'],
        [rotated!.secret, secret].map((key) => sign(key, text)).join(' '),
        sign(rotated!.secret, text),
      ]
    })
    assert.equal(signatures[0]![0], signatures[0]![1])
    assert.equal(signatures[1]![0], signatures[1]![2])
    assert.equal(receiver.at(path)[1]!.headers['webhook-timestamp'], String(world.now.getTime() / 1000))
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    const { secret_sealed } = await webhookOf(id)
    assert.ok(!secret_sealed.includes(rotated!.secret.slice(6, 20)))
  })

  test('is verified by the sample of the guide', async () => {
    const { isGenuine } = await importSample('isGenuine')
    const { id, path, secret } = await add()
    const rotated = await rotateWebhookSecret(ann(), id, 24)
    await publish()
    await dispatcher.runUntilIdle()
    const [{ headers, body }] = receiver.at(path) as [Received]
    const now = world.now.getTime()
    for (const valid of [secret, rotated!.secret]) assert.equal(isGenuine!(headers, body, valid, now), true)
    const other = `whsec_${Buffer.alloc(32).toString('base64')}`
    assert.equal(isGenuine!(headers, body, other, now), false)
    assert.equal(isGenuine!(headers, `${body} `, secret, now), false)
    assert.equal(isGenuine!({ ...headers, 'webhook-id': 'x' }, body, secret, now), false)
    assert.equal(isGenuine!(headers, body, secret, now + 10 * 60_000), false)
  })

  test('of a person who is deactivated sends nothing, and continues when the account is active again', async () => {
    const { path } = await add({}, BEN)
    await world.setActive(BEN, false)
    const event = await publish()
    await dispatcher.runUntilIdle()
    assert.deepEqual(receiver.told(path), [])
    await world.setActive(BEN, true)
    await dispatcher.runUntilIdle()
    assert.deepEqual(receiver.told(path), [`event ${event.id} created`])
  })

  test('that is paused continues where it stopped', async () => {
    const { id, path } = await add()
    await setWebhookActive(ann(), id, false)
    const event = await publish()
    await dispatcher.runUntilIdle()
    assert.deepEqual(receiver.told(path), [])
    await setWebhookActive(ann(), id, true)
    await dispatcher.runUntilIdle()
    assert.deepEqual(receiver.told(path), [`event ${event.id} created`])
    assert.equal((await queueOf(id)).missed_at, null)
  })

  test('that was paused for longer than changes are kept continues with the oldest kept, and says so', async () => {
    const { id, path } = await add()
    await setWebhookActive(ann(), id, false)
    await publish()
    const kept = await publish()
    await world.as(ANN, 'PUBLIC_READ').get('/api/changes/')
    await transact(world.db.write, async (tx) => {
      const last = await tx
        .selectFrom('change')
        .select('position')
        .where('record_id', '=', kept.id)
        .where('kind', '=', 'event')
        .executeTakeFirstOrThrow()
      await tx.deleteFrom('change').where('position', '<', last.position).execute()
      await tx
        .updateTable('change_feed')
        .set({ removed_through: last.position - 1 })
        .execute()
    })
    await setWebhookActive(ann(), id, true)
    await dispatcher.runUntilIdle()
    assert.deepEqual(receiver.told(path), [`event ${kept.id} created`])
    assert.deepEqual((await queueOf(id)).missed_at, world.now)
  })

  test('continues with the first change of another feed, as after a restored backup', async () => {
    const { id, path } = await add()
    await transact(world.db.write, startNewFeed)
    const event = await publish()
    const fresh = openDispatcher(world)
    await fresh.runUntilIdle()
    assert.deepEqual(receiver.told(path), [`event ${event.id} created`])
    assert.deepEqual((await queueOf(id)).missed_at, world.now)
  })

  test('of a service account sends nothing beyond the scopes that the account has now, and nothing after its expiry', async () => {
    const made = await createServiceAccount(contextAs(world, OLGA), {
      name: 'Robot',
      scopes: ['PUBLIC_READ'],
      groupIds: [HELPERS.id],
      lastDay: '',
      networks: [],
      origins: [],
    })
    assert.ok(made.ok)
    const robot = { ...ANN, id: made.accountId }
    const { path } = await add({}, robot)
    const change = (values: { scopes?: string[]; expires_at?: Date }) =>
      world.db.write.updateTable('service_account').set(values).where('user_id', '=', robot.id).execute()
    const fresh = openDispatcher(world)
    await publish()
    await fresh.runUntilIdle()
    assert.equal(receiver.at(path).length, 1)
    await change({ expires_at: new Date(world.now.getTime() + 1) })
    await publish()
    await fresh.runUntilIdle()
    assert.equal(receiver.at(path).length, 2, 'before its expiry')
    await change({ scopes: ['ME_WRITE'] })
    await publish()
    await fresh.runUntilIdle()
    assert.equal(receiver.at(path).length, 2)
    await change({ scopes: ['PUBLIC_READ'], expires_at: world.now })
    await publish()
    await fresh.runUntilIdle()
    assert.equal(receiver.at(path).length, 2)
  })

  test('that is deleted sends nothing more', async () => {
    const { id, path } = await add()
    await publish()
    await deleteWebhook(ann(), id)
    await dispatcher.runUntilIdle()
    assert.deepEqual(receiver.told(path), [])
  })
})

describe('a receiver that fails', () => {
  test('gets the change again later, and the next one only after it', async () => {
    const { id, path } = await add()
    receiver.answer(path, status(500))
    const [first, second] = [await publish(), await publish()]
    await dispatcher.runUntilIdle()
    await dispatcher.runUntilIdle()
    assert.deepEqual(receiver.told(path), [`event ${first.id} created`])
    receiver.answer(path, status(204))
    later(world, 5_000)
    await dispatcher.runUntilIdle()
    assert.deepEqual(receiver.told(path), [
      `event ${first.id} created`,
      `event ${first.id} created`,
      `event ${second.id} created`,
    ])
    const [one, two] = receiver.at(path)
    assert.equal(one!.id, two!.id)
    const [log] = await deliveriesOf(id)
    assert.deepEqual([log!.state, log!.attempts, log!.status], ['delivered', 2, 204])
    const { failures, failing_since } = await queueOf(id)
    assert.deepEqual([failures, failing_since], [0, null])
  })

  for (const [what, code, headers] of [
    ['redirects', 302, { location: '/elsewhere' }],
    ['answers 400', 400, {}],
    ['answers 503', 503, {}],
  ] as const)
    test(`that ${what} has failed`, async () => {
      const { id, path } = await add()
      receiver.answer(path, status(code, headers))
      await publish()
      await dispatcher.runUntilIdle()
      const [log] = await deliveriesOf(id)
      assert.deepEqual([log!.state, log!.status, log!.error], ['waiting', code, null])
      assert.deepEqual(receiver.at('/elsewhere'), [])
    })

  test('with 410 is switched off at once', async () => {
    const { id, path } = await add()
    receiver.answer(path, status(410))
    await publish()
    await dispatcher.runUntilIdle()
    const { active, off_reason, off_at } = await webhookOf(id)
    assert.deepEqual([active, off_reason, off_at], [false, 'gone', world.now])
    later(world, 24 * HOUR)
    await dispatcher.runUntilIdle()
    assert.equal(receiver.at(path).length, 1)
  })

  test('for three days is switched off, after about 15 attempts, with one entry in the journal', async () => {
    const { id, path } = await add()
    receiver.answer(path, status(500))
    const start = world.now
    await publish()
    for (let attempts = 0; (await webhookOf(id)).active && attempts < 50; attempts++) {
      await dispatcher.runUntilIdle()
      const { next_at } = await queueOf(id)
      if (next_at > world.now) world.now = next_at
    }
    const { active, off_reason, off_at } = await webhookOf(id)
    assert.deepEqual([active, off_reason, off_at!.getTime() - start.getTime()], [false, 'failing', 72 * HOUR])
    assert.ok(receiver.at(path).length >= 10 && receiver.at(path).length <= 20, String(receiver.at(path).length))
    const entries = await world.db.read
      .selectFrom('journal')
      .select(['kind', 'actor_kind', 'changes'])
      .where('kind', '=', 'webhook.switched_off')
      .where('subject_id', '=', id)
      .execute()
    assert.deepEqual(entries, [
      { kind: 'webhook.switched_off', actor_kind: 'system', changes: { name: 'Roster', reason: 'failing' } },
    ])
    receiver.answer(path, status(204))
    await setWebhookActive(ann(), id, true)
    await dispatcher.runUntilIdle()
    assert.equal((await deliveriesOf(id))[0]!.state, 'delivered')
  })

  test('at an address that is not public is never asked', async () => {
    const { id, path } = await add()
    const strict = openDispatcher(world, { outbound: makeOutbound({ allow: [] }) })
    await publish()
    await strict.runUntilIdle()
    const [log] = await deliveriesOf(id)
    assert.deepEqual([log!.state, log!.status, log!.error, receiver.at(path).length], ['waiting', null, 'forbidden', 0])
  })

  test('that refuses the connection is named so in the log, in an internal network to administrators only', async () => {
    const { id } = await add({ url: 'http://127.0.0.1:1/' })
    const { id: idOfOlga } = await addWebhook(world, OLGA, { url: 'http://127.0.0.1:1/' })
    await publish()
    await dispatcher.runUntilIdle()
    const [log] = await deliveriesOf(id)
    assert.deepEqual([log!.state, log!.error, log!.duration_ms], ['waiting', 'unreachable', null])
    const [logOfOlga] = await deliveriesOf(idOfOlga)
    assert.deepEqual([logOfOlga!.state, logOfOlga!.error], ['waiting', 'refused'])
    assert.notEqual(logOfOlga!.duration_ms, null)
  })

  test('at a name that does not exist and at one of the internal network fail alike', async () => {
    const names: Record<string, () => Promise<string[]>> = {
      'missing.example': () => Promise.reject(Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' })),
      'unsure.example': () => Promise.reject(Object.assign(new Error('getaddrinfo'), { code: 'EAI_AGAIN' })),
      'intranet.example': async () => ['10.0.0.1'],
      'metadata.example': async () => ['169.254.169.254'],
    }
    const outbound = makeOutbound({ allow: [], resolve: (host) => names[host]!() })
    const strict = openDispatcher(world, { outbound })
    const ids = [(await add({ url: 'https://missing.example/' })).id]
    for (const name of Object.keys(names).slice(1)) ids.push((await addWebhook(world, ANN, { url: `https://${name}/` })).id)
    await publish()
    await strict.runUntilIdle()
    for (const id of ids) {
      const [log] = await deliveriesOf(id)
      assert.deepEqual([log!.state, log!.status, log!.error], ['waiting', null, 'forbidden'])
    }
  })

  describe('whose name leads to this machine', () => {
    const send = async (isAllowed?: () => boolean) => {
      let lookups = 0
      // Nothing listens at the first address, which stands for a public one.
      const resolve = async () => [lookups++ === 0 ? '127.0.0.9' : '127.0.0.1']
      const outbound = makeOutbound({
        allow: [],
        resolve,
        isAllowed: isAllowed ?? ((_allowed, { address }) => address === '127.0.0.9'),
      })
      const strict = openDispatcher(world, { outbound })
      const { id } = await add({ url: `http://hook.example:${receiver.port}/rebound` })
      const before = receiver.at('/rebound').length
      for (let n = 0; n < 2; n++) {
        await publish()
        await strict.runUntilIdle()
        await world.db.write.updateTable('webhook_queue').set({ next_at: world.now }).where('webhook_id', '=', id).execute()
      }
      return receiver.at('/rebound').length - before
    }
    test('gets nothing, also if the name led elsewhere a moment ago', async () => assert.equal(await send(), 0))
    test('twin: without the check of addresses it gets what changed', async () => assert.ok((await send(() => true)) > 0))
  })

  test('is asked at once after its address was changed', async () => {
    const { id, path } = await add({ url: 'http://127.0.0.1:1/' })
    const event = await publish()
    await dispatcher.runUntilIdle()
    await changeWebhook(ann(), id, { url: receiver.url(path) })
    await dispatcher.runUntilIdle()
    assert.deepEqual(receiver.told(path), [`event ${event.id} created`])
  })
})

describe('a receiver that refuses changes', () => {
  /** Sends and waits for the next attempt, so often. */
  async function attempt(id: number, times: number): Promise<void> {
    for (let count = 0; count < times; count++) {
      await dispatcher.runUntilIdle()
      const { next_at } = await queueOf(id)
      if (next_at > world.now) world.now = next_at
    }
  }
  const statesOf = async (id: number) =>
    (await deliveriesOf(id)).map(({ state, attempts, status }) => `${state} ${attempts} ${status}`)
  const refusing =
    (eventId: number, code = 422) =>
    (response: ServerResponse, { body }: Received) =>
      void response.writeHead(JSON.parse(body).id === eventId ? code : 204).end()

  test('gets the next ones after the fifth refusal, and its owner is told', async () => {
    const { id, path } = await add()
    const [first, second] = [await publish(), await publish()]
    receiver.answer(path, refusing(first.id))
    await attempt(id, 4)
    assert.deepEqual(await statesOf(id), ['waiting 4 422'])
    await attempt(id, 1)
    assert.deepEqual(await statesOf(id), ['refused 5 422', 'delivered 1 204'])
    assert.equal(receiver.told(path).at(-1), `event ${second.id} created`)
    const { failures, failing_since, refusals, passed_over, refused_at } = await queueOf(id)
    assert.deepEqual([failures, failing_since, refusals, passed_over, refused_at], [0, null, 0, 0, world.now])
    const entries = await world.db.read
      .selectFrom('journal')
      .select(['actor_kind', 'changes'])
      .where('kind', '=', 'webhook.refused')
      .where('subject_id', '=', id)
      .execute()
    assert.deepEqual(entries, [
      { actor_kind: 'system', changes: { name: 'Roster', status: 422, kind: 'event', record: first.id } },
    ])
    await outbox.readJournal()
    await outbox.sendQueued()
    assert.deepEqual(
      outbox.sent.map(({ to, subject }) => [to, subject]),
      [[ANN.email, 'The receiver of your webhook “Roster” refused a change']],
    )
  })

  test('is reported once a day', async () => {
    const { id, path } = await add()
    receiver.answer(path, status(400))
    await publish()
    await publish()
    await attempt(id, 10)
    assert.deepEqual(await statesOf(id), ['refused 5 400', 'refused 5 400'])
    const entries = () =>
      world.db.read
        .selectFrom('journal')
        .select('id')
        .where('kind', '=', 'webhook.refused')
        .where('subject_id', '=', id)
        .execute()
    assert.equal((await entries()).length, 1)
    later(world, 24 * HOUR)
    await publish()
    await attempt(id, 5)
    assert.equal((await entries()).length, 2)
  })

  for (const code of [401, 404, 429, 503])
    test(`waits with ${code}, which is no judgement of the change`, async () => {
      const { id, path } = await add()
      const first = await publish()
      await publish()
      receiver.answer(path, refusing(first.id, code))
      await attempt(id, 7)
      assert.deepEqual(await statesOf(id), [`waiting 7 ${code}`])
    })

  test('counts only refusals in a row', async () => {
    const { id, path } = await add()
    await publish()
    for (const code of [400, 503, 400, 400, 503, 400, 400]) {
      receiver.answer(path, status(code))
      await attempt(id, 1)
    }
    assert.deepEqual(await statesOf(id), ['waiting 7 400'])
  })

  test('fails if it refuses more than ten in a row, until it accepts one', async () => {
    const { id, path } = await add()
    receiver.answer(path, status(400))
    for (let count = 0; count < 12; count++) await publish()
    await attempt(id, 47)
    const refused = Array.from({ length: 10 }, () => 'refused 5 400')
    assert.deepEqual(await statesOf(id), [...refused, 'waiting 7 400'])
    receiver.answer(path, status(204))
    await attempt(id, 1)
    assert.deepEqual(await statesOf(id), [...refused, 'delivered 8 204', 'delivered 1 204'])
    assert.equal((await queueOf(id)).passed_over, 0)
  })

  test('can be sent the refused change again', async () => {
    const { id, path } = await add()
    receiver.answer(path, status(400))
    await publish()
    await attempt(id, 5)
    const [log] = await deliveriesOf(id)
    receiver.answer(path, status(204))
    assert.deepEqual(await askForResend(ann(), id, log!.id), { ok: true })
    await dispatcher.runUntilIdle()
    assert.deepEqual(await statesOf(id), ['delivered 6 204'])
  })
})

describe('a change that waits', () => {
  test('is not sent any more when the owner may no longer see it', async () => {
    const { id, path } = await add()
    receiver.answer(path, status(500))
    const event = await publish()
    await dispatcher.runUntilIdle()
    await transact(world.db.write, (tx) =>
      tx.deleteFrom('user_group_member').where('user_id', '=', ANN.id).where('group_id', '=', HELPERS.id).execute(),
    )
    receiver.answer(path, status(204))
    later(world, 5_000)
    await dispatcher.runUntilIdle()
    await transact(world.db.write, (tx) =>
      tx.insertInto('user_group_member').values({ user_id: ANN.id, group_id: HELPERS.id }).execute(),
    )
    assert.deepEqual(receiver.told(path), [`event ${event.id} created`])
    assert.deepEqual(
      (await deliveriesOf(id)).map(({ state }) => state),
      ['skipped'],
    )
  })

  for (const [code, state] of [
    [500, 'waiting'],
    [204, 'delivered'],
  ] as const)
    test(`is logged as it was sent last (${state}), if the owner sees it in another way by then`, async () => {
      const { id, path } = await add({ kinds: ['event'] })
      const event = await publish()
      await dispatcher.runUntilIdle()
      receiver.answer(path, status(500))
      await transact(world.db.write, async (tx) => {
        await tx.deleteFrom('event_group_grant').where('event_id', '=', event.id).execute()
        await tx
          .insertInto('event_group_grant')
          .values({ event_id: event.id, group_id: PLANNERS.id, permission: 'view' })
          .execute()
      })
      await dispatcher.runUntilIdle()
      const logged = async () => {
        const log = (await deliveriesOf(id)).at(-1)!
        return [log.state, log.attempts, log.what, JSON.parse(log.body!).what]
      }
      assert.deepEqual(await logged(), ['waiting', 1, 'gone', 'gone'])
      const member = { user_id: ANN.id, group_id: PLANNERS.id }
      await transact(world.db.write, (tx) => tx.insertInto('user_group_member').values(member).execute())
      receiver.answer(path, status(code))
      later(world, 5_000)
      await dispatcher.runUntilIdle()
      assert.deepEqual(await logged(), [state, 2, 'updated', 'updated'])
      assert.equal(receiver.told(path).at(-1), `event ${event.id} updated`)
      await transact(world.db.write, (tx) =>
        tx.deleteFrom('user_group_member').where('user_id', '=', ANN.id).where('group_id', '=', PLANNERS.id).execute(),
      )
    })
})

describe('a person', () => {
  test('can send a test, also while the webhook is paused', async () => {
    const { id, path } = await add({ active: false })
    await askForTest(ann(), id)
    await dispatcher.runUntilIdle()
    assert.deepEqual(receiver.told(path), [`test ${id} updated`])
    const [log] = await deliveriesOf(id)
    assert.deepEqual([log!.kind, log!.state, log!.status, log!.attempts, log!.asked_at], ['test', 'delivered', 204, 1, null])
  })

  test('sees that a test failed, and it is not attempted again', async () => {
    const { id, path } = await add()
    receiver.answer(path, status(500))
    await askForTest(ann(), id)
    await dispatcher.runUntilIdle()
    later(world, HOUR)
    await dispatcher.runUntilIdle()
    const [log] = await deliveriesOf(id)
    assert.deepEqual([log!.state, log!.status, log!.attempts], ['failed', 500, 1])
    assert.equal((await queueOf(id)).failures, 0)
  })

  test('can send a delivery again, with the same id and body', async () => {
    const { id, path } = await add()
    await publish()
    await dispatcher.runUntilIdle()
    const [log] = await deliveriesOf(id)
    assert.deepEqual(await askForResend(ann(), id, log!.id), { ok: true })
    assert.deepEqual(await askForResend(ann(), id, log!.id), { ok: false, reason: 'still_waiting' })
    await dispatcher.runUntilIdle()
    const [one, two] = receiver.at(path)
    assert.deepEqual([one!.id, one!.body], [two!.id, two!.body])
    assert.deepEqual(
      (await deliveriesOf(id)).map(({ attempts, state }) => [attempts, state]),
      [[2, 'delivered']],
    )
  })

  test('cannot send a delivery again by another webhook of the same person', async () => {
    const { id } = await add()
    await publish()
    await dispatcher.runUntilIdle()
    const [log] = await deliveriesOf(id)
    const other = await addWebhook(world, ANN, { url: receiver.url('/other') })
    assert.equal(await askForResend(ann(), other.id, log!.id), undefined)
    assert.deepEqual(await askForResend(ann(), id, log!.id), { ok: true })
  })

  test('can ask for the next attempt at once', async () => {
    const { id, path } = await add()
    receiver.answer(path, status(500))
    await publish()
    await dispatcher.runUntilIdle()
    receiver.answer(path, status(204))
    const [log] = await deliveriesOf(id)
    await askForResend(ann(), id, log!.id)
    await dispatcher.runUntilIdle()
    assert.deepEqual(
      (await deliveriesOf(id)).map(({ attempts, state }) => [attempts, state]),
      [[2, 'delivered']],
    )
  })
})

test('the log has the deliveries of one webhook, the newest first, in pages; those that were asked for come by the time of asking', async () => {
  const [own, other] = [await add(), await addWebhook(world, ANN, { url: receiver.url('/other') })]
  const insert = async (webhook_id: number, n: number, asked_at: Date | null) => {
    const values = {
      webhook_id,
      message_id: `m${webhook_id}-${n}`,
      kind: 'event',
      record_id: n,
      what: 'visible',
      body: `body ${n}`,
    }
    const row = { ...values, state: 'delivered', attempts: n, created_at: world.now, asked_at }
    return (await world.db.write.insertInto('webhook_delivery').values(row).returning('id').executeTakeFirstOrThrow()).id
  }
  const soon = new Date(world.now.getTime() + 1000)
  const ids = [await insert(own.id, 1, soon), await insert(own.id, 2, world.now), await insert(own.id, 3, null)]
  await insert(other.id, 4, world.now)
  ids.push(await insert(own.id, 5, soon))
  const [first, second, third, fourth] = ids as [number, number, number, number]
  const read = async (limit: number, before?: number) =>
    (await findDeliveries(world.db.read, own.id, { limit, before })).map(({ id, isAsked }) => [id, isAsked])
  assert.deepEqual(await read(10), [
    [fourth, true],
    [third, false],
    [second, true],
    [first, true],
  ])
  assert.deepEqual(await read(2), (await read(10)).slice(0, 2))
  assert.deepEqual(await read(10, third), (await read(10)).slice(2), 'the one before is not repeated')
  assert.deepEqual(await read(1, third), (await read(10)).slice(2, 3))
  assert.deepEqual(await findAsked(world.db.read, own.id), [
    { id: second, messageId: `m${own.id}-2`, body: 'body 2' },
    { id: first, messageId: `m${own.id}-1`, body: 'body 1' },
    { id: fourth, messageId: `m${own.id}-5`, body: 'body 5' },
  ])
  await world.db.write.deleteFrom('webhook').execute()
})

test('the log is kept for 30 days', async () => {
  const { id } = await add()
  await publish()
  await dispatcher.runUntilIdle()
  later(world, 29 * 24 * HOUR)
  await deleteOldDeliveries(world.db.write, world.now)
  assert.equal((await deliveriesOf(id)).length, 1)
  later(world, 2 * 24 * HOUR)
  await deleteOldDeliveries(world.db.write, world.now)
  assert.deepEqual(await deliveriesOf(id), [])
})
