import { sql } from 'kysely'
import { type Counted, findCounted } from '#features/events/events/queries/filters.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { byId, findAfter, type Paged, type PagedRows, selected } from '#platform/db/paged.ts'
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
): Promise<PagedRows<VisitorParticipationRow>> {
  const guestId = requireGuestId(context.actor)
  const columns = {
    event: sql`p.event_id`,
    shift: sql`p.shift_id`,
    shift_label: sql`shift.label`,
    user: sql`v.remote_id`,
    state: sql`p.state`,
    start_time: sql`p.start_time::text`,
    end_time: sql`p.end_time::text`,
  }
  const from = sql`from visitor v join participation p on p.visitor_id = v.id join shift on shift.id = p.shift_id
    join event e on e.id = p.event_id`
  const where = sql`v.federated_guest_id = ${guestId} and v.remote_id is not null and ${sharedWith(guestId)}
    and not exists (select from visitor_objection o where o.federated_guest_id = ${guestId} and o.remote_id = v.remote_id)`
  if (page.keyset) {
    const listing = { columns, from, where, order: byId(sql`p.id`) }
    // never null: user (the condition compares it)
    return findAfter(context, listing, page, (chosen) => sql<Paged<VisitorParticipationRow>>`${chosen}`)
  }
  const listing = { columns: selected(columns), from: sql`${from} where ${where}`, order: sql`p.id` }
  // never null: user (the condition compares it)
  return findCounted(context, listing, page, (chosen) => sql<Counted<VisitorParticipationRow>>`${chosen}`)
}
