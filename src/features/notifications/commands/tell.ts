import { type Kysely, sql } from 'kysely'
import type { DB, Json } from '#platform/db/tables.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import type { JournalEntry } from '#platform/journal/readers.ts'
import { findRecipients, getParticipationState, type Named, type RecipientRow } from '../queries/recipients.ts'
import { SETTLE_SECONDS } from '../rules/delivery.ts'
import type { Kind } from '../rules/kinds.ts'
import { newsOf } from '../rules/news.ts'
import { type Receiver, SEND_TASK } from '../schema.ts'

type Shared = {
  kind: Kind
  /** The same is told to the same person once. */
  source: string
  /** What has the same becomes one mail. */
  bundle: string
  eventId: number | null
  messageId?: number
  actorId: number | null
  data: Record<string, unknown>
  now: Date
  settleSeconds?: number
}

/** Writes what happened into everybody's list, and queues the mails. Reading the same entry again changes nothing. */
export async function tellNews(db: Kysely<DB>, entry: JournalEntry, now: Date): Promise<number> {
  const changes = entry.changes as Record<string, unknown>
  const isOfParticipation = entry.subject_kind === 'participation' && entry.subject_id !== null
  return transact(db, async (tx) => {
    const state = isOfParticipation ? await getParticipationState(tx, entry.subject_id!) : undefined
    let told = 0
    for (const { to, kind, data } of newsOf({ kind: entry.kind, changes }, state)) {
      const recipients = await findRecipients(tx, to, {
        eventId: entry.event_id,
        subjectId: entry.subject_id,
        actorId: entry.actor_kind === 'user' ? entry.actor_id : null,
        named: namedIn(changes),
      })
      const shared = {
        kind,
        data: entry.subject_kind === 'shift' ? { ...data, shift_id: entry.subject_id } : data,
        source: `journal ${entry.id}`,
        bundle: `${entry.request_id ?? `journal ${entry.id}`} ${entry.event_id ?? ''}`,
        eventId: entry.event_id,
        actorId: entry.actor_kind === 'user' ? entry.actor_id : null,
        now,
      }
      if (to !== 'confirmed') told += await tell(tx, recipients, shared)
      // Somebody may be confirmed in several shifts: each is a piece of news of its own, all in one mail.
      else
        for (const one of recipients)
          told += await tell(tx, [one], { ...shared, source: `${shared.source} ${one.participation_id}` })
    }
    return told
  })
}

function namedIn({ confirmed_user_ids, requested_user_ids, guest_ids, visitor_ids }: Record<string, unknown>): Named {
  const before = (...pairs: unknown[]): number[] =>
    pairs.flatMap((pair) => (Array.isArray(pair) ? pair[0] : [])).filter((id) => Number.isSafeInteger(id))
  return { users: before(confirmed_user_ids, requested_user_ids), guests: before(guest_ids), visitors: before(visitor_ids) }
}

export async function tell(tx: Tx, recipients: readonly RecipientRow[], shared: Shared): Promise<number> {
  if (!recipients.length) return 0
  const { kind, source, bundle, eventId, messageId, actorId, data, now, settleSeconds = SETTLE_SECONDS } = shared
  const isPerson = (id: number) => sql<number | null>`(select id from user_profile where id = ${id})`
  const told = await tx
    .insertInto('notification')
    .values(
      recipients.map((recipient) => ({
        ...recipient,
        kind,
        source,
        bundle,
        data: JSON.stringify(data) as Json,
        created_at: now,
        next_attempt_at: now,
        event_id: eventId === null ? null : sql<number | null>`(select id from event where id = ${eventId})`,
        message_id: messageId ?? null,
        actor_id: actorId === null ? null : isPerson(actorId),
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning(['user_id', 'guest_id', 'visitor_id'])
    .execute()
  for (const row of told) await queueDelivery(tx, receiverOf(row), bundle, settleSeconds)
  return told.length
}

export function receiverOf(row: Pick<RecipientRow, 'user_id' | 'guest_id' | 'visitor_id'>): Receiver {
  if (row.user_id !== null) return { kind: 'user', id: row.user_id }
  return row.guest_id !== null ? { kind: 'guest', id: row.guest_id } : { kind: 'visitor', id: row.visitor_id! }
}

/** One job for one person and bundle; asking again while it waits does not put it off. */
export async function queueDelivery(db: Kysely<DB> | Tx, person: Receiver, bundle: string, seconds: number): Promise<void> {
  await sql`select graphile_worker.add_job(${SEND_TASK}, ${JSON.stringify({ person, bundle })}::json,
    run_at := now() + make_interval(secs => ${seconds}), max_attempts := 5,
    job_key := ${`notify ${person.kind} ${person.id} ${bundle}`}, job_key_mode := 'preserve_run_at')`.execute(db)
}
