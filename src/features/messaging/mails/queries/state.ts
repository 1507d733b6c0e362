import { type Kysely, sql } from 'kysely'
import { countMails } from '#features/messaging/notifications/queries/outbox.ts'
import type { DB } from '#platform/db/tables.ts'

/** Undefined if the last mail was sent, or none was tried yet. */
type FailedDelivery = { at: Date; reason: string }

/** The last delivery that failed, as one value for the layout of every page; null if a later mail was sent. */
export const failedDelivery = sql<{ at: string; reason: string } | null>`(
  select json_build_object('at', s.failed_at, 'reason', s.reason) from mail_state s
  where s.failed_at is not null)`

export async function getFailedDelivery(db: Kysely<DB>): Promise<FailedDelivery | undefined> {
  const { rows } = await sql<{ failed: { at: string; reason: string } | null }>`select ${failedDelivery} as failed`.execute(db)
  const failed = rows[0]!.failed
  return failed ? { at: new Date(failed.at), reason: failed.reason } : undefined
}

const isListed = sql`u.email_invalid and u.deleted_at is null and u.is_active and not u.is_service_account
  and u.email not like '%@no-address.invalid'`

/** For the overview of administrators. */
export async function getMailHealth(db: Kysely<DB>, now: Date, isSetUp: boolean) {
  const [failed, { late }, { rows }] = await Promise.all([
    getFailedDelivery(db),
    countMails(db, now),
    sql<{ count: number }>`select count(*)::int as count from user_profile u where ${isListed}`.execute(db),
  ])
  return { isSetUp, failure: failed?.reason, late, addresses: rows[0]!.count }
}

export type FailedAddress = {
  userId: number
  name: string
  email: string
  since: Date | null
  reason: string | null
  /** Mails that were left out. */
  skipped: number
}

const MAX_SHOWN = 100

export async function findFailedAddresses(db: Kysely<DB>): Promise<{ count: number; people: FailedAddress[] }> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from user_profile u where ${isListed}`.execute(db)
  // never null: skipped (a number of rows)
  const { rows: people } = await sql<FailedAddress>`
    select u.id as "userId", u.display_name as name, u.email, f.failed_at as since, f.reason,
      (select count(*)::int from notification n where n.user_id = u.id and n.mail = 'skipped' and n.mail_reason = 'address') as skipped
    from user_profile u left join email_failure f on f.user_id = u.id and lower(f.email) = lower(u.email)
    where ${isListed} order by f.failed_at desc nulls last, u.id limit ${MAX_SHOWN}`.execute(db)
  return { count: rows[0]!.count, people }
}
