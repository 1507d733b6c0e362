import { sql } from 'kysely'
import { usesBlocks } from '#features/staffing/staffing/queries/staffing.ts'
import { hasPermission } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { changeableBy, shownTo } from '../access.ts'

type ShiftOfBlock = { shiftId: number; eventId: number; eventTitle: string; label: string; startTime: Date; endTime: Date }

const MOST_NAMED = 200

/** Shifts that the caller may see, soonest first; the others are only counted. */
export async function findShiftsOfBlocks(
  { db, actor, now }: RequestContext,
  blockIds: readonly number[],
): Promise<{ count: number; named: ShiftOfBlock[] }> {
  const seen = hasPermission(actor, 'view_event') ? sql`true` : sql`(${shownTo(actor)} or ${changeableBy(actor)})`
  const { rows } = await sql<ShiftOfBlock & { count: number; isNamed: boolean }>`
    select s.id as "shiftId", e.id as "eventId", e.title as "eventTitle", s.label, s.start_time as "startTime", s.end_time as "endTime",
      (count(*) over ())::int as count, ${seen} as "isNamed"
    from shift s join event e on e.id = s.event_id where ${usesBlocks(blockIds, now)}
    order by "isNamed" desc, s.start_time, s.id limit ${MOST_NAMED}`.execute(db)
  return { count: rows[0]?.count ?? 0, named: rows.filter(({ isNamed }) => isNamed) }
}
