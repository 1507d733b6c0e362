import { sql } from 'kysely'
import { visibleTo } from '#features/events/access.ts'
import { findEligibility } from '#features/participations/queries/eligibility.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { andAll, type Condition } from '#platform/db/conditions.ts'
import { userOf } from './event-filters.ts'

/**
 * How many shifts are judged for one page, however many there are: what the rules ask is not SQL. A reader who comes to
 * the end of them is led on from there.
 */
const MOST_JUDGED = 600

/**
 * Conditions on `shift` as `s` and `event` as `e` that everything must meet which suits the caller, so that few are left
 * to judge: in time, open to those who sign up themselves and not full, of a type whose qualifications they hold.
 */
export function mayFit(context: RequestContext): Condition {
  const user = userOf(context)
  return sql`s.end_time >= ${context.now} and (
    s.id in (select p.shift_id from participation p where p.user_id = ${user} and p.state in (0, 1))
    or s.signup_flow_slug in ('request_confirm', 'instant_confirmation')
      and not (s.signup_flow_slug = 'instant_confirmation' and s.free is not distinct from 0)
      and e.type_id not in (
        select r.event_type_id from event_type_required_qualification r
        where not exists (
          select from qualification_grant g where g.user_id = ${user} and (
            g.qualification_id = r.qualification_id
            or exists (select from qualification_closure c where c.qualification_id = g.qualification_id and c.included_id = r.qualification_id)
          )
        )
      )
  )`
}

/** Those of these shifts that the caller takes part in or can sign up for. */
export async function keepFitting(context: RequestContext, shiftIds: readonly number[]): Promise<Set<number>> {
  const eligibility = await findEligibility(context, shiftIds)
  const fits = [...eligibility].filter(([, { canSignUp, own }]) => canSignUp || own?.state === 0 || own?.state === 1)
  return new Set(fits.map(([id]) => id))
}

export type FittingEvents = {
  ids: number[]
  /** When the last event begins that was looked at; undefined: all were. */
  lookedUntil: Date | undefined
}

/** Events with at least one shift that suits the caller, soonest first. `conditions` are on `event` as `e`. */
export async function findFittingEvents(context: RequestContext, conditions: Condition[]): Promise<FittingEvents> {
  const most = sql.lit(MOST_JUDGED + 1)
  const order = sql`start_time, end_time, event_id, shift_id`
  const candidates = (when: Condition) => sql`
    select s.id as shift_id, e.id as event_id, e.start_time, e.end_time
    from event e cross join lateral (select s.id from shift s where s.event_id = e.id and ${mayFit(context)} offset 0) s
    where ${visibleTo(context.actor)} and ${when}${andAll(conditions)}`
  // What runs already comes first and is little; apart from it, the index of coming events is read as far as needed.
  const { rows } = await sql<{ shift_id: number; event_id: number; start_time: Date }>`
    select shift_id, event_id, start_time from (
      (${candidates(sql`e.start_time < ${context.now} and e.end_time >= ${context.now}`)})
      union all
      (${candidates(sql`e.start_time >= ${context.now}`)} order by e.start_time, e.end_time, e.id, s.id limit ${most})
    ) c order by ${order} limit ${most}`.execute(context.db)
  const judged = rows.slice(0, MOST_JUDGED)
  const fitting = await keepFitting(
    context,
    judged.map(({ shift_id }) => shift_id),
  )
  const ids = judged.filter(({ shift_id }) => fitting.has(shift_id)).map(({ event_id }) => event_id)
  return { ids: [...new Set(ids)], lookedUntil: rows.length > MOST_JUDGED ? judged.at(-1)!.start_time : undefined }
}
