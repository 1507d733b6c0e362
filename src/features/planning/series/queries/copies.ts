import { sql } from 'kysely'
import { changeableBy, openTo } from '#features/events/events/access.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'

export type CopyLine = { id: number; title: string; start: Date | null; shifts: number; active: boolean }

/** Those of the events that the caller may change, in order of time. */
export async function findCopies({ db, actor }: RequestContext, ids: readonly number[]): Promise<CopyLine[]> {
  return rowsOf(db).all(sql<CopyLine>`
    select e.id, e.title, e.start_time as start, e.shift_count as shifts, e.active
    from event e where e.id = any (${ids}::bigint[]) and e.deleted_at is null and ${changeableBy(actor)} and ${openTo(actor)}
    order by e.start_time, e.id`)
}
