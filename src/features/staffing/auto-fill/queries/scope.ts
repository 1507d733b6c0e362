import { type RawBuilder, sql } from 'kysely'
import { plannedBy } from '#features/events/events/access.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import { addDays, startOfDay } from '#platform/i18n/days.ts'
import type { ScopedShift } from '../rules/proposal.ts'
import type { FillScope } from '../schema.ts'

/** More shifts are not filled at once. */
export const MAX_SHIFTS = 120

/** Future shifts of the scope that the caller plans, in the order of their times. One more than the limit tells that there are more. */
export async function findScopedShifts({ db, actor, now, site }: RequestContext, scope: FillScope): Promise<ScopedShift[]> {
  return rowsOf(db).all(sql<ScopedShift>`
    select s.id, s.event_id as "eventId", e.title as "eventTitle", s.label, s.start_time as start, s.end_time as end,
      s.signup_flow_slug as "flowSlug"
    from shift s join event e on e.id = s.event_id
    where ${within(scope, site.timeZone)} and e.listed and s.start_time > ${now} and ${plannedBy(actor)}
    order by s.start_time, s.id limit ${MAX_SHIFTS + 1}`)
}

function within(scope: FillScope, timeZone: string): RawBuilder<unknown> {
  if (scope.kind === 'shift') return sql`s.id = ${scope.id}`
  if (scope.kind === 'event') return sql`s.event_id = ${scope.id}`
  const first = `${scope.month}-01`
  const next = `${addDays(first, 31).slice(0, 7)}-01`
  return sql`s.start_time >= ${startOfDay(first, timeZone)} and s.start_time < ${startOfDay(next, timeZone)}`
}
