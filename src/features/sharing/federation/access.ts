import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '#platform/auth/actor.ts'
import { Problem } from '#platform/http/problem.ts'

/** The endpoints already refuse other actors; this checks again. */
export function requireGuestId(actor: Actor): number {
  if (actor.kind !== 'partner') throw new Problem('permission_denied')
  return actor.federatedGuestId
}

/** A condition on `event` as `e`. Drafts, cancelled and deleted events are hidden even if they are shared. */
export function sharedWith(guestId: number): RawBuilder<unknown> {
  return sql`e.listed and exists (select from event_share s where s.event_id = e.id and s.federated_guest_id = ${guestId})`
}

/**
 * A condition on `visitor` as `v`, `participation` as `p` and `event` as `e`: where people of the guest stand at events that it sees, and
 * what they did here, also at events that are no longer shared. People who object are left out.
 */
export const isToldAbout = (
  guestId: number,
  now: Date,
): RawBuilder<unknown> => sql`v.federated_guest_id = ${guestId} and v.remote_id is not null
  and e.listed and (p.end_time < ${now} or ${sharedWith(guestId)})
  and not exists (select from visitor_objection o where o.federated_guest_id = ${guestId} and o.remote_id = v.remote_id)`
