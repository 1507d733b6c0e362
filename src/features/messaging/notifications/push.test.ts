import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { addPushDevice, ensurePushKeys } from '#features/messaging/push/commands/devices.ts'
import { pushSubscriptionForm } from '#features/messaging/push/schema.ts'
import { moveOnBoard } from '#test/support/board.ts'
import { contextAs } from '#test/support/command-context.ts'
import { NotificationOutbox } from '#test/support/notification-outbox.ts'
import { ANN, BEN, HELPERS, PAUL, type Person } from '#test/support/people.ts'
import { startPushService } from '#test/support/push-service.ts'
import { openWorld } from '#test/support/world.ts'

const NOW = new Date('2031-05-01T10:00:00Z')
const BROWSER = { device: 'device-of-ann', userAgent: 'Mozilla/5.0 (Linux; Android 14) Chrome/140.0 Mobile' }

describe('push messages', async () => {
  const world = await openWorld()
  const service = await startPushService()
  after(() => service.stop())
  const outbox = new NotificationOutbox(world)
  const event = await world.addEvent({
    title: 'Harbour run',
    seenBy: [HELPERS],
    responsible: [PAUL],
    shifts: Array.from({ length: 5 }, (_, at) => ({ start: `2031-05-0${at + 4}T08:00:00+02:00` })),
  })
  beforeEach(async () => {
    world.now = NOW
    service.received.length = 0
    service.statuses.clear()
    await outbox.clear()
    await world.db.write.deleteFrom('push_device').execute()
    await world.db.write.deleteFrom('participation').execute()
    await world.db.write
      .updateTable('user_profile')
      .set({ is_active: true, email_invalid: false, disabled_notifications: '[]' })
      .execute()
  })

  const subscribe = (who: Person, name: string, browser = BROWSER) =>
    addPushDevice(contextAs(world, who), browser, pushSubscriptionForm.parse(service.subscribe(name)))
  const devices = () => world.db.read.selectFrom('push_device').select(['user_id', 'endpoint']).orderBy('id').execute()
  const pushStates = async () => (await outbox.rows()).map(({ push }) => push)

  /** A planner confirms the person in this many shifts with one click. */
  async function confirm(who: Person, shifts = 1): Promise<void> {
    for (const shiftId of event.shifts.slice(0, shifts)) {
      await world.addParticipation({ who, shift: shiftId, state: 0 })
      const context = { ...contextAs(world, PAUL), requestId: 'one click' }
      await moveOnBoard(context, { shiftId, who: { kind: 'local', id: who.id }, to: 1 })
    }
  }

  test('reach every device of the person, encrypted, with a link to the event', async () => {
    await subscribe(ANN, 'phone')
    await subscribe(ANN, 'laptop', { ...BROWSER, device: 'laptop-of-ann' })
    await subscribe(BEN, 'phone-of-ben')
    await confirm(ANN)
    await outbox.deliver()
    assert.deepEqual(service.received.map(({ path }) => path).sort(), ['/laptop', '/phone'])
    const { message, claims, ttl } = service.received[0]!
    const { title, body, url } = message as Record<string, string>
    assert.equal(title, 'Harbour run')
    assert.match(body!, /^You are confirmed: /)
    assert.equal(url, `/events/${event.id}-harbour-run/`)
    assert.equal(ttl, '1000')
    const { publicKey } = await ensurePushKeys(world.db.write, world.app.site.keyring, NOW)
    assert.equal(claims.key, publicKey)
    assert.match(String(claims.aud), /^http:\/\/127\.0\.0\.1:\d+$/)
    assert.deepEqual(await pushStates(), ['sent'])
    await outbox.sendQueued()
    assert.equal(service.received.length, 2)
  })

  test('come although mails to the address come back', async () => {
    await subscribe(ANN, 'phone')
    await world.db.write.updateTable('user_profile').set({ email_invalid: true }).where('id', '=', ANN.id).execute()
    await confirm(ANN)
    assert.deepEqual(await outbox.deliver(), [])
    assert.equal(service.received.length, 1)
  })

  const NOT_SENT: [what: string, prepare: () => Promise<unknown>][] = [
    [
      'to people who switched them off',
      () =>
        world.db.write
          .updateTable('user_profile')
          .set({ disabled_notifications: JSON.stringify([['push', 'participation_state']]) })
          .where('id', '=', ANN.id)
          .execute(),
    ],
    [
      'to accounts that are inactive',
      () => world.db.write.updateTable('user_profile').set({ is_active: false }).where('id', '=', ANN.id).execute(),
    ],
    [
      'about what was read already',
      () => world.db.write.updateTable('notification').set({ read_at: NOW }).where('user_id', '=', ANN.id).execute(),
    ],
  ]
  for (const [what, prepare] of NOT_SENT)
    test(`are not sent ${what}`, async () => {
      await subscribe(ANN, 'phone')
      await confirm(ANN)
      await outbox.readJournal()
      await prepare()
      await outbox.sendQueued()
      assert.deepEqual([service.received.length, await pushStates()], [0, ['skipped']])
    })

  test('many at once become one that leads to the list', async () => {
    await subscribe(ANN, 'phone')
    await confirm(ANN, 4)
    await outbox.deliver()
    assert.deepEqual(
      service.received.map(({ message }) => ({ ...(message as object), tag: '' })),
      [{ title: 'Turnout', body: '4 new notifications', url: '/notifications/', tag: '' }],
    )
  })

  test('a device that has unsubscribed is deleted, and the others get the message', async () => {
    await subscribe(ANN, 'gone')
    await subscribe(ANN, 'phone', { ...BROWSER, device: 'other' })
    service.statuses.set('/gone', 410)
    await confirm(ANN)
    await outbox.deliver()
    assert.deepEqual(
      (await devices()).map(({ endpoint }) => endpoint.split('/').at(-1)),
      ['phone'],
    )
    assert.equal(service.received.length, 1)
  })

  test('are repeated while the service is unavailable, and given up when they are old', async () => {
    await subscribe(ANN, 'phone')
    service.statuses.set('/phone', 503)
    await confirm(ANN)
    await outbox.readJournal()
    await assert.rejects(outbox.sendQueued(), /answered 503/)
    assert.deepEqual([await pushStates(), (await devices()).length], [['waiting'], 1])
    service.statuses.clear()
    await outbox.sendQueued()
    assert.deepEqual([service.received.length, await pushStates()], [1, ['sent']])
    service.statuses.set('/phone', 503)
    await confirm(BEN)
    await world.db.write.updateTable('notification').set({ push: 'waiting' }).execute()
    world.now = new Date(NOW.getTime() + 1001_000)
    await subscribe(ANN, 'phone')
    await world.db.writePool.query(
      `select graphile_worker.add_job('send_notifications', json_build_object('person', json_build_object('kind', 'user', 'id', user_id), 'bundle', bundle)) from notification where user_id = $1`,
      [ANN.id],
    )
    await outbox.sendQueued()
    assert.ok((await outbox.rows()).some(({ user_id, push }) => user_id === ANN.id && push === 'failed'))
  })

  test('an undone decision is not pushed', async () => {
    await subscribe(ANN, 'phone')
    await confirm(ANN)
    await outbox.readJournal()
    await world.db.write.deleteFrom('notification').where('push', '!=', 'sent').execute()
    await outbox.sendQueued()
    assert.equal(service.received.length, 0)
  })
})
