import type { CommandContext } from '#platform/auth/context.ts'
import { transact } from '#platform/db/transaction.ts'
import { Problem } from '#platform/http/problem.ts'
import { record } from '#platform/journal/journal.ts'
import { findCandidates, getMessageEvent } from '../queries/message.ts'
import type { RecipientRow } from '../queries/recipients.ts'
import { type Choice, chooseReaders } from '../rules/message.ts'
import { tell } from './tell.ts'

export type MessageWish = { eventId: number; choice: Choice; subject: string; text: string }

/** Writes to people of an event, each by a mail of their own. Who that is is found anew, whatever a preview has shown. */
export async function sendMessage(
  context: CommandContext,
  { eventId, choice, subject, text }: MessageWish,
): Promise<{ readers: number }> {
  const { actor, now } = context
  if (actor.kind !== 'user') throw new Problem('permission_denied')
  return transact(context.db, async (tx) => {
    if (!(await getMessageEvent(tx, actor, eventId))) throw new Problem('not_found')
    const { readers } = chooseReaders(await findCandidates(tx, actor, eventId), choice)
    if (!readers.length) return { readers: 0 }
    const { id } = await tx
      .insertInto('event_message')
      .values({ event_id: eventId, author_id: actor.userId, subject, text, created_at: now })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tell(
      tx,
      readers.map(({ key }) => recipientOf(key)),
      {
        kind: 'event_message',
        source: `message ${id}`,
        bundle: `message ${id}`,
        data: {},
        eventId,
        messageId: id,
        actorId: actor.userId,
        now,
        settleSeconds: 0,
      },
    )
    const changes = { message_id: id, recipients: readers.length, to: [...choice.to], shift_id: choice.shiftId ?? null }
    await record(tx, context, { kind: 'event.message_sent', subject: { kind: 'event', id: eventId }, eventId, changes })
    return { readers: readers.length }
  })
}

function recipientOf(key: string): RecipientRow {
  const id = Number(key.slice(1))
  const nobody = { user_id: null, guest_id: null, visitor_id: null, participation_id: null }
  if (key.startsWith('u')) return { ...nobody, user_id: id }
  return key.startsWith('g') ? { ...nobody, guest_id: id } : { ...nobody, visitor_id: id }
}
