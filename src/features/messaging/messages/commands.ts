import { type Kysely, sql } from 'kysely'
import { refuseEvent } from '#features/events/events/queries/refusals.ts'
import { createNotifications } from '#features/messaging/notifications/commands/create.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import type { DB } from '#platform/db/tables.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { Problem } from '#platform/http/problem.ts'
import { record } from '#platform/journal/journal.ts'
import { mapInTurns } from '#platform/thread.ts'
import { findCandidates, getMessageEvent } from './queries.ts'
import { type Candidate, type Chosen, chooseRecipients, type RecipientChoice } from './rules.ts'

/** As many at a time as take some milliseconds. */
export const CANDIDATES_AT_ONCE = 2000

/** The same of as many people as an organisation has: the event loop turns between parts of them. */
export async function chooseInTurns(candidates: readonly Candidate[], choice: RecipientChoice): Promise<Chosen> {
  const starts = Array.from(
    { length: Math.ceil(candidates.length / CANDIDATES_AT_ONCE) },
    (_, index) => index * CANDIDATES_AT_ONCE,
  )
  const parts = await mapInTurns(starts, (from) => chooseRecipients(candidates.slice(from, from + CANDIDATES_AT_ONCE), choice))
  return {
    recipients: parts.flatMap(({ recipients }) => recipients),
    unreachable: parts.flatMap(({ unreachable }) => unreachable),
  }
}

type NewMessage = { eventId: number; choice: RecipientChoice; subject: string; text: string }

/** Sends a mail of their own to each recipient. The recipients are determined again, because they may differ from the preview. */
export async function sendMessage(
  context: CommandContext,
  { eventId, choice, subject, text }: NewMessage,
): Promise<{ recipients: number }> {
  const { actor, now, site } = context
  if (actor.kind !== 'user') throw new Problem('permission_denied')
  return transact(context.db, async (tx) => {
    if (!(await getMessageEvent(tx, actor, eventId))) throw await refuseEvent(tx, actor, eventId)
    const { recipients } = await chooseInTurns(await findCandidates({ db: tx, actor, now, site }, eventId), choice)
    if (!recipients.length) return { recipients: 0 }
    const { id } = await tx
      .insertInto('event_message')
      .values({ event_id: eventId, author_id: actor.userId, subject, text, created_at: now })
      .returning('id')
      .executeTakeFirstOrThrow()
    // A statement has a time limit, and one for everybody keeps the event loop busy.
    for (let from = 0; from < recipients.length; from += CANDIDATES_AT_ONCE)
      await createNotifications(
        tx,
        recipients.slice(from, from + CANDIDATES_AT_ONCE).map(({ key }) => toRecipientRow(key)),
        {
          kind: 'event_message',
          source: `message ${id}`,
          bundle: `message ${id}`,
          data: {},
          eventId,
          messageId: id,
          actorId: actor.userId,
          now,
          site,
          settleSeconds: 0,
        },
      )
    const changes = {
      message_id: id,
      recipients: recipients.length,
      to: [...choice.groups],
      shift_id: choice.shiftId ?? null,
    }
    await record(tx, context, { kind: 'event.message_sent', subject: { kind: 'event', id: eventId }, eventId, changes })
    return { recipients: recipients.length }
  })
}

function toRecipientRow(key: string) {
  const id = Number(key.slice(1))
  const row = { user_id: null, guest_id: null, visitor_id: null, participation_id: null }
  if (key.startsWith('u')) return { ...row, user_id: id }
  return key.startsWith('g') ? { ...row, guest_id: id } : { ...row, visitor_id: id }
}

/** For the erasure of a person: messages that they sent to others stay without what identifies the author. */
export async function redactMessagesBy(tx: Tx, userId: number, pattern: string, replacement: string): Promise<void> {
  await sql`update event_message set text = regexp_replace(text, ${pattern}, ${replacement}, 'g'),
      subject = regexp_replace(subject, ${pattern}, ${replacement}, 'g')
    where author_id = ${userId} and (text ~ ${pattern} or subject ~ ${pattern})`.execute(tx)
}

/** The notifications about them are deleted with them. */
export async function deleteOldMessages(db: Kysely<DB>, before: Date): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('event_message').where('created_at', '<', before).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
