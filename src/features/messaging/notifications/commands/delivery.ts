import { type Kysely, sql } from 'kysely'
import type { ChannelName } from '#features/messaging/channels/rules.ts'
import type { RecipientRow } from '#features/messaging/notification-kinds/rules/kinds.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import type { Tx } from '#platform/db/transaction.ts'
import { CHANNEL_LIFETIME_MS, CLAIM_TIMEOUT_MS, DIGEST_ABOVE, nextAttempt } from '../rules/delivery.ts'
import { type Delivery, type Recipient, SEND_TASK } from '../schema.ts'

/** `isDigest`: the mail holds more than one bundle. */
type Claim = { ids: number[]; isDigest: boolean }
/** Claims the notifications of a mail, so that two workers do not both send it. A parameter, so that tests can leave it out. */
export type ClaimMail = (db: Kysely<DB>, delivery: Delivery, now: Date) => Promise<Claim>

const RECIPIENT_COLUMNS = { user: sql`n.user_id`, guest: sql`n.guest_id`, visitor: sql`n.visitor_id` } as const
const isFor = ({ kind, id }: Recipient) => sql`${RECIPIENT_COLUMNS[kind]} = ${id}`

/** Waiting, due and not claimed; or claimed by a worker that died. */
const isClaimable = (now: Date) => sql`n.mail = 'waiting' and n.next_attempt_at <= ${now}
  and (n.claimed_at is null or n.claimed_at < ${new Date(now.getTime() - CLAIM_TIMEOUT_MS)})`

/** Claims the bundle, or all that wait for this recipient if there are many. Messages are never part of a digest. */
export const claimMail: ClaimMail = async (db, { person, bundle }, now) => {
  const { rows } = await sql<{ id: number; bundle: string }>`
    update notification set claimed_at = ${now}, attempts = attempts + 1 where id in (
      select n.id from notification n where ${isFor(person)} and ${isClaimable(now)} and (n.bundle = ${bundle} or n.message_id is null and ${DIGEST_ABOVE} < (
        select count(*) from notification n where ${isFor(person)} and ${isClaimable(now)} and n.message_id is null))
      order by n.id for update skip locked)
    returning id, bundle`.execute(db)
  return {
    ids: rows.map(({ id }) => id).sort((a, b) => a - b),
    isDigest: rows.some((row) => row.bundle !== bundle),
  }
}

export async function markSent(db: Kysely<DB>, ids: readonly number[], now: Date): Promise<void> {
  if (!ids.length) return
  await db
    .updateTable('notification')
    .set({ mail: 'sent', mail_reason: null, sent_at: now, claimed_at: null })
    .where('id', 'in', ids)
    .execute()
}

export type SkipReason = 'gone' | 'inactive' | 'address' | 'read' | 'switched_off' | 'obsolete' | 'not_shown'

export async function markSkipped(db: Kysely<DB>, ids: readonly number[], reason: SkipReason): Promise<void> {
  if (!ids.length) return
  await db
    .updateTable('notification')
    .set({ mail: 'skipped', mail_reason: reason, claimed_at: null })
    .where('id', 'in', ids)
    .execute()
}

/** Schedules the next attempt. After the last one, the mail stays in the table as failed for operators to see. */
export async function markFailed(
  db: Kysely<DB>,
  ids: readonly number[],
  reason: string,
  now: Date,
): Promise<{ givenUp: number }> {
  const rows = await db.selectFrom('notification').select(['id', 'attempts']).where('id', 'in', ids).execute()
  let givenUp = 0
  for (const { id, attempts } of rows) {
    const next = nextAttempt(attempts, now)
    if (!next) givenUp++
    await db
      .updateTable('notification')
      .set({
        mail: next ? 'waiting' : 'failed',
        mail_reason: reason,
        claimed_at: null,
        ...(next ? { next_attempt_at: next } : {}),
      })
      .where('id', '=', id)
      .execute()
  }
  return { givenUp }
}

/**
 * Claims the waiting notifications of a bundle by marking them as sent. A worker that dies after this loses the push message, and
 * nobody gets it twice; the mail and the list of notifications are the reliable channels.
 */
export async function claimPush(db: Kysely<DB>, { person, bundle }: Delivery, now: Date): Promise<number[]> {
  if (person.kind !== 'user') return []
  const { rows } = await sql<{ id: number }>`
    update notification set push = 'sent'
    where user_id = ${person.id} and bundle = ${bundle} and push = 'waiting' and (quiet_until is null or quiet_until <= ${now})
    returning id`.execute(db)
  return rows.map(({ id }) => id).sort((a, b) => a - b)
}

export type DeliveryState = 'waiting' | 'skipped' | 'failed'

export async function markPush(db: Kysely<DB>, ids: readonly number[], state: DeliveryState): Promise<void> {
  if (!ids.length) return
  await db.updateTable('notification').set({ push: state }).where('id', 'in', ids).execute()
}

/** As `claimPush`, for a channel. */
export async function claimDelivery(
  db: Kysely<DB>,
  channel: ChannelName,
  { person, bundle }: Delivery,
  now: Date,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    update notification_delivery d set state = 'sent' from notification n
    where n.id = d.notification_id and n.user_id = ${person.id} and n.bundle = ${bundle} and d.channel = ${channel}
      and d.state = 'waiting' and (n.quiet_until is null or n.quiet_until <= ${now})
    returning n.id`.execute(db)
  return rows.map(({ id }) => id).sort((a, b) => a - b)
}

export async function markDelivery(
  db: Kysely<DB>,
  channel: ChannelName,
  ids: readonly number[],
  state: DeliveryState,
): Promise<void> {
  if (!ids.length) return
  await db
    .updateTable('notification_delivery')
    .set({ state })
    .where('channel', '=', channel)
    .where('notification_id', 'in', ids)
    .execute()
}

/** For the notifications that were just created: one for each channel of the person that is on. Returns who has one. */
export async function createDeliveries(tx: Tx, ids: readonly number[], channels: readonly ChannelName[]): Promise<number[]> {
  if (!ids.length || !channels.length) return []
  // never null: user_id (of a link)
  const rows = await rowsOf(tx).all(sql<{ user_id: number }>`
    with created as (
      insert into notification_delivery (notification_id, channel)
      select n.id, l.channel from notification n join channel_link l on l.user_id = n.user_id
      where n.id = any (${ids}::bigint[]) and l.channel = any (${channels}::text[])
      on conflict do nothing returning notification_id)
    select distinct n.user_id from notification n join created c on c.notification_id = n.id`)
  return rows.map(({ user_id }) => user_id)
}

type RecipientColumns = Pick<RecipientRow, 'user_id' | 'guest_id' | 'visitor_id'>

export function recipientOf({ user_id, guest_id, visitor_id }: RecipientColumns): Recipient {
  if (user_id !== null) return { kind: 'user', id: user_id }
  return guest_id !== null ? { kind: 'guest', id: guest_id } : { kind: 'visitor', id: visitor_id! }
}

/** Settling takes minutes at most. */
const QUIET_SECONDS = 600

type Queued = Delivery & { seconds: number }

const jobKeyOf = ({ person, bundle, seconds }: Queued): string => {
  // What waits for the end of quiet hours does not delay what is sent at once.
  const when = seconds > QUIET_SECONDS ? ' later' : ''
  return `notify ${person.kind} ${person.id} ${bundle}${when}`
}

/** A statement has a time limit. */
const JOBS_AT_ONCE = 500

/** One job per recipient and bundle. Queueing it again while it waits does not delay it. */
export async function queueDeliveries(db: Kysely<DB> | Tx, deliveries: readonly Queued[]): Promise<void> {
  for (let from = 0; from < deliveries.length; from += JOBS_AT_ONCE) {
    const part = deliveries.slice(from, from + JOBS_AT_ONCE)
    await sql`
      select graphile_worker.add_job(${SEND_TASK}, payload::json, run_at := now() + make_interval(secs => seconds),
        max_attempts := 5, job_key := key, job_key_mode := 'preserve_run_at')
      from unnest(${part.map(({ person, bundle }) => JSON.stringify({ person, bundle }))}::text[],
        ${part.map(({ seconds }) => seconds)}::float8[], ${part.map(jobKeyOf)}::text[]) as queued (payload, seconds, key)`.execute(
      db,
    )
  }
}

/** What a channel could not send, until it is too old. */
const waitsForChannel = (now: Date) => sql`n.created_at > ${new Date(now.getTime() - 2 * CHANNEL_LIFETIME_MS)}
  and n.created_at < ${new Date(now.getTime() - 60_000)} and (n.quiet_until is null or n.quiet_until <= ${now})`

/** Queues due mails that have no job: retries, and those that a crash left behind. Also what waits for a channel. */
export async function queueDue(db: Kysely<DB>, now: Date): Promise<void> {
  const { rows } = await sql<RecipientColumns & { bundle: string }>`
    select distinct n.user_id, n.guest_id, n.visitor_id, n.bundle from notification n
    where ${isClaimable(now)} and (n.attempts > 0 or n.created_at < ${new Date(now.getTime() - 60_000)})
    union
    select n.user_id, n.guest_id, n.visitor_id, n.bundle from notification_delivery d join notification n on n.id = d.notification_id
    where d.state = 'waiting' and ${waitsForChannel(now)}`.execute(db)
  await queueDeliveries(
    db,
    rows.map((row) => ({ person: recipientOf(row), bundle: row.bundle, seconds: 0 })),
  )
}

/** Deletes old notifications whatever became of their mails. */
export async function deleteOldNotifications(db: Kysely<DB>, before: Date): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('notification').where('created_at', '<', before).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** Mails that were left out because the address of the person did not work, if they are recent. */
const RESUMED_DAYS = 14

/** Queues them again. What is obsolete by then is left out as usual. */
export async function resumeSkippedMails(tx: Tx, userId: number, now: Date): Promise<void> {
  const since = new Date(now.getTime() - RESUMED_DAYS * 24 * 3600_000)
  const { rows } = await sql<{ bundle: string }>`
    update notification set mail = 'waiting', mail_reason = null, attempts = 0, claimed_at = null, next_attempt_at = ${now}
    where user_id = ${userId} and mail = 'skipped' and mail_reason = 'address' and created_at > ${since}
    returning bundle`.execute(tx)
  const bundles = [...new Set(rows.map((row) => row.bundle))]
  await queueDeliveries(
    tx,
    bundles.map((bundle) => ({ person: { kind: 'user', id: userId }, bundle, seconds: 0 })),
  )
}

/** Tries a mail that was not sent, with the other notifications of its bundle. False: it was sent meanwhile, or there is none. */
export async function retryUnsentMail(tx: Tx, id: number, now: Date): Promise<boolean> {
  const row = await rowsOf(tx).first(sql<RecipientColumns & { bundle: string }>`
    update notification n set mail = 'waiting', mail_reason = null, attempts = 0, claimed_at = null, next_attempt_at = ${now}
    from notification one
    where one.id = ${id} and n.bundle = one.bundle and n.mail in ('failed', 'skipped', 'waiting')
      and (n.user_id, n.guest_id, n.visitor_id) is not distinct from (one.user_id, one.guest_id, one.visitor_id)
      and (n.mail = 'failed' or (n.mail = 'skipped' and n.mail_reason = 'address') or (n.mail = 'waiting' and n.mail_reason is not null))
    returning n.user_id, n.guest_id, n.visitor_id, n.bundle`)
  if (row) await queueDeliveries(tx, [{ person: recipientOf(row), bundle: row.bundle, seconds: 0 }])
  return row !== undefined
}
