import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ANN, BEN, HELPERS, PAUL, type Person, VERA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { findOldMessages, findSentMessages } from './queries.ts'

describe('messages of an event', async () => {
  const world = await openWorld()
  const { write } = world.db
  const [{ id: fair }, { id: other }] = [await world.addEvent({ seenBy: [HELPERS] }), await world.addEvent({ seenBy: [HELPERS] })]
  const add = async (eventId: number, subject: string, author: Person | null, mails: [who: Person, mail: string][]) => {
    const { id } = await write
      .insertInto('event_message')
      .values({ event_id: eventId, subject, text: 'x', author_id: author?.id ?? null, created_at: world.now })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const [who, mail] of mails)
      await write
        .insertInto('notification')
        .values({
          user_id: who.id,
          kind: 'event_message',
          source: `message ${id}`,
          bundle: `message ${id}`,
          message_id: id,
          created_at: world.now,
          next_attempt_at: world.now,
          mail,
        })
        .execute()
    return id
  }

  test('are listed with their author and what became of their mails, the last one first', async () => {
    await add(fair, 'First', PAUL, [
      [ANN, 'sent'],
      [BEN, 'sent'],
      [VERA, 'failed'],
      [PAUL, 'skipped'],
    ])
    await add(fair, 'Second', BEN, [[ANN, 'waiting']])
    await add(fair, 'To nobody', null, [])
    await add(other, 'Elsewhere', ANN, [[ANN, 'sent']])
    const found = (await findSentMessages(write, fair)).map(({ subject, author, total, sent, waiting, failed, skipped }) => [
      subject,
      author,
      { total, sent, waiting, failed, skipped },
    ])
    assert.deepEqual(found, [
      ['To nobody', null, { total: 0, sent: 0, waiting: 0, failed: 0, skipped: 0 }],
      ['Second', 'Ben', { total: 1, sent: 0, waiting: 1, failed: 0, skipped: 0 }],
      ['First', 'Paul', { total: 4, sent: 2, waiting: 0, failed: 1, skipped: 1 }],
    ])
    assert.deepEqual(
      (await findSentMessages(write, other)).map(({ subject }) => subject),
      ['Elsewhere'],
    )
  })

  test('are old before a time, and not at it', async () => {
    await write.deleteFrom('event_message').execute()
    assert.deepEqual(await findOldMessages(write, world.now), { count: 0, oldest: null })
    await add(fair, 'One', PAUL, [])
    assert.deepEqual(await findOldMessages(write, world.now), { count: 0, oldest: null })
    assert.deepEqual(await findOldMessages(write, new Date(world.now.getTime() + 1)), { count: 1, oldest: world.now })
  })
})
