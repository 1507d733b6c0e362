import { type Kysely, sql } from 'kysely'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'

/** For operators: mails that wait for more than 15 minutes, and mails that were given up. */
export async function countMails(db: Kysely<DB>, now: Date): Promise<{ late: number; failed: number }> {
  return rowsOf(db).one(sql<{ late: number; failed: number }>`
    select (select count(*)::int from notification where mail = 'waiting' and next_attempt_at < ${new Date(now.getTime() - 15 * 60_000)}) as late,
      (select count(*)::int from notification where mail = 'failed') as failed`)
}

type Old = { count: number; oldest: Date | null }

export async function findOldNotifications(db: Kysely<DB>, before: Date): Promise<Old> {
  // never null: count (of rows)
  return rowsOf(db).one(sql<Old>`
    select count(*)::int as count, min(created_at) as oldest from notification where created_at < ${before}`)
}

export type UnsentMail = {
  id: number
  kind: string
  name: string | null
  state: 'failed' | 'skipped' | 'waiting'
  reason: string | null
  createdAt: Date
  nextAt: Date
}

const MAX_SHOWN = 100

/** Mails about notifications that failed at least once, or were left out because the address does not work; the newest first. */
export async function findUnsentMails(db: Kysely<DB>): Promise<UnsentMail[]> {
  // The condition is that of an index.
  return rowsOf(db).all(sql<UnsentMail>`
    select n.id, n.kind, coalesce(u.display_name, g.display_name, v.display_name) as name, n.mail as state, n.mail_reason as reason,
      n.created_at as "createdAt", n.next_attempt_at as "nextAt"
    from notification n left join user_profile u on u.id = n.user_id left join guest g on g.id = n.guest_id
      left join visitor v on v.id = n.visitor_id
    where n.mail = 'failed' or (n.mail = 'skipped' and n.mail_reason = 'address') or (n.mail = 'waiting' and n.mail_reason is not null)
    order by n.id desc limit ${MAX_SHOWN}`)
}
