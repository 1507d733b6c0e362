import { sql } from 'kysely'
import { changeableBy } from '#features/events/events/access.ts'
import { type Counted, findCounted } from '#features/events/events/queries/filters.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { andAll, searchIn } from '#platform/db/conditions.ts'
import type { Pagination } from '#platform/http/paging.ts'

export type ShareableEvent = {
  id: number
  title: string
  location: string
  start: Date
  end: Date
  isDraft: boolean
  isShared: boolean
}

/** Upcoming events that the caller may share, and whether they are shared with this instance. */
export async function findShareable(
  context: RequestContext,
  guestId: number,
  terms: readonly string[],
  page: Pagination,
): Promise<{ count: number; rows: ShareableEvent[] }> {
  const listing = {
    columns: sql`e.id, e.title, e.location, e.start_time as start, e.end_time as end, not e.active as "isDraft",
      exists (select from event_share s where s.event_id = e.id and s.federated_guest_id = ${guestId}) as "isShared"`,
    from: sql`from event e where e.deleted_at is null and e.cancelled_at is null and e.end_time >= ${context.now}
      and ${changeableBy(context.actor)}${andAll(searchIn([...terms], [sql`e.title`, sql`e.location`]))}`,
    order: sql`e.start_time, e.end_time, e.id`,
  }
  // never null: start, end (the condition compares the end, and events have both times or none)
  return findCounted(context, listing, page, (chosen) => sql<Counted<ShareableEvent>>`${chosen}`)
}
