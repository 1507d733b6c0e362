import { sql } from 'kysely'
import { visibleTo } from '#features/events/events/access.ts'
import { isCoupled } from '#features/planning/planning/queries/shifts.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import type { Span } from '#platform/time-span.ts'
import type { Overlap } from '../rules/model.ts'

/** More would fill the page; the number says how many there are. */
const MAX_NAMED = 5

/**
 * Other shifts of confirmed people while the shift would take place. People with individual times are compared with these. The caller
 * may change the event, so they see who is confirmed.
 */
export async function findOverlaps(
  { db, actor }: RequestContext,
  shiftId: number,
  { start, end }: Span,
): Promise<{ overlaps: Overlap[]; count: number }> {
  // never null: count (of rows)
  const { rows } = await sql<Overlap & { count: number }>`
    select u.display_name as name, case when ${visibleTo(actor)} then e.title end as title,
      case when ${visibleTo(actor)} then s.label else '' end as label,
      p.start_time as start, p.end_time as end, count(*) over ()::int as count
    from participation own
      join shift here on here.id = own.shift_id
      join user_profile u on u.id = own.user_id
      join participation p on p.user_id = own.user_id and p.shift_id <> own.shift_id and p.state = 1
      join event e on e.id = p.event_id
      join shift s on s.id = p.shift_id
    where own.shift_id = ${shiftId} and own.state = 1 and e.listed
      and p.start_time < coalesce(own.individual_end_time, ${end}) and p.end_time > coalesce(own.individual_start_time, ${start})
      and not ${isCoupled('s', 'here')} and not ${isCoupled('here', 's')}
    order by u.display_name, p.start_time, p.id limit ${sql.lit(MAX_NAMED)}`.execute(db)
  return { overlaps: rows.map(({ count: _count, ...overlap }) => overlap), count: rows[0]?.count ?? 0 }
}
