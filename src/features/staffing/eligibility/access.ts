import { type RawBuilder, sql } from 'kysely'
import { openTo, shownTo } from '#features/events/events/access.ts'
import type { Actor } from '#platform/auth/actor.ts'

/**
 * A condition on `event` as `e`: the caller can act as a participant. Visitors while the event is shared with their instance, guests
 * in their own event while its link is active, each only while their own record exists.
 */
export function reachableBy(actor: Actor): RawBuilder<unknown> {
  const published = sql`e.active and e.deleted_at is null`
  if (actor.kind === 'user') return shownTo(actor)
  if (actor.kind === 'visitor')
    return sql`${published} and exists (
      select from event_share s join visitor v on v.federated_guest_id = s.federated_guest_id
      where s.event_id = e.id and s.federated_guest_id = ${actor.federatedGuestId} and v.id = ${actor.visitorId})`
  if (actor.kind === 'guest')
    return sql`${published} and e.id = ${actor.eventId} and exists (
      select from guest_share s join guest g on g.event_id = s.event_id
      where s.event_id = e.id and s.active and g.id = ${actor.guestId})`
  return sql`false`
}

/** A condition on `event` as `e`: the caller may open its page. */
export const openFor = (actor: Actor): RawBuilder<unknown> => (actor.kind === 'user' ? openTo(actor) : reachableBy(actor))
