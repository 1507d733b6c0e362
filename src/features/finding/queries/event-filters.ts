import { sql } from 'kysely'
import { plannedBy } from '#features/events/access.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { type Condition, searchIn } from '#platform/db/conditions.ts'

/** Where the caller stands: never answered, confirmed, asked or confirmed, or has to decide about others. */
export const OWN_STATES = ['none', 'confirmed', 'in', 'decide'] as const
export type OwnState = (typeof OWN_STATES)[number]

export type EventFilter = {
  terms: readonly string[]
  typeIds: readonly number[]
  state: OwnState | undefined
  needsPeople: boolean
}

/** The same for lists that also hold what fits, and what others share with us. */
export type WideFilter = EventFilter & { fitsMe: boolean; whose: 'all' | 'ours' | 'others' }

export const userOf = ({ actor }: RequestContext): number => (actor.kind === 'user' ? actor.userId : 0)

/** Coupled shifts follow their leader, which is where their people are decided about. */
const waits = sql`s.requested_count > 0 and s.signup_flow_slug <> 'coupled'`

/** Conditions on `event` as `e`. */
export function eventConditions(context: RequestContext, { terms, typeIds, state, needsPeople }: EventFilter): Condition[] {
  const own = (states: number[]): Condition =>
    sql`e.id in (select p.event_id from participation p where p.user_id = ${userOf(context)} and p.state = any (${states}::smallint[]))`
  const hasShift = (that: Condition): Condition =>
    sql`e.listed and e.end_time >= ${context.now} and e.id in (select s.event_id from shift s where s.end_time >= ${context.now} and ${that})`
  const STATES: Record<OwnState, () => Condition> = {
    none: () => sql`not ${own([0, 1, 2, 3])}`,
    confirmed: () => own([1]),
    in: () => own([0, 1]),
    decide: () => sql`${plannedBy(context.actor)} and ${hasShift(waits)}`,
  }
  return [
    ...(typeIds.length ? [sql`e.type_id = any (${typeIds}::bigint[])`] : []),
    ...searchIn([...terms], [sql`e.title`, sql`e.location`, sql`e.description`]),
    ...(state ? [STATES[state]()] : []),
    ...(needsPeople ? [hasShift(sql`s.missing > 0`)] : []),
  ]
}

/** The same for a list of shifts: conditions on `shift` as `s`, `event` as `e` and the caller's `participation` as `p`. */
export function shiftConditions(context: RequestContext, filter: EventFilter): Condition[] {
  const { state, needsPeople } = filter
  const STATES: Record<OwnState, () => Condition> = {
    none: () => sql`(p.state is null or p.state = 4)`,
    confirmed: () => sql`p.state = 1`,
    in: () => sql`p.state in (0, 1)`,
    decide: () => sql`e.listed and ${plannedBy(context.actor)} and s.end_time >= ${context.now} and ${waits}`,
  }
  return [
    ...eventConditions(context, { ...filter, state: undefined, needsPeople: false }),
    ...(state ? [STATES[state]()] : []),
    ...(needsPeople ? [sql`e.listed and s.end_time >= ${context.now} and s.missing > 0`] : []),
  ]
}
