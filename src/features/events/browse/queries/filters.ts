import { sql } from 'kysely'
import { changeableBy } from '#features/events/events/access.ts'
import { isShort } from '#features/events/events/queries/shift-columns.ts'
import { findEligibility } from '#features/staffing/eligibility/queries/eligibility.ts'
import { selfServiceSlugs } from '#features/staffing/staffing/flows/registry.ts'
import { userIdOf } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { type Condition, searchIn } from '#platform/db/conditions.ts'

/** The caller has never answered, is confirmed, has requested, either of both, or has to decide about others. */
export const OWN_STATES = ['none', 'confirmed', 'requested', 'in', 'decide'] as const
type OwnState = (typeof OWN_STATES)[number]

export type EventFilter = {
  terms: readonly string[]
  typeIds: readonly number[]
  state: OwnState | undefined
  needsPeople: boolean
  fitsMe: boolean
  whose: 'all' | 'ours' | 'others'
}

/** Requests for coupled shifts are decided on the shift they follow. */
export const hasOpenRequests = sql`s.requested_count > 0 and s.signup_flow_slug <> 'coupled'`

/** Conditions on `event` as `e`. */
export function eventConditions(context: RequestContext, { terms, typeIds, state, needsPeople }: EventFilter): Condition[] {
  const own = (states: number[]): Condition =>
    sql`e.id in (select p.event_id from participation p where p.user_id = ${userIdOf(context.actor)} and p.state = any (${states}::smallint[]))`
  const hasShift = (condition: Condition): Condition =>
    sql`e.listed and e.end_time >= ${context.now}
      and exists (select from shift s where s.event_id = e.id and s.end_time >= ${context.now} and ${condition})`
  const STATES: Record<OwnState, () => Condition> = {
    none: () => sql`not ${own([0, 1, 2, 3])}`,
    confirmed: () => own([1]),
    requested: () => sql`e.cancelled_at is null and ${own([0])}`,
    in: () => own([0, 1]),
    decide: () => sql`${hasShift(hasOpenRequests)} and ${changeableBy(context.actor)}`,
  }
  return [
    ...(typeIds.length ? [sql`e.type_id = any (${typeIds}::bigint[])`] : []),
    ...searchIn([...terms], [sql`e.title`, sql`e.location`, sql`e.description`]),
    ...(state ? [STATES[state]()] : []),
    ...(needsPeople ? [hasShift(isShort)] : []),
  ]
}

/** The filter for a list of shifts: conditions on `shift` as `s`, `event` as `e` and the caller's `participation` as `p`. */
export function shiftConditions(context: RequestContext, filter: EventFilter): Condition[] {
  const { state, needsPeople } = filter
  const STATES: Record<OwnState, () => Condition> = {
    none: () => sql`(p.state is null or p.state = 4)`,
    confirmed: () => sql`p.state = 1`,
    requested: () => sql`e.cancelled_at is null and p.state = 0`,
    in: () => sql`p.state in (0, 1)`,
    decide: () => sql`e.listed and s.end_time >= ${context.now} and ${hasOpenRequests} and ${changeableBy(context.actor)}`,
  }
  return [
    ...eventConditions(context, { ...filter, state: undefined, needsPeople: false }),
    ...(state ? [STATES[state]()] : []),
    ...(needsPeople ? [sql`e.listed and s.end_time >= ${context.now} and ${isShort}`] : []),
  ]
}

/** Most shifts judged for one page: the sign-up rules are not SQL, so each candidate is loaded. */
export const MAX_JUDGED_SHIFTS = 600

/**
 * Necessary conditions on `shift` as `s` and `event` as `e` for a shift to fit the caller, so that few are left to judge: not
 * over, open for sign-up and not full, of a type whose required qualifications the caller holds, and the caller takes no part.
 */
export function mightFit(context: RequestContext, { needsPeople }: { needsPeople: boolean }): Condition {
  const user = userIdOf(context.actor)
  return sql`s.end_time >= ${context.now} and (${isShort} or ${!needsPeople})
    and s.id not in (select p.shift_id from participation p where p.user_id = ${user} and p.state in (0, 1))
    and s.signup_flow_slug = any (${selfServiceSlugs()})
    and not (s.signup_flow_slug = 'instant_confirmation' and s.free is not distinct from 0)
    and e.type_id not in (
      select r.event_type_id from event_type_required_qualification r
      where not exists (
        select from qualification_grant g where g.user_id = ${user} and (
          g.qualification_id = r.qualification_id
          or exists (select from qualification_closure c where c.qualification_id = g.qualification_id and c.included_id = r.qualification_id)
        )
      )
    )`
}

/** Those of the shifts that the caller can sign up for. */
export async function keepFitting(context: RequestContext, shiftIds: readonly number[]): Promise<Set<number>> {
  const eligibility = await findEligibility(context, shiftIds)
  return new Set(
    [...eligibility].flatMap(([id, { canSignUp, own }]) => (canSignUp && own?.state !== 0 && own?.state !== 1 ? [id] : [])),
  )
}
