import { type Kysely, type RawBuilder, sql } from 'kysely'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'

/** A condition on `visitor` as `v`: no visit and no shift since then. */
export const isFormerVisitor = (before: Date): RawBuilder<unknown> => sql`(
  coalesce(v.refreshed_at, v.created_at) < ${before}
  and not exists (select from participation p where p.visitor_id = v.id and p.end_time >= ${before}))`

export async function findFormerVisitors(db: Kysely<DB>, before: Date): Promise<{ count: number; oldest: Date | null }> {
  // never null: count (of rows)
  return rowsOf(db).one(sql<{ count: number; oldest: Date | null }>`
    select count(*)::int as count, min(coalesce(v.refreshed_at, v.created_at)) as oldest from visitor v
    where ${isFormerVisitor(before)}`)
}
