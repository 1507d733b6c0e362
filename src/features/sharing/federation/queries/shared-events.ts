import { sql } from 'kysely'
import { type Counted, findCounted, timeConditions } from '#features/events/events/queries/filters.ts'
import { PLAIN_EVENT_ORDER } from '#features/events/events/queries/keys-after.ts'
import { eventColumns } from '#features/events/events/queries/record-bodies.ts'
import type { EventRow } from '#features/events/events/queries/record-presenters.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { andAll } from '#platform/db/conditions.ts'
import { orderBy } from '#platform/db/keyset.ts'
import { findAfter, type Paged, type PagedRows, selected } from '#platform/db/paged.ts'
import type { Pagination } from '#platform/http/paging.ts'
import type { QueryOf } from '#platform/http/parameters.ts'
import { requireGuestId, sharedWith } from '../access.ts'
import type { sharedEventParameters } from '../schema.ts'

export type SharedEventRow = Omit<EventRow, 'shifts'> & { guest_id: number }
type SharedEventQuery = QueryOf<typeof sharedEventParameters>

export async function findSharedEvents(
  context: RequestContext,
  query: SharedEventQuery,
  page: Pagination,
): Promise<PagedRows<SharedEventRow>> {
  const guestId = requireGuestId(context.actor)
  const conditions = [
    ...(query.type === undefined ? [] : [sql`e.type_id = ${query.type}`]),
    ...timeConditions(query, sql`e.start_time`, sql`e.end_time`),
  ]
  const columns = { ...eventColumns, guest_id: sql`${guestId}::bigint` }
  const from = sql`from event e join event_type t on t.id = e.type_id`
  const where = sql`${sharedWith(guestId)}${andAll(conditions)}`
  if (page.keyset) {
    const listing = { columns, from, where, order: PLAIN_EVENT_ORDER }
    // never null: guest_id (it is a value of the request)
    return findAfter(context, listing, page, (chosen) => sql<Paged<SharedEventRow>>`${chosen}`)
  }
  const listing = { columns: selected(columns), from: sql`${from} where ${where}`, order: orderBy(PLAIN_EVENT_ORDER) }
  return findCounted(context, listing, page, (chosen) => sql<Counted<SharedEventRow>>`${chosen}`)
}
