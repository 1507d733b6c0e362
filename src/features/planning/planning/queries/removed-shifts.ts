import { type Kysely, type RawBuilder, sql } from 'kysely'
import { changeableBy, plannedBy } from '#features/events/events/access.ts'
import { restorableSince } from '#features/planning/removed-shifts/rules.ts'
import type { Participant } from '#features/staffing/eligibility/rules/candidacy.ts'
import { type Actor, userIdOrNull } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { findPage, type Paged, type PagedRows, type PageRequest, selected } from '#platform/db/paged.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'

export type RemovedShift = {
  id: number
  eventId: number
  eventTitle: string
  label: string
  start: Date
  end: Date
  isCancelled: boolean
  reason: string
  removedAt: Date
}

const columns = sql`r.id, r.event_id as "eventId", e.title as "eventTitle", r.label, r.start_time as start, r.end_time as end,
  r.is_cancelled as "isCancelled", r.reason, r.removed_at as "removedAt"`

/** A removed shift of an event that the caller may change. */
export async function getRemovedShift(db: Kysely<DB>, actor: Actor, id: number): Promise<RemovedShift | undefined> {
  return rowsOf(db).first(sql<RemovedShift>`
    select ${columns} from removed_shift r join event e on e.id = r.event_id
    where r.id = ${id} and e.deleted_at is null and ${changeableBy(actor)}`)
}

/** Cancelled shifts of the event, and for planners those that were deleted within a day. Others see those that they were on. */
export async function findRemovedShifts(
  { db, actor }: Pick<RequestContext, 'db' | 'actor'>,
  { eventId, mayChange, since }: { eventId: number; mayChange: boolean; since: Date },
): Promise<(RemovedShift & { isOwn: boolean })[]> {
  const own = isOnShift(actor)
  const shown = mayChange ? sql`(r.is_cancelled or r.removed_at > ${since})` : sql`(r.is_cancelled and ${own})`
  return rowsOf(db).all(sql<RemovedShift & { isOwn: boolean }>`
    select ${columns}, ${own} as "isOwn" from removed_shift r join event e on e.id = r.event_id
    where r.event_id = ${eventId} and ${shown} order by r.start_time, r.id`)
}

/** A condition on `removed_shift` as `r`: the caller had signed up for it. */
const isOnShift = (actor: Actor): RawBuilder<unknown> =>
  sql`exists (select from removed_participation p where p.removed_shift_id = r.id and p.shift_id = r.id and p.state in (0, 1) and ${isActor(actor)})`

export type RemovedShiftRow = {
  id: number
  event_id: number
  event_title: string
  label: string
  start_time: string
  end_time: string
  is_cancelled: boolean
  reason: string
  removed_at: string
}

const rowColumns = {
  id: sql`r.id`,
  event_id: sql`r.event_id`,
  event_title: sql`e.title`,
  label: sql`r.label`,
  start_time: sql`r.start_time::text`,
  end_time: sql`r.end_time::text`,
  is_cancelled: sql`r.is_cancelled`,
  reason: sql`r.reason`,
  removed_at: sql`r.removed_at::text`,
}
const from = sql`from removed_shift r join event e on e.id = r.event_id`

/** For planners what can be restored, for others cancelled shifts that they were on: as the page of the event shows them. */
const shownTo = ({ actor, now }: RequestContext): RawBuilder<unknown> => sql`e.deleted_at is null and (
  ${plannedBy(actor)} and (r.is_cancelled or r.removed_at > ${restorableSince(now)})
  or r.is_cancelled and e.active and ${isOnShift(actor)})`

/** The last removed first. */
export function findRemovedRows(context: RequestContext, page: PageRequest): Promise<PagedRows<RemovedShiftRow>> {
  const order = [
    { column: sql`r.removed_at`, type: 'timestamptz' as const, descending: true },
    { column: sql`r.id`, type: 'bigint' as const, descending: true },
  ]
  const listing = { columns: rowColumns, from, where: shownTo(context), order }
  return findPage(context, listing, page, (chosen) => sql<Paged<RemovedShiftRow>>`${chosen}`)
}

export const getRemovedRow = (context: RequestContext, id: number): Promise<RemovedShiftRow | undefined> =>
  rowsOf(context.db).first(sql<RemovedShiftRow>`
    select ${selected(rowColumns)} ${from} where r.id = ${id} and ${shownTo(context)}`)

/** A condition on `removed_participation` as `p`. */
function isActor(actor: Actor): RawBuilder<unknown> {
  if (actor.kind === 'user') return sql`p.user_id = ${actor.userId}`
  if (actor.kind === 'guest') return sql`p.guest_id = ${actor.guestId}`
  return actor.kind === 'visitor' ? sql`p.visitor_id = ${actor.visitorId}` : sql`false`
}

/** In the order in which they are locked. */
export async function findRemovedParticipants(db: Kysely<DB>, shiftId: number): Promise<Participant[]> {
  // never null: id (every row has one person)
  return rowsOf(db).all(sql<Participant>`
    select distinct p.row ->> 'kind' as kind, coalesce(p.user_id, p.visitor_id, p.guest_id) as id from removed_participation p
    where p.removed_shift_id = ${shiftId} and num_nonnulls(p.user_id, p.visitor_id, p.guest_id) = 1 order by 1, 2`)
}

export type NotifiedPerson = { name: string; isConfirmed: boolean }

/** Those who get a message when the shift is removed or restored, except the caller; drafts notify nobody. By state and name. */
export async function findNotifiedPeople(
  { db, actor }: Pick<RequestContext, 'db' | 'actor'>,
  { shiftId, from }: { shiftId: number; from: 'participation' | 'removed_participation' },
): Promise<NotifiedPerson[]> {
  const me = userIdOrNull(actor)
  const event =
    from === 'participation' ? sql`p.event_id` : sql`(select r.event_id from removed_shift r where r.id = p.removed_shift_id)`
  // never null: name (every row has one person)
  return rowsOf(db).all(sql<NotifiedPerson>`
    select coalesce(u.display_name, g.display_name, v.display_name) as name, p.state = 1 as "isConfirmed"
    from ${sql.table(from)} p join event e on e.id = ${event}
      left join user_profile u on u.id = p.user_id left join guest g on g.id = p.guest_id left join visitor v on v.id = p.visitor_id
    where p.shift_id = ${shiftId} and p.state in (0, 1) and num_nonnulls(p.user_id, p.guest_id, p.visitor_id) = 1 and e.listed
      and (u.id is null or u.is_active) and p.user_id is distinct from ${me}
    order by p.state desc, 1`)
}
