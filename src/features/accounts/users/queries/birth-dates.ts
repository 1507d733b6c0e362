import { type Kysely, type RawBuilder, sql } from 'kysely'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'

/** A condition on `user_profile` as `u`: has a date of birth that has not been needed since then, because the person neither signed in nor took part. */
export const hasUnneededBirthDate = (before: Date): RawBuilder<unknown> => sql`(
  u.date_of_birth is not null and u.deleted_at is null and u.created_at < ${before}
  and (u.last_sign_in_at is null or u.last_sign_in_at < ${before})
  and not exists (select from session s where s.user_id = u.id and s.last_seen_at >= ${before})
  and not exists (select from participation p where p.user_id = u.id and p.end_time >= ${before}))`

export async function findUnneededBirthDates(db: Kysely<DB>, before: Date): Promise<{ count: number; oldest: Date | null }> {
  // never null: count (of rows)
  return rowsOf(db).one(sql<{ count: number; oldest: Date | null }>`
    select count(*)::int as count, min(coalesce(u.last_sign_in_at, u.created_at)) as oldest from user_profile u
    where ${hasUnneededBirthDate(before)}`)
}
