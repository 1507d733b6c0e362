import { sql } from 'kysely'
import { changeableBy } from '#features/events/events/access.ts'
import { type Actor, hasPermission } from '#platform/auth/actor.ts'
import type { Condition } from '#platform/db/conditions.ts'

/** The name of the kind of request; stored, so it never changes. */
export const QUALIFICATION_REQUEST = 'qualification'

/** Whoever may edit people. */
export const decidesAllQualifications = (actor: Actor): boolean => hasPermission(actor, 'change_user')

/** A condition on a request `r`: the actor may edit the person, or is responsible for the event that led to the request. */
export function decidesQualification(actor: Actor): Condition {
  if (decidesAllQualifications(actor)) return sql`true`
  return sql`exists (select from event e where e.id::text = r.data ->> 'event_id' and ${changeableBy(actor)})`
}

/** A condition on a request `r`: the actor made it or may decide it. */
export const seesProof = (actor: Actor): Condition =>
  actor.kind === 'user' ? sql`(r.user_id = ${actor.userId} or ${decidesQualification(actor)})` : sql`false`
