import { sql } from 'kysely'
import { type Counted, findCounted } from '#features/events/queries/filters.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import type { Pagination } from '#platform/http/paging.ts'
import { requireGuestId, sharedWith } from '../access.ts'

type VisitorParticipationRow = {
  event: number
  shift: number
  shift_label: string
  user: number
  state: number
  start_time: string
  end_time: string
}

/** Only visitors with a known id at their home instance, at events that are shared with it. */
export async function findVisitorParticipations(
  context: RequestContext,
  _query: unknown,
  page: Pagination,
): Promise<{ count: number; rows: VisitorParticipationRow[] }> {
  const guestId = requireGuestId(context.actor)
  const listing = {
    columns: sql`p.event_id as event, p.shift_id as shift, shift.label as shift_label, v.remote_id as "user", p.state,
      p.start_time::text as start_time, p.end_time::text as end_time`,
    from: sql`from visitor v join participation p on p.visitor_id = v.id join shift on shift.id = p.shift_id join event e on e.id = p.event_id
      where v.federated_guest_id = ${guestId} and v.remote_id is not null and ${sharedWith(guestId)}`,
    order: sql`p.id`,
  }
  // never null: user (the condition compares it)
  return findCounted(context, listing, page, (chosen) => sql<Counted<VisitorParticipationRow>>`${chosen}`)
}
