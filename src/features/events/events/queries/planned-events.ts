import { sql } from 'kysely'
import type { RequestContext } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import { plannedBy } from '../access.ts'

/** Whether the caller plans any event that has not ended. */
export async function plansEvents({ db, actor, now }: RequestContext): Promise<boolean> {
  return rowsOf(db).exists(sql`select from event e where e.listed and e.end_time >= ${now} and ${plannedBy(actor)} limit 1`)
}
