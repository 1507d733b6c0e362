import { type Kysely, sql } from 'kysely'
import type { DB } from '#platform/db/tables.ts'

/** For operators: mails that wait for more than 15 minutes, and mails that were given up. */
export async function countMails(db: Kysely<DB>, now: Date): Promise<{ late: number; failed: number }> {
  const { rows } = await sql<{ late: number; failed: number }>`
    select (select count(*)::int from notification where mail = 'waiting' and next_attempt_at < ${new Date(now.getTime() - 15 * 60_000)}) as late,
      (select count(*)::int from notification where mail = 'failed') as failed`.execute(db)
  return rows[0]!
}

export type Old = { count: number; oldest: Date | null }

export async function findOldNotifications(db: Kysely<DB>, before: Date): Promise<Old> {
  // never null: count (of rows)
  const { rows } = await sql<Old>`
    select count(*)::int as count, min(created_at) as oldest from notification where created_at < ${before}`.execute(db)
  return rows[0]!
}

export async function findOldMessages(db: Kysely<DB>, before: Date): Promise<Old> {
  // never null: count (of rows)
  const { rows } = await sql<Old>`
    select count(*)::int as count, min(created_at) as oldest from event_message where created_at < ${before}`.execute(db)
  return rows[0]!
}
