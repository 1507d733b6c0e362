import { type Kysely, sql } from 'kysely'
import type { DB } from '#platform/db/tables.ts'

/** For operators: mails that wait for more than 15 minutes, and mails that were given up. */
export async function countMails(db: Kysely<DB>, now: Date): Promise<{ late: number; failed: number }> {
  const { rows } = await sql<{ late: number; failed: number }>`
    select (select count(*)::int from notification where mail = 'waiting' and next_attempt_at < ${new Date(now.getTime() - 15 * 60_000)}) as late,
      (select count(*)::int from notification where mail = 'failed') as failed`.execute(db)
  return rows[0]!
}
