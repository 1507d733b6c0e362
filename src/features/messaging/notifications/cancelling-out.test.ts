import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { cancelEvent, deleteEvent, reopenEvent, restoreEvent } from '#features/planning/planning/commands/events.ts'
import { cancelShift, restoreShift } from '#features/planning/planning/commands/removals.ts'
import { saveCards } from '#features/staffing/disposition/commands/board.ts'
import { decline, type MoveOutcome, signUp } from '#features/staffing/participations/commands/sign-up.ts'
import { undo, undoMove } from '#features/staffing/participations/commands/undo.ts'
import { transact } from '#platform/db/transaction.ts'
import { contextAs } from '#test/support/command-context.ts'
import { NotificationOutbox } from '#test/support/notification-outbox.ts'
import { ANN, BEN, HELPERS, PAUL } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { createFromJournal } from './commands/create.ts'

const NOW = new Date('2031-05-01T10:00:00Z')
const PLANNER = { ...PAUL, permissions: ['delete_event' as const] }

describe('what is taken back within a minute', async () => {
  const world = await openWorld()
  const outbox = new NotificationOutbox(world)
  beforeEach(async () => {
    world.now = NOW
    await outbox.clear()
    await world.db.write.deleteFrom('participation').execute()
  })
  const wait = (seconds: number) => {
    world.now = new Date(world.now.getTime() + seconds * 1000)
  }
  const addEvent = async () => {
    const flowConfiguration = { user_can_decline_confirmed: true }
    const shifts = [{ start: '2031-05-04T08:00:00Z', flow: 'instant_confirmation', flowConfiguration }]
    const { id, shifts: ids } = await world.addEvent({ title: 'Fair', seenBy: [HELPERS], responsible: [PAUL], shifts })
    return { eventId: id, shiftId: ids[0]! }
  }
  const as = (who: typeof ANN) => contextAs(world, who)
  const entryOf = (outcome: MoveOutcome): number => (outcome.ok ? outcome.entryId! : assert.fail('refused'))
  const delivered = async () => (await outbox.deliver()).map(({ to, subject }) => `${to}: ${subject}`)
  const kinds = async () => (await outbox.rows()).map(({ kind }) => kind)

  for (const isReadFirst of [true, false]) {
    test(`mails nothing about an undone sign-up or decline, the entry read ${isReadFirst ? 'before' : 'after'} the undo`, async () => {
      const { shiftId } = await addEvent()
      const signed = await signUp(as(ANN), { shiftId })
      if (isReadFirst) {
        await outbox.readJournal()
        assert.deepEqual(await kinds(), ['participation_change'])
      }
      wait(30)
      await undo(as(ANN), { shiftId, entryId: entryOf(signed) })
      assert.deepEqual([await delivered(), await kinds()], [[], []])

      await signUp(as(ANN), { shiftId })
      await outbox.clear()
      const declined = await decline(as(ANN), { shiftId })
      if (isReadFirst) await outbox.readJournal()
      await undo(as(ANN), { shiftId, entryId: entryOf(declined) })
      assert.deepEqual([await delivered(), await kinds()], [[], []])
    })
  }

  for (const isReadFirst of [true, false])
    test(`mails nothing about a person whom a planner assigned and took back, the entry read ${isReadFirst ? 'before' : 'after'}`, async () => {
      const { shiftId } = await addEvent()
      const assign = async () => {
        const [outcome] = await saveCards(as(PAUL), [{ shiftId, who: { kind: 'local', id: ANN.id }, version: null, to: 1 }])
        return outcome?.kind === 'saved' ? outcome.entryId! : assert.fail('refused')
      }
      const entryId = await assign()
      if (isReadFirst) {
        await outbox.readJournal()
        assert.deepEqual(await kinds(), ['participation_state'])
      }
      wait(30)
      assert.equal(await transact(world.db.write, (tx) => undoMove(tx, as(PAUL), entryId)), true)
      assert.deepEqual([await delivered(), await kinds()], [[], []])
      await assign()
      assert.deepEqual(await delivered(), [`${ANN.email}: You are confirmed: Fair`])
    })

  test('of a cancelled shift: one message with the reason, none if it is undone at once, and one if it is restored later', async () => {
    const { shiftId } = await addEvent()
    await world.db.write
      .insertInto('shift')
      .columns(['event_id', 'label', 'meeting_time', 'start_time', 'end_time', 'signup_flow_slug', 'structure_slug'])
      .expression((eb) =>
        eb
          .selectFrom('shift')
          .select(['event_id', 'label', 'meeting_time', 'start_time', 'end_time', 'signup_flow_slug', 'structure_slug'])
          .where('id', '=', shiftId),
      )
      .execute()
    await world.addParticipation({ who: ANN, shift: shiftId, state: 1 })
    await cancelShift(as(PLANNER), { shiftId, reason: 'storm' })
    await outbox.readJournal()
    assert.deepEqual(await kinds(), ['event_called_off'])
    wait(30)
    await restoreShift(as(PLANNER), { shiftId })
    assert.deepEqual([await delivered(), await kinds()], [[], []])
    await cancelShift(as(PLANNER), { shiftId, reason: 'storm' })
    assert.deepEqual(await delivered(), [`${ANN.email}: A shift is cancelled: Fair`])
    wait(600)
    await restoreShift(as(PLANNER), { shiftId })
    assert.deepEqual(await delivered(), [`${ANN.email}: A shift takes place after all: Fair`])
  })

  test('tells nobody meanwhile, if the cancellation is read after the reopening, and the reopening is not read yet', async () => {
    const { eventId, shiftId } = await addEvent()
    await world.addParticipation({ who: ANN, shift: shiftId, state: 1 })
    await cancelEvent(as(PLANNER), { eventId, reason: 'storm' })
    const entries = world.db.write.selectFrom('journal').selectAll().where('event_id', '=', eventId)
    const entry = await entries.where('kind', '=', 'event.cancelled').executeTakeFirstOrThrow()
    wait(60)
    await reopenEvent(as(PLANNER), { eventId })
    const read = async () => {
      await createFromJournal(world.db.write, entry as never, { now: world.now, site: world.app.site })
      return kinds()
    }
    assert.deepEqual(await read(), [])
    await world.db.write.deleteFrom('journal').where('id', '>', entry.id).execute()
    assert.deepEqual(await read(), ['event_called_off'])
  })

  test('mails about own steps wait until they cannot be undone, also for a digest', async () => {
    const { shiftId } = await addEvent()
    await signUp(as(ANN), { shiftId })
    await outbox.readJournal()
    const [row] = await outbox.rows()
    assert.deepEqual(row!.next_attempt_at, new Date(NOW.getTime() + 75_000))
    // Six mails that are due at once would become a digest with everything that waits.
    for (let index = 0; index < 6; index++)
      await world.db.write
        .insertInto('notification')
        .values({
          user_id: PAUL.id,
          kind: 'event_published',
          source: `test ${index}`,
          bundle: `test ${index}`,
          created_at: NOW,
          next_attempt_at: NOW,
        })
        .execute()
    wait(61)
    await outbox.runTask('queue_notifications')
    const digest = (await outbox.jobs()).find(({ payload }) => String(JSON.stringify(payload)).includes('test 0'))!
    await outbox.run(digest)
    assert.deepEqual((await outbox.rows()).map(({ kind, mail }) => [kind, mail === 'waiting']).at(0), [
      'participation_change',
      true,
    ])
    wait(20)
    await outbox.runTask('queue_notifications')
    await outbox.runDue()
    assert.ok(outbox.sent.some(({ subject }) => /Ann/.test(subject)))
  })

  for (const [what, off, on] of [
    ['deleted', deleteEvent, restoreEvent],
    ['cancelled', (context, { eventId }) => cancelEvent(context, { eventId, reason: 'storm' }), reopenEvent],
  ] as const satisfies [string, typeof deleteEvent, typeof restoreEvent][]) {
    for (const isReadFirst of [true, false])
      test(`an event that is ${what} and back within the waiting time mails nothing (${isReadFirst})`, async () => {
        const { eventId, shiftId } = await addEvent()
        await world.addParticipation({ who: ANN, shift: shiftId, state: 1 })
        await off(as(PLANNER), { eventId })
        if (isReadFirst) await outbox.readJournal()
        wait(60)
        await on(as(PLANNER), { eventId })
        assert.deepEqual([await delivered(), await kinds()], [[], []])
      })

    test(`an event that is ${what} and back later, or noticed by then, mails both`, async () => {
      const { eventId, shiftId } = await addEvent()
      for (const who of [ANN, BEN]) await world.addParticipation({ who, shift: shiftId, state: 1 })
      await off(as(PLANNER), { eventId })
      assert.equal((await delivered()).length, 2)
      wait(30)
      await on(as(PLANNER), { eventId })
      assert.equal((await delivered()).length, 2, 'the first mails went out early, for example in a queue that was late')
      await outbox.clear()
      wait(600)
      await off(as(PLANNER), { eventId })
      await outbox.readJournal()
      await world.db.write.updateTable('notification').set({ read_at: world.now }).where('user_id', '=', ANN.id).execute()
      wait(30)
      await on(as(PLANNER), { eventId })
      assert.deepEqual(
        (await delivered()).map((line) => line.split(':')[0]),
        [ANN.email],
        'Ben was told nothing',
      )
      await outbox.clear()
      await off(as(PLANNER), { eventId })
      await outbox.readJournal()
      wait(100)
      await on(as(PLANNER), { eventId })
      assert.equal((await delivered()).length, 2)
    })
  }
})
