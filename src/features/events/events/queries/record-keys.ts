import { sql } from 'kysely'
import type { RequestContext } from '#platform/auth/context.ts'
import { andAll, type Condition, modifiedSince, searchIn } from '#platform/db/conditions.ts'
import { type OrderColumn, orderBy } from '#platform/db/keyset.ts'
import { byId, findAfter, type Paged, type Listing as PageListing, selected } from '#platform/db/paged.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { Pagination } from '#platform/http/paging.ts'
import type { Order } from '#platform/http/parameter-kinds.ts'
import type { QueryOf } from '#platform/http/parameters.ts'
import { visibleTo } from '../access.ts'
import type { eventParameters, shiftParameters } from '../schema/events.ts'
import { type Counted, findCounted, type Key, type Keyed, keyed, timeConditions } from './filters.ts'
import { PLAIN_EVENT_ORDER, PLAIN_SHIFT_ORDER } from './keys-after.ts'
import { findPlainEventKeys, findPlainShiftKeys } from './unfiltered-keys.ts'

type EventQuery = QueryOf<typeof eventParameters>
type ShiftQuery = QueryOf<typeof shiftParameters>

const EVENT_ORDER: Record<'start_time' | 'end_time' | 'title', OrderColumn> = {
  start_time: { column: sql`e.start_time`, type: 'timestamptz', nullable: true },
  end_time: { column: sql`e.end_time`, type: 'timestamptz', nullable: true },
  title: { column: sql`e.title_order`, type: 'text' },
}
const SHIFT_ORDER = {
  id: { column: sql`s.id`, type: 'bigint' },
  label: { column: sql`s.label collate "C"`, type: 'text' },
  event_id: { column: sql`s.event_id`, type: 'bigint' },
  event__title: { column: sql`e.title collate "C"`, type: 'text' },
  meeting_time: { column: sql`s.meeting_time`, type: 'timestamptz' },
  start_time: { column: sql`s.start_time`, type: 'timestamptz' },
  end_time: { column: sql`s.end_time`, type: 'timestamptz' },
  signup_flow_slug: { column: sql`s.signup_flow_slug collate "C"`, type: 'text' },
  structure_slug: { column: sql`s.structure_slug collate "C"`, type: 'text' },
  signup_flow_configuration: { column: sql`s.signup_flow_configuration`, type: 'jsonb' },
  structure_configuration: { column: sql`s.structure_configuration`, type: 'jsonb' },
} satisfies Record<string, OrderColumn>

const orderOf = <Field extends string>(order: Order<Field>, columns: Record<Field, OrderColumn>): OrderColumn[] =>
  order.map(({ field, descending }) => ({ ...columns[field], descending }))

const eventsSince = (since: Condition): Condition => sql`select m.id from event m where m.modified_at >= ${since}`

// Composed once, because most lists have no filter.
const eventStart = sql`e.start_time`
const eventEnd = sql`e.end_time`
const eventTexts = [sql`e.title`, sql`e.description`, sql`e.location`]
const eventId = sql`e.id`
const shiftStart = sql`s.start_time`
const shiftEnd = sql`s.end_time`
const shiftTexts = [sql`s.label`, sql`e.title`]

function eventConditions(query: EventQuery): Condition[] {
  return [
    ...(query.type === undefined ? [] : [sql`e.type_id = ${query.type}`]),
    ...timeConditions(query, eventStart, eventEnd),
    ...searchIn(query.search, eventTexts),
    ...modifiedSince(
      query,
      eventId,
      (since) => sql`${eventsSince(since)} union all
        select m.id from event_type k cross join lateral (select id from event where type_id = k.id offset 0) m
        where k.modified_at >= ${since}`,
    ),
  ]
}

function shiftConditions(query: ShiftQuery): Condition[] {
  return [
    ...timeConditions(query, shiftStart, shiftEnd),
    ...searchIn(query.search, shiftTexts),
    ...modifiedSince(query, eventId, eventsSince),
  ]
}

/** Of `event` as `e` and `event_type` as `t`. */
export const eventVersion = sql`e.version || '.' || t.version`
const shiftVersion = sql`e.version::text`
const events = sql`from event e join event_type t on t.id = e.type_id`
const shifts = sql`from shift s join event e on e.id = s.event_id`

async function findKeys(context: RequestContext, listing: PageListing, page: Pagination): Promise<Keyed> {
  if (page.keyset) {
    const { rows, edges } = await findAfter(context, listing, page, (chosen) => sql<Paged<Key>>`${chosen}`)
    return keyed(null, rows, edges)
  }
  const { columns, from, where, order } = listing
  const { count, rows } = await findCounted(
    context,
    { columns: selected(columns), from: sql`${from} where ${where}`, order: orderBy(order) },
    page,
    (chosen) => sql<Counted<Key>>`${chosen}`,
  )
  return keyed(count, rows)
}

/** Unfiltered lists use the counts that triggers maintain; filtered lists query the events. */
export async function findEventKeys(context: RequestContext, query: EventQuery, page: Pagination): Promise<Keyed> {
  const conditions = eventConditions(query)
  if (!conditions.length && !query.ordering) return findPlainEventKeys(context, page)
  const order = query.ordering ? [...orderOf(query.ordering, EVENT_ORDER), ...byId(sql`e.id`)] : PLAIN_EVENT_ORDER
  const columns = { id: sql`e.id`, version: eventVersion }
  return findKeys(context, { columns, from: events, where: sql`${visibleTo(context.actor)}${andAll(conditions)}`, order }, page)
}

export async function getEventKey(context: RequestContext, id: number, query: EventQuery): Promise<Key | undefined> {
  return rowsOf(context.db).first(sql<Key>`
    select e.id, ${eventVersion} as version ${events} where e.id = ${id} and ${visibleTo(context.actor)}${andAll(eventConditions(query))}`)
}

export async function findShiftKeys(context: RequestContext, query: ShiftQuery, page: Pagination): Promise<Keyed> {
  const conditions = shiftConditions(query)
  if (!conditions.length && !query.ordering) return findPlainShiftKeys(context, page)
  const order = query.ordering ? [...orderOf(query.ordering, SHIFT_ORDER), ...byId(sql`s.id`)] : PLAIN_SHIFT_ORDER
  const columns = { id: sql`s.id`, version: shiftVersion }
  return findKeys(context, { columns, from: shifts, where: sql`${visibleTo(context.actor)}${andAll(conditions)}`, order }, page)
}

export async function getShiftKey(context: RequestContext, id: number, query: ShiftQuery): Promise<Key | undefined> {
  return rowsOf(context.db).first(sql<Key>`
    select s.id, ${shiftVersion} as version ${shifts}
    where s.id = ${id} and ${visibleTo(context.actor)}${andAll(shiftConditions(query))}`)
}

/** For features that plan events: also drafts and cancelled events, as far as the condition on `event` as `e` allows. */
export async function getEventKeyWhere({ db }: RequestContext, id: number, condition: Condition): Promise<Key | undefined> {
  return rowsOf(db).first(sql<Key>`select e.id, ${eventVersion} as version ${events} where e.id = ${id} and ${condition}`)
}

export async function getShiftKeyWhere({ db }: RequestContext, id: number, condition: Condition): Promise<Key | undefined> {
  return rowsOf(db).first(sql<Key>`select s.id, ${shiftVersion} as version ${shifts} where s.id = ${id} and ${condition}`)
}

/** The newest first. */
export function findEventKeysWhere(context: RequestContext, where: Condition, page: Pagination): Promise<Keyed> {
  const columns = { id: sql`e.id`, version: eventVersion }
  const order = [{ column: sql`e.id`, type: 'bigint' as const, descending: true }]
  return findKeys(context, { columns, from: events, where, order }, page)
}
