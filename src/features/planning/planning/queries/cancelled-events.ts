import { sql } from 'kysely'
import { plannedBy, shownTo } from '#features/events/events/access.ts'
import { eventBodies } from '#features/events/events/queries/record-bodies.ts'
import { eventVersion } from '#features/events/events/queries/record-keys.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { findPage, type Paged, type PagedRows, type PageRequest, selected } from '#platform/db/paged.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { JsonBytes } from '#platform/http/json.ts'

type Key = { id: number; version: string; cancelled_at: string; reason: string }
/** `body`: the record of the event with its shifts, as other lists show events. */
export type CancelledEvent = Key & { body: JsonBytes }

const columns = {
  id: sql`e.id`,
  version: eventVersion,
  cancelled_at: sql`e.cancelled_at::text`,
  reason: sql`e.cancellation_reason`,
}
const from = sql`from event e join event_type t on t.id = e.type_id`

/** Whoever saw the event before, and those who may change it. */
const cancelledFor = ({ actor }: RequestContext) =>
  sql`e.cancelled_at is not null and e.active and e.deleted_at is null and (${shownTo(actor)} or ${plannedBy(actor)})`

async function withBodies(context: RequestContext, keys: readonly Key[]): Promise<CancelledEvent[]> {
  const bodies = await eventBodies(context, [...keys])
  // One that was deleted between the two statements has no body.
  const byId = new Map(bodies.map((body) => [(JSON.parse(body.bytes.toString()) as { id: number }).id, body]))
  return keys.flatMap((key) => {
    const body = byId.get(key.id)
    return body ? [{ ...key, body }] : []
  })
}

/** The last cancelled first. */
export async function findCancelledEvents(
  context: RequestContext,
  page: PageRequest,
): Promise<Omit<PagedRows<Key>, 'rows'> & { rows: () => Promise<CancelledEvent[]> }> {
  const order = [
    { column: sql`e.cancelled_at`, type: 'timestamptz' as const, descending: true },
    { column: sql`e.id`, type: 'bigint' as const, descending: true },
  ]
  const listing = { columns, from, where: cancelledFor(context), order }
  // never null: cancelled_at, reason (only cancelled events are selected, and these have a reason)
  const { rows, ...found } = await findPage(context, listing, page, (chosen) => sql<Paged<Key>>`${chosen}`)
  return { ...found, rows: () => withBodies(context, rows) }
}

export async function getCancelledEvent(context: RequestContext, id: number): Promise<CancelledEvent | undefined> {
  // never null: cancelled_at, reason (only cancelled events are selected, and these have a reason)
  const key = await rowsOf(context.db).first(sql<Key>`
    select ${selected(columns)} ${from} where e.id = ${id} and ${cancelledFor(context)}`)
  return key && (await withBodies(context, [key]))[0]
}
