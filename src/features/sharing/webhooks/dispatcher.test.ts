import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { transact } from '#platform/db/transaction.ts'
import { makeOutbound, type Outbound } from '#platform/outbound/outbound.ts'
import { addEvent } from '#test/support/fixtures.ts'
import { ANN, BEN, HELPERS } from '#test/support/people.ts'
import { hang, openReceiver, type Receiver, status } from '#test/support/webhook-receiver.ts'
import { addWebhook, LOOPBACK, later, openDispatcher } from '#test/support/webhooks.ts'
import { NOW, openWorld, type World } from '#test/support/world.ts'
import { SLOT_LIMITS, Slots } from './jobs/slots.ts'

const MINUTE = 60_000
/** Longer than any test. */
const NEVER_MS = 2 ** 30
/** A dispatcher with these does not look for work by itself after a slow request, as a process that is killed does not. */
const NO_LOOK = { ...SLOT_LIMITS, slowAfterMs: NEVER_MS }
const outbound = makeOutbound({ allow: ['127.0.0.1'], deadlineMs: NEVER_MS })

const publish = (world: World) => transact(world.db.write, (tx) => addEvent(tx, { seenBy: [HELPERS] }, NOW))

/** A process that is killed during its first request: the request may reach the receiver, and nothing happens afterwards. */
function killedAt(moment: 'before the request' | 'after the answer'): { outbound: Outbound; died: Promise<void> } {
  const { promise: died, resolve } = Promise.withResolvers<void>()
  return {
    died,
    outbound: {
      send: async (url, request) => {
        if (moment === 'after the answer') await outbound.send(url, { ...request, signal: new AbortController().signal })
        resolve()
        return new Promise((_done, fail) => request!.signal!.addEventListener('abort', () => fail(new Error('the test ended'))))
      },
    },
  }
}

describe('a worker that is killed', () => {
  async function prepare(): Promise<{ world: World; receiver: Receiver; ids: number[] }> {
    const world = await openWorld(LOOPBACK)
    const receiver = await openReceiver()
    await addWebhook(world, ANN, { url: receiver.url('/') })
    const ids = []
    for (let count = 0; count < 3; count++) ids.push((await publish(world)).id)
    return { world, receiver, ids }
  }

  for (const moment of ['before the request', 'after the answer'] as const)
    test(`${moment} loses no change: another one sends it, with the same id`, async () => {
      const { world, receiver, ids } = await prepare()
      const killed = killedAt(moment)
      openDispatcher(world, { outbound: killed.outbound, limits: NO_LOOK }).wake()
      await killed.died
      const other = openDispatcher(world)
      // While the lease runs, the first one may still be alive.
      await other.runUntilIdle()
      assert.equal(receiver.received.length, moment === 'after the answer' ? 1 : 0)
      later(world, 2 * MINUTE)
      await other.runUntilIdle()
      const sent = receiver.received.map(({ body }) => JSON.parse(body).id)
      assert.deepEqual(sent, moment === 'after the answer' ? [ids[0], ...ids] : ids)
      // Receivers drop what they know.
      const known = new Map(receiver.received.map(({ id, body }) => [id, JSON.parse(body).id]))
      assert.deepEqual([...known.values()], ids)
    })

  test('keeps its webhooks for ever if leases do not end', async () => {
    const { world, receiver } = await prepare()
    const killed = killedAt('before the request')
    openDispatcher(world, { outbound: killed.outbound, limits: NO_LOOK, leaseMs: 1000 * 365 * 24 * 60 * MINUTE }).wake()
    await killed.died
    later(world, 24 * 60 * MINUTE)
    await openDispatcher(world).runUntilIdle()
    assert.deepEqual(receiver.received, [])
  })

  test('that was only slow does not count what another one has taken over', async () => {
    const { world, receiver, ids } = await prepare()
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    const { promise: reached, resolve: reach } = Promise.withResolvers<void>()
    const slow: Outbound = {
      send: async () => {
        reach()
        await answered
        return { status: 500, headers: {}, text: '' }
      },
    }
    const first = openDispatcher(world, { outbound: slow, limits: NO_LOOK })
    first.wake()
    await reached
    later(world, 2 * MINUTE)
    await openDispatcher(world).runUntilIdle()
    answer()
    await first.runUntilIdle()
    assert.deepEqual(
      receiver.received.map(({ body }) => JSON.parse(body).id),
      ids,
    )
    const { failures } = await world.db.read.selectFrom('webhook_queue').select('failures').executeTakeFirstOrThrow()
    assert.equal(failures, 0)
  })
})

describe('several dispatchers', () => {
  test('share the webhooks and keep the order of each', async () => {
    const world = await openWorld(LOOPBACK)
    const receiver = await openReceiver()
    const paths = Array.from({ length: 8 }, (_, index) => `/${index}`)
    for (const [index, path] of paths.entries())
      await addWebhook(world, index % 2 ? BEN : ANN, { url: receiver.url(path), kinds: ['event'] })
    const ids: number[] = []
    for (let count = 0; count < 20; count++) ids.push((await publish(world)).id)
    const dispatchers = [openDispatcher(world), openDispatcher(world), openDispatcher(world)]
    await Promise.all(dispatchers.map((each) => each.runUntilIdle()))
    for (const path of paths)
      assert.deepEqual(
        receiver.at(path).map(({ body }) => JSON.parse(body).id),
        ids,
      )
    assert.deepEqual(
      dispatchers.flatMap(({ errors }) => errors),
      [],
    )
  })
})

describe('50 receivers that never answer', () => {
  async function prepare(): Promise<{ world: World; receiver: Receiver }> {
    const world = await openWorld(LOOPBACK)
    const receiver = await openReceiver()
    for (let index = 0; index < 50; index++) {
      const owner = await world.addPerson({ name: `Owner ${index}` })
      await world.db.write.insertInto('user_group_member').values({ user_id: owner.id, group_id: HELPERS.id }).execute()
      receiver.answer(`/dead-${index}`, hang)
      await addWebhook(world, owner, { url: receiver.url(`/dead-${index}`), kinds: ['event'] })
    }
    // The last in the queue.
    await addWebhook(world, ANN, { url: receiver.url('/live'), kinds: ['event'] })
    for (let count = 0; count < 5; count++) await publish(world)
    return { world, receiver }
  }

  test('do not delay the one that lives: it gets everything while they hang', async () => {
    const { world, receiver } = await prepare()
    const dispatcher = openDispatcher(world, { outbound })
    dispatcher.wake()
    await receiver.until(() => receiver.at('/live').length === 5)
    // None of them was answered or given up meanwhile.
    assert.ok(dispatcher.busy >= 40, `${dispatcher.busy} busy`)
    const { failed } = await world.db.read
      .selectFrom('webhook_queue')
      .select(({ fn }) => fn.countAll<number>().filterWhere('failures', '>', 0).as('failed'))
      .executeTakeFirstOrThrow()
    assert.equal(failed, 0)
    await dispatcher.stop(0)
  })

  test('would block it if requests kept their slots', async () => {
    const { world, receiver } = await prepare()
    const dispatcher = openDispatcher(world, { outbound, limits: { ...SLOT_LIMITS, slowAfterMs: NEVER_MS } })
    dispatcher.wake()
    await receiver.until(() => receiver.received.length === 20)
    dispatcher.wake()
    assert.deepEqual([dispatcher.busy, receiver.at('/live').length], [20, 0])
    await dispatcher.stop(0)
  })

  test('are cut off when there are too many of them', async () => {
    const { world } = await prepare()
    // Some requests are cut off before they reach the receiver.
    const tried = new Set<string>()
    const { promise: almostAllTried, resolve } = Promise.withResolvers<void>()
    const counting: Outbound = {
      send: (url, request) => {
        if (tried.add(url).size >= 45) resolve()
        return outbound.send(url, request)
      },
    }
    const dispatcher = openDispatcher(world, { outbound: counting, limits: { ...SLOT_LIMITS, slow: 3, slowAfterMs: 20 } })
    dispatcher.wake()
    await almostAllTried
    assert.ok(dispatcher.busy <= 23, `${dispatcher.busy} busy`)
    const { error } = await world.db.read
      .selectFrom('webhook_delivery')
      .select('error')
      .where('state', '=', 'waiting')
      .executeTakeFirstOrThrow()
    // The receiver is at an internal address: its owner, who is no administrator, does not learn how it failed.
    assert.equal(error, 'unreachable')
    await dispatcher.stop(0)
  })
})

test('a batch contains at least one change, however long it took to read it', async () => {
  const world = await openWorld(LOOPBACK)
  const receiver = await openReceiver()
  await addWebhook(world, ANN, { url: receiver.url('/'), kinds: ['event'] })
  const ids = [(await publish(world)).id, (await publish(world)).id]
  await openDispatcher(world, { limits: { ...SLOT_LIMITS, slowAfterMs: 0 } }).runUntilIdle()
  assert.deepEqual(
    receiver.received.map(({ body }) => JSON.parse(body).id),
    ids,
  )
})

test('receivers that failed get few of the slots', () => {
  const slots = new Slots(SLOT_LIMITS)
  for (let count = 0; count < 5; count++) slots.take(true)
  assert.deepEqual([slots.free(true), slots.free(false)], [0, 15])
  const slot = slots.take(false)
  assert.deepEqual([slots.free(false), slots.slowDown(slot), slots.free(false)], [14, true, 15])
})

test('a dispatcher that stops gives its webhooks back and does not count the attempt', async () => {
  const world = await openWorld(LOOPBACK)
  const receiver = await openReceiver()
  receiver.answer('/', hang)
  const { id } = await addWebhook(world, ANN, { url: receiver.url('/') })
  const event = await publish(world)
  const first = openDispatcher(world)
  first.start()
  await receiver.until(() => receiver.received.length === 1)
  await first.stop(0)
  const queue = await world.db.read.selectFrom('webhook_queue').selectAll().where('webhook_id', '=', id).executeTakeFirstOrThrow()
  assert.deepEqual([queue.lease_id, queue.failures], [null, 0])
  receiver.answer('/', status(204))
  await openDispatcher(world).runUntilIdle()
  assert.deepEqual(receiver.told('/'), [`event ${event.id} created`, `event ${event.id} created`])
})

test('a dispatcher that was started learns of a change by itself', async () => {
  const world = await openWorld(LOOPBACK)
  const receiver = await openReceiver()
  await addWebhook(world, ANN, { url: receiver.url('/') })
  // The poll alone would not be in time.
  const dispatcher = openDispatcher(world, { pollMs: NEVER_MS })
  dispatcher.start()
  await dispatcher.runUntilIdle()
  const event = await publish(world)
  await receiver.until(() => receiver.received.length === 1)
  assert.deepEqual(receiver.told('/'), [`event ${event.id} created`])
})
