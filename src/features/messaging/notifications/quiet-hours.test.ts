import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { addPushDevice } from '#features/messaging/push/commands/devices.ts'
import { pushSubscriptionForm } from '#features/messaging/push/schema.ts'
import { moveOnBoard } from '#test/support/board.ts'
import { contextAs } from '#test/support/command-context.ts'
import { NotificationOutbox } from '#test/support/notification-outbox.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL } from '#test/support/people.ts'
import { startPushService } from '#test/support/push-service.ts'
import { openWorld } from '#test/support/world.ts'

const NIGHT = new Date('2031-05-02T23:30:00+02:00')
const MORNING = new Date('2031-05-03T07:00:00+02:00')
const FAR = '2031-05-20T08:00:00+02:00'

describe('quiet hours', async () => {
  const world = await openWorld()
  const { write } = world.db
  const service = await startPushService()
  after(() => service.stop())
  const outbox = new NotificationOutbox(world)
  beforeEach(async () => {
    world.now = NIGHT
    service.received.length = 0
    await outbox.clear()
    await write.deleteFrom('participation').execute()
    await write.deleteFrom('push_device').execute()
    await write.updateTable('user_profile').set({ quiet_hours: null }).execute()
    await write.updateTable('user_profile').set({ quiet_hours: '22:00-07:00' }).where('id', '=', ANN.id).execute()
    for (const person of [ANN, BEN])
      await addPushDevice(
        contextAs(world, person),
        { device: `device of ${person.name}`, userAgent: 'Chrome/140.0 Mobile' },
        pushSubscriptionForm.parse(service.subscribe(person.name)),
      )
  })

  const confirm = async (start: string) => {
    const { shifts } = await world.addEvent({ title: 'Harbour run', seenBy: [HELPERS], responsible: [PAUL], shifts: [{ start }] })
    for (const { id } of [ANN, BEN]) {
      await world.addParticipation({ who: id === ANN.id ? ANN : BEN, shift: shifts[0]!, state: 0 })
      await moveOnBoard(contextAs(world, PAUL), { shiftId: shifts[0]!, who: { kind: 'local', id }, to: 1 })
    }
    await outbox.readJournal()
    await write.updateTable('notification').set({ next_attempt_at: world.now }).where('quiet_until', 'is', null).execute()
  }
  const came = () => ({
    mail: outbox.sent.map(({ to }) => to).sort(),
    push: service.received.map(({ path }) => path.slice(1)).sort(),
  })
  const runAt = async (time: Date) => {
    world.now = time
    const jobs = await outbox.jobs()
    for (const job of jobs) await outbox.run(job)
    // As the worker would: a job that comes too early leaves the notification to the next one.
    await outbox.runTask('queue_notifications')
  }

  test('hold back mail and push of those who chose them, until their end', async () => {
    await confirm(FAR)
    const waiting = await write.selectFrom('notification').select(['user_id', 'quiet_until', 'next_attempt_at']).execute()
    assert.deepEqual(waiting.find((row) => row.user_id === ANN.id)?.quiet_until, MORNING)
    assert.deepEqual(waiting.find((row) => row.user_id === ANN.id)?.next_attempt_at, MORNING)
    assert.equal(waiting.find((row) => row.user_id === BEN.id)?.quiet_until, null)
    const jobs = await outbox.jobs()
    await runAt(new Date(MORNING.getTime() - 1))
    assert.deepEqual(came(), { mail: [BEN.email], push: [BEN.name] })
    world.now = MORNING
    for (const job of jobs) await outbox.run(job)
    assert.deepEqual(came(), { mail: [ANN.email, BEN.email].sort(), push: [ANN.name, BEN.name].sort() })
  })

  test('do not hold back what is about a shift soon after them', async () => {
    await confirm('2031-05-03T08:59:00+02:00')
    await runAt(NIGHT)
    assert.deepEqual(came().mail, [ANN.email, BEN.email].sort())
  })

  test('hold back what is about a shift two hours after them', async () => {
    await confirm('2031-05-03T09:00:00+02:00')
    await runAt(NIGHT)
    assert.deepEqual(came().mail, [BEN.email])
  })

  test('of the night hold back questions to those who chose none, unless the answer is due soon', async () => {
    const { id: eventId, shifts } = await world.addEvent({ title: 'Harbour run', seenBy: [HELPERS], shifts: [{ start: FAR }] })
    const offeredUntil = async (until: string, quietHours: string | null) => {
      await outbox.clear()
      await write.updateTable('user_profile').set({ quiet_hours: quietHours }).where('id', '=', BEN.id).execute()
      const changes = { entry: 1, users: [BEN.id], until: new Date(until).toISOString() }
      await outbox.record({ kind: 'shift.place_offered', subject: { kind: 'shift', id: shifts[0]! }, eventId, changes })
      await outbox.readJournal()
      return (await outbox.rows())[0]?.quiet_until?.toISOString()
    }
    assert.equal(await offeredUntil('2031-05-03T09:00:00+02:00', null), MORNING.toISOString())
    assert.equal(await offeredUntil('2031-05-03T08:59:00+02:00', null), undefined)
    // Who sleeps by day gets questions at night.
    assert.equal(await offeredUntil('2031-05-03T20:00:00+02:00', '08:00-15:00'), undefined)
    assert.equal(await offeredUntil('2031-05-03T20:00:00+02:00', '23:00-10:00'), '2031-05-03T08:00:00.000Z')
  })

  test('do not hold back news about the protection of the account', async () => {
    await outbox.record(
      {
        kind: 'user.factors_reset',
        subject: { kind: 'user', id: ANN.id },
        changes: { app: true, passkeys: 0, by: 'administrator' },
      },
      OLGA,
    )
    await outbox.readJournal()
    await write.updateTable('notification').set({ next_attempt_at: world.now }).where('quiet_until', 'is', null).execute()
    await runAt(NIGHT)
    assert.deepEqual(came().mail, [ANN.email])
  })
})
