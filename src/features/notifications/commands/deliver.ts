import { type Kysely, sql } from 'kysely'
import type { DB } from '#platform/db/tables.ts'
import { DIGEST_ABOVE, LEASE_MS, nextAttempt } from '../rules/delivery.ts'
import type { Delivery, Receiver } from '../schema.ts'
import { queueDelivery, receiverOf } from './tell.ts'

/** `isDigest`: more than what was done in one go. */
export type Claim = { ids: number[]; isDigest: boolean }
/** Whoever claims it sends it; others find nothing. Tests switch it off to see what it is good for. */
export type Claiming = (db: Kysely<DB>, delivery: Delivery, now: Date) => Promise<Claim>

const COLUMN = { user: sql`n.user_id`, guest: sql`n.guest_id`, visitor: sql`n.visitor_id` } as const
const of = ({ kind, id }: Receiver) => sql`${COLUMN[kind]} = ${id}`

/** Free to be sent: waiting, due, and in nobody's hands; or in those of a worker that died. */
const free = (now: Date) => sql`n.mail = 'waiting' and n.next_attempt_at <= ${now}
  and (n.claimed_at is null or n.claimed_at < ${new Date(now.getTime() - LEASE_MS)})`

/** The bundle, or everything that waits for this person if that is a lot. What somebody wrote always goes by itself. */
export const claimMail: Claiming = async (db, { person, bundle }, now) => {
  const { rows } = await sql<{ id: number; bundle: string }>`
    update notification set claimed_at = ${now}, attempts = attempts + 1 where id in (
      select n.id from notification n where ${of(person)} and ${free(now)} and (n.bundle = ${bundle} or n.message_id is null and ${DIGEST_ABOVE} < (
        select count(*) from notification n where ${of(person)} and ${free(now)} and n.message_id is null))
      order by n.id for update skip locked)
    returning id, bundle`.execute(db)
  // What was done in one go is sorted out by whoever asked for it first.
  const others = rows.some((row) => row.bundle !== bundle)
  return { ids: rows.map(({ id }) => id).sort((a, b) => a - b), isDigest: others }
}

export async function noteSent(db: Kysely<DB>, ids: readonly number[], now: Date): Promise<void> {
  if (!ids.length) return
  await db
    .updateTable('notification')
    .set({ mail: 'sent', mail_reason: null, sent_at: now, claimed_at: null })
    .where('id', 'in', ids)
    .execute()
}

export type SkipReason = 'gone' | 'inactive' | 'address' | 'read' | 'switched_off' | 'obsolete' | 'not_shown'

export async function noteSkipped(db: Kysely<DB>, ids: readonly number[], reason: SkipReason): Promise<void> {
  if (!ids.length) return
  await db
    .updateTable('notification')
    .set({ mail: 'skipped', mail_reason: reason, claimed_at: null })
    .where('id', 'in', ids)
    .execute()
}

/** Tried again later, a few times; then it stays as failed, for operators to see. */
export async function noteFailed(db: Kysely<DB>, ids: readonly number[], reason: string, now: Date): Promise<{ gaveUp: number }> {
  const rows = await db.selectFrom('notification').select(['id', 'attempts']).where('id', 'in', ids).execute()
  let gaveUp = 0
  for (const { id, attempts } of rows) {
    const next = nextAttempt(attempts, now)
    if (!next) gaveUp++
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
  return { gaveUp }
}

/** Queues what is due and has no job: retries, and whatever a crash has left behind. */
export async function queueDue(db: Kysely<DB>, now: Date): Promise<number> {
  const { rows } = await sql<{ user_id: number | null; guest_id: number | null; visitor_id: number | null; bundle: string }>`
    select distinct n.user_id, n.guest_id, n.visitor_id, n.bundle from notification n
    where ${free(now)} and (n.attempts > 0 or n.created_at < ${new Date(now.getTime() - 60_000)})`.execute(db)
  for (const row of rows) await queueDelivery(db, receiverOf(row), row.bundle, 0)
  return rows.length
}

/** Old news goes, and mails that waited for it with it; what failed stays as long as the rest. */
export async function forgetOld(db: Kysely<DB>, before: Date): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('notification').where('created_at', '<', before).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
