import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { contextAs } from '#test/support/command-context.ts'
import { ANN, BEN, OLGA, type Person } from '#test/support/people.ts'
import { startPushService } from '#test/support/push-service.ts'
import { openWorld } from '#test/support/world.ts'
import { addPushDevice, ensurePushKeys, MAX_PUSH_DEVICES, removePushDevice } from './commands/devices.ts'
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
    test('the same browser is one device, also for the next person who signs in there', async () => {
      const keys = pushSubscriptionForm.parse(service.subscribe('shared'))
      await addPushDevice(contextAs(world, ANN), BROWSER, keys)
      await addPushDevice(contextAs(world, ANN), BROWSER, keys)
      await addPushDevice(contextAs(world, BEN), BROWSER, keys)
      assert.deepEqual(
        (await devices()).map(({ user_id }) => user_id),
        [BEN.id],
      )
    })

    test('are limited: the oldest makes room', async () => {
      for (let at = 0; at <= MAX_PUSH_DEVICES; at++) await subscribe(ANN, `device-${at}`)
      const names = (await devices()).map(({ endpoint }) => endpoint.split('/').at(-1))
      assert.equal(names.length, MAX_PUSH_DEVICES)
      assert.ok(!names.includes('device-0'))
    })

    test('can be removed by their owner only', async () => {
      await subscribe(ANN, 'phone')
      const { id } = await world.db.read.selectFrom('push_device').select('id').executeTakeFirstOrThrow()
      assert.equal(await removePushDevice(contextAs(world, OLGA), id), false)
      assert.equal(await removePushDevice(contextAs(world, ANN), id), true)
      assert.deepEqual(await devices(), [])
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
