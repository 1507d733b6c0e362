import { type Kysely, sql } from 'kysely'
import { refuseEvent } from '#features/events/events/queries/refusals.ts'
import type { RecipientRow } from '#features/messaging/notification-kinds/rules/kinds.ts'
import { createNotifications } from '#features/messaging/notifications/commands/create.ts'
import type { CommandContext, Site } from '#platform/auth/context.ts'
import type { DB } from '#platform/db/tables.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { Problem } from '#platform/http/problem.ts'
import { record } from '#platform/journal/journal.ts'
import { mapInTurns } from '#platform/thread.ts'
import { findCandidates, getMessageEvent } from './queries.ts'
import { type Candidate, type Chosen, chooseRecipients, type RecipientChoice } from './rules.ts'
import { MESSAGE_TASK } from './schema.ts'

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

/**
 * Sends a mail of their own to each recipient. The recipients are determined again, because they may differ from the preview. If they are
 * many, a job creates the notifications of the rest.
 */
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
    const rows = recipients.map(({ key }) => toRecipientRow(key))
    // Guests and visitors take part in the event, so they are few.
    const others = rows.filter(({ user_id }) => user_id === null)
    const users = rows.flatMap(({ user_id }) => user_id ?? [])
    const waiting = users.slice(CANDIDATES_AT_ONCE)
    const { id } = await tx
      .insertInto('event_message')
      .values({ event_id: eventId, author_id: actor.userId, subject, text, created_at: now, waiting_user_ids: waiting })
      .returning('id')
      .executeTakeFirstOrThrow()
    const first = [...others, ...users.slice(0, CANDIDATES_AT_ONCE).map(rowOfUser)]
    await notifyOf(tx, { id, eventId, authorId: actor.userId }, first, { now, site })
    if (waiting.length) await queueRest(tx, id)
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

const queueRest = (tx: Tx, id: number) =>
  sql`select graphile_worker.add_job(${MESSAGE_TASK}, json_build_object('messageId', ${id}::bigint))`.execute(tx)

type Message = { id: number; eventId: number; authorId: number | null }
type Delivering = { now: Date; site: Pick<Site, 'timeZone' | 'added'> }

const notifyOf = (
  tx: Tx,
  { id, eventId, authorId }: Message,
  recipients: readonly RecipientRow[],
  { now, site }: Delivering,
): Promise<void> =>
  createNotifications(tx, recipients, {
    kind: 'event_message',
    source: `message ${id}`,
    bundle: `message ${id}`,
    data: {},
    eventId,
    messageId: id,
    actorId: authorId,
    now,
    site,
    settleSeconds: 0,
  })

/** Creates notifications of a message for those who wait for theirs. Returns how many wait still. */
export async function notifyNext(
  db: Kysely<DB>,
  messageId: number,
  at: Delivering,
  most: number = CANDIDATES_AT_ONCE,
): Promise<number> {
  return transact(db, async (tx) => {
    const { rows } = await sql<Message & { next: number[]; left: number }>`
      select m.id, m.event_id as "eventId", m.author_id as "authorId", m.waiting_user_ids[:${most}] as next,
        greatest(cardinality(m.waiting_user_ids) - ${most}, 0) as left
      from event_message m where m.id = ${messageId} for update`.execute(tx)
    const [message] = rows
    if (!message?.next.length) return 0
    await sql`update event_message set waiting_user_ids = waiting_user_ids[${most + 1}::int:] where id = ${messageId}`.execute(tx)
    // An account may have been deleted or switched off since.
    const people = await tx
      .selectFrom('user_profile')
      .select('id')
      .where('id', 'in', message.next)
      .where('is_active', '=', true)
      .execute()
    await notifyOf(
      tx,
      message,
      people.map(({ id }) => rowOfUser(id)),
      at,
    )
    return message.left
  })
}

const NOBODY: RecipientRow = { user_id: null, guest_id: null, visitor_id: null, participation_id: null }
const rowOfUser = (id: number): RecipientRow => ({ ...NOBODY, user_id: id })

function toRecipientRow(key: string): RecipientRow {
  const id = Number(key.slice(1))
  if (key.startsWith('u')) return rowOfUser(id)
  return key.startsWith('g') ? { ...NOBODY, guest_id: id } : { ...NOBODY, visitor_id: id }
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
