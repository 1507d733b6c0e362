import { sql } from 'kysely'
import { type Counted, findCounted, timeConditions } from '#features/events/queries/filters.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { andAll } from '#platform/db/conditions.ts'
import type { Pagination } from '#platform/http/paging.ts'
import type { QueryOf } from '#platform/http/parameters.ts'
import { requireGuestId, sharedWith } from '../access.ts'
import type { sharedEventParameters } from '../schema.ts'

export type SharedEventRow = {
  id: number
  title: string
  description: string | null
  location: string
  type_id: number
  type_title: string
  start_time: string | null
  end_time: string | null
  guest_id: number
}
type SharedEventQuery = QueryOf<typeof sharedEventParameters>

export async function findSharedEvents(
  context: RequestContext,
  query: SharedEventQuery,
  page: Pagination,
): Promise<{ count: number; rows: SharedEventRow[] }> {
  const guestId = requireGuestId(context.actor)
  const conditions = [
    ...(query.type === undefined ? [] : [sql`e.type_id = ${query.type}`]),
    ...timeConditions(query, sql`e.start_time`, sql`e.end_time`),
  ]
  const listing = {
    columns: sql`e.id, e.title, e.description, e.location, e.type_id, t.title as type_title,
      e.start_time::text as start_time, e.end_time::text as end_time, ${guestId}::bigint as guest_id`,
    from: sql`from event e join event_type t on t.id = e.type_id where ${sharedWith(guestId)}${andAll(conditions)}`,
    order: sql`e.start_time, e.end_time, e.id`,
  }
  return findCounted(context, listing, page, (chosen) => sql<Counted<SharedEventRow>>`${chosen}`)
}
