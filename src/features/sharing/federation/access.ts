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
