import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { hashSecret } from '#platform/auth/secrets.ts'
import { transact } from '#platform/db/transaction.ts'
import { makeOutbound } from '#platform/outbound/outbound.ts'
import { contextAs, contextOf, VISITOR } from '#test/support/command-context.ts'
import { ANN, BEN, OLGA, type Person } from '#test/support/people.ts'
import { startPushService } from '#test/support/push-service.ts'
import { openWorld, SITE_URL } from '#test/support/world.ts'
import { addPushDevice, ensurePushKeys, MAX_PUSH_DEVICES, removePushDevice, removePushDevicesOf } from './commands/devices.ts'
import { deletePushDevices, markPushDevicesUsed, sendToDevices } from './commands/sending.ts'
import { findPushDevices, findPushTargets } from './queries.ts'
import { pushSubscriptionForm } from './schema.ts'

const NOW = new Date('2031-05-01T10:00:00Z')
const BROWSER = { device: 'device-of-ann', userAgent: 'Mozilla/5.0 (Linux; Android 14) Chrome/140.0 Mobile' }

describe('push messages', async () => {
  const world = await openWorld()
  const service = await startPushService()
  after(() => service.stop())
  beforeEach(async () => {
    world.now = NOW
    await world.db.write.deleteFrom('push_device').execute()
  })

  const subscribe = (who: Person, name: string, browser = BROWSER) =>
    addPushDevice(contextAs(world, who), browser, pushSubscriptionForm.parse(service.subscribe(name)))
  const devices = () => world.db.read.selectFrom('push_device').select(['user_id', 'endpoint']).orderBy('id').execute()

  describe('devices', () => {
    const journal = async () =>
      (
        await world.db.read
          .selectFrom('journal')
          .select(['kind', 'actor_id', 'subject_kind', 'subject_id'])
          .where('kind', 'like', 'push_device%')
          .orderBy('id')
          .execute()
      ).map(({ kind, actor_id, subject_kind, subject_id }) => [kind, actor_id, subject_kind, subject_id])
    beforeEach(async () => {
      await world.db.write.deleteFrom('journal').where('kind', 'like', 'push_device%').execute()
    })

    test('the same browser is one device with its last keys, also for the next person who signs in there', async () => {
      const keys = pushSubscriptionForm.parse(service.subscribe('shared'))
      const renewed = { ...pushSubscriptionForm.parse(service.subscribe('other')), endpoint: keys.endpoint }
      await addPushDevice(contextAs(world, ANN), BROWSER, keys)
      const stored = () => world.db.read.selectFrom('push_device').selectAll().execute()
      const [first] = await stored()
      assert.deepEqual([first!.p256dh, first!.auth, first!.user_agent], [keys.p256dh, keys.auth, BROWSER.userAgent])
      world.now = new Date(NOW.getTime() + 1000)
      await addPushDevice(contextAs(world, ANN), { device: 'reset', userAgent: 'Firefox' }, renewed)
      const [again, ...more] = await stored()
      assert.deepEqual(
        [again, more],
        [
          {
            ...first!,
            device_hash: hashSecret('reset'),
            p256dh: renewed.p256dh,
            auth: renewed.auth,
            user_agent: 'Firefox',
          },
          [],
        ],
      )
      await addPushDevice(contextAs(world, BEN), BROWSER, keys)
      assert.deepEqual(
        (await devices()).map(({ user_id }) => user_id),
        [BEN.id],
      )
      assert.deepEqual(
        await journal(),
        [
          ['push_device.added', ANN.id, 'user', ANN.id],
          ['push_device.added', BEN.id, 'user', BEN.id],
        ],
        'new keys are nothing new',
      )
    })

    test('are limited for each person: the oldest makes room', async () => {
      const namesOf = async (person: Person) =>
        (await devices()).filter(({ user_id }) => user_id === person.id).map(({ endpoint }) => endpoint.split('/').at(-1))
      await subscribe(BEN, 'of-ben')
      const names = Array.from({ length: MAX_PUSH_DEVICES + 1 }, (_, at) => `device-${at}`)
      for (const name of names.slice(0, MAX_PUSH_DEVICES)) await subscribe(ANN, name)
      assert.deepEqual(await namesOf(ANN), names.slice(0, MAX_PUSH_DEVICES))
      await subscribe(ANN, names.at(-1)!)
      assert.deepEqual(await namesOf(ANN), names.slice(1))
      assert.deepEqual(await namesOf(BEN), ['of-ben'])
      const shown = await findPushDevices(world.db.read, ANN.id)
      const targets = await findPushTargets(world.db.read, ANN.id)
      assert.deepEqual(
        shown.map(({ id }) => id),
        targets.map(({ id }) => id).reverse(),
        'the newest first',
      )
      assert.deepEqual(
        [shown[0]!.userAgent, shown[0]!.createdAt, shown[0]!.deviceHash],
        [BROWSER.userAgent, NOW, hashSecret(BROWSER.device)],
      )
      assert.equal(targets.length, MAX_PUSH_DEVICES)
    })

    test('can be removed by their owner only, one by one', async () => {
      await subscribe(ANN, 'phone')
      await subscribe(ANN, 'laptop')
      const [phone, laptop] = await findPushTargets(world.db.read, ANN.id)
      await world.db.write.deleteFrom('journal').where('kind', 'like', 'push_device%').execute()
      assert.equal(await removePushDevice(contextAs(world, OLGA), phone!.id), false)
      assert.deepEqual(await journal(), [])
      assert.equal(await removePushDevice(contextAs(world, ANN), phone!.id), true)
      assert.deepEqual(await findPushTargets(world.db.read, ANN.id), [laptop])
      assert.deepEqual(await journal(), [['push_device.removed', ANN.id, 'user', ANN.id]])
    })

    test('of a person who leaves are removed, those of others stay', async () => {
      await subscribe(ANN, 'phone')
      await subscribe(BEN, 'phone-of-ben')
      await transact(world.db.write, (tx) => removePushDevicesOf(tx, ANN.id))
      assert.deepEqual(
        (await devices()).map(({ user_id }) => user_id),
        [BEN.id],
      )
    })

    test('belong to people: visitors have none', async () => {
      const keys = pushSubscriptionForm.parse(service.subscribe('phone'))
      await assert.rejects(addPushDevice(contextOf(world, VISITOR), BROWSER, keys), { code: 'permission_denied' })
      await assert.rejects(removePushDevice(contextOf(world, VISITOR), 1), { code: 'permission_denied' })
    })

    const ENDS: [what: string, expires: string, left: number][] = [
      ['signing out removes the device', `now() + interval '1 day'`, 0],
      ['a session that expired unused keeps it', `now() - interval '1 day'`, 1],
    ]
    for (const [what, expires, left] of ENDS)
      test(what, async () => {
        await subscribe(ANN, 'phone')
        await subscribe(ANN, 'laptop', { ...BROWSER, device: 'laptop' })
        const pool = world.db.writePool
        await pool.query(
          `insert into session (id_hash, user_id, device_hash, user_agent, created_at, last_seen_at, expires_at)
           select 'push test', user_id, device_hash, '', now() - interval '2 days', now(), ${expires} from push_device where endpoint like '%/phone'`,
        )
        await pool.query(`delete from session where id_hash = 'push test'`)
        const phones = (await devices()).filter(({ endpoint }) => endpoint.endsWith('/phone'))
        assert.equal(phones.length, left)
        assert.ok((await devices()).some(({ endpoint }) => endpoint.endsWith('/laptop')))
      })
  })

  for (const [status, outcome] of [
    [201, 'reached'],
    [204, 'reached'],
    [400, 'gone'],
    [404, 'gone'],
    [410, 'gone'],
    [413, 'gone'],
    [429, 'failed'],
    [500, 'failed'],
    [503, 'failed'],
  ] as const)
    test(`a push service that answers ${status}: ${outcome}`, async () => {
      await subscribe(ANN, 'phone')
      const [device] = await findPushTargets(world.db.read, ANN.id)
      service.statuses.set('/phone', status)
      const context = {
        db: world.db,
        clock: { now: () => world.now },
        site: world.app.site,
        outbound: makeOutbound({ allow: ['127.0.0.1'] }),
      }
      const result = await sendToDevices(context, [device!], [{ title: 'Hello', body: '', url: '/', tag: 'x' }])
      const reason = outcome === 'failed' ? `the push service answered ${status}` : undefined
      assert.deepEqual(result, { reached: [], gone: [], failed: [], [outcome]: [device!.id], reason })
      if (status === 201) assert.equal(service.received.at(-1)?.claims.sub, SITE_URL)
      service.statuses.clear()
    })

  describe('an endpoint whose name leads to this machine', () => {
    const send = async (isAllowed?: () => boolean) => {
      const subscription = { ...service.subscribe('inside'), endpoint: `http://push.example:${service.port}/inside` }
      await addPushDevice(contextAs(world, ANN), BROWSER, pushSubscriptionForm.parse(subscription))
      const devices = await findPushTargets(world.db.read, ANN.id)
      let lookups = 0
      // Nothing listens at the first address, which stands for a public one.
      const resolve = async () => [lookups++ === 0 ? '127.0.0.9' : '127.0.0.1']
      const outbound = makeOutbound({
        allow: [],
        resolve,
        isAllowed: isAllowed ?? ((_allowed, { address }) => address === '127.0.0.9'),
      })
      const context = { db: world.db, clock: { now: () => world.now }, site: world.app.site, outbound }
      const message = { title: 'Hello', body: '', url: '/', tag: 'x' }
      const before = service.received.length
      const first = await sendToDevices(context, devices, [message])
      const second = await sendToDevices(context, devices, [message])
      return { first, second, id: devices[0]!.id, received: service.received.length - before }
    }
    test('gets nothing, also if the name led elsewhere a moment ago', async () => {
      const { first, second, id, received } = await send()
      assert.equal(received, 0)
      assert.deepEqual([first.failed, second.failed], [[id], [id]])
    })
    test('twin: without the check of addresses it gets the message', async () => {
      const { second, id, received } = await send(() => true)
      assert.deepEqual([second.reached, received], [[id], 1])
    })
  })

  test('devices that were reached are marked, and those that are gone are deleted', async () => {
    for (const name of ['a', 'b', 'c']) await subscribe(ANN, name)
    const [a, b, c] = (await findPushTargets(world.db.read, ANN.id)).map(({ id }) => id)
    await markPushDevicesUsed(world.db.write, [a!], NOW)
    await deletePushDevices(world.db.write, [b!])
    await markPushDevicesUsed(world.db.write, [], NOW)
    await deletePushDevices(world.db.write, [])
    const rows = await world.db.read.selectFrom('push_device').select(['id', 'last_sent_at']).orderBy('id').execute()
    assert.deepEqual(rows, [
      { id: a, last_sent_at: NOW },
      { id: c, last_sent_at: null },
    ])
  })

  const BAD: [what: string, change: Record<string, string>][] = [
    ['an endpoint that is no URL', { endpoint: 'phone' }],
    ['an endpoint of another scheme', { endpoint: 'javascript:alert(1)' }],
    ['an endpoint that is too long', { endpoint: `https://push.example/${'x'.repeat(2000)}` }],
    ['a short key', { p256dh: 'AAAA' }],
    ['a key that is no base64url', { auth: 'a b c d e f g h i j k' }],
  ]
  for (const [what, change] of BAD)
    test(`a subscription with ${what} is refused`, () => {
      assert.equal(pushSubscriptionForm.safeParse({ ...service.subscribe('x'), ...change }).success, false)
    })

  test('the private key is stored sealed, and stays the same', async () => {
    const { keyring } = world.app.site
    const [first, second] = await Promise.all([
      ensurePushKeys(world.db.write, keyring, NOW),
      ensurePushKeys(world.db.write, keyring, NOW),
    ])
    assert.deepEqual(first, second)
    const { rows } = await world.db.readPool.query('select * from push_key')
    assert.equal(rows.length, 1)
    assert.ok(!JSON.stringify(rows).includes(first.privateKey))
  })
})
