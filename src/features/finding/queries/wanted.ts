import { sql } from 'kysely'
import { visibleTo } from '#features/events/access.ts'
import { findEligibility } from '#features/participations/queries/eligibility.ts'
import type { Candidacy } from '#features/participations/rules/candidacy.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { mayFit } from './fitting.ts'
import type { ShiftOfEvent } from './shifts-shown.ts'

export type WantedShift = ShiftOfEvent & { meeting_time: Date; candidacy: Candidacy }

/**
 * How far ahead a shift is looked for that suits; whoever fits nowhere among these fits hardly anywhere. By their end, and
 * with a number that the planner knows: so the index of what lacks people is read from now on and no further than needed.
 */
const MOST_CANDIDATES = 60

/** Coming shifts that lack people, that the caller has not answered yet and can sign up for; those for one click first. */
export async function findWantedShifts(context: RequestContext, limit: number): Promise<WantedShift[]> {
  const { db, actor, now } = context
  const userId = actor.kind === 'user' ? actor.userId : 0
  const { rows } = await sql<Omit<WantedShift, 'candidacy'>>`
    select s.id as shift_id, s.label, e.id as event_id, e.title as event_title, e.location, t.title as type_title, t.color as type_color,
      s.meeting_time, s.start_time, s.end_time, s.requested_count as "requestedCount", s.confirmed_count as "confirmedCount",
      s.missing, s.free, s.min_count as "minCount", s.max_count as "maxCount"
    from shift s
      cross join lateral (select e.* from event e where e.id = s.event_id and ${visibleTo(actor)} offset 0) e
      join event_type t on t.id = e.type_id
    where s.missing > 0 and s.end_time >= ${now} and ${mayFit(context)}
      and not exists (select from participation p where p.shift_id = s.id and p.user_id = ${userId})
    order by s.end_time, s.id limit ${sql.lit(MOST_CANDIDATES)}`.execute(db)
  const eligibility = await findEligibility(
    context,
    rows.map(({ shift_id }) => shift_id),
  )
  return rows
    .map((row) => ({ ...row, candidacy: eligibility.get(row.shift_id)! }))
    .filter(({ candidacy }) => candidacy?.canSignUp)
    .sort(
      (a, b) => Number(a.candidacy.needsForm) - Number(b.candidacy.needsForm) || a.start_time.getTime() - b.start_time.getTime(),
    )
    .slice(0, limit)
}
