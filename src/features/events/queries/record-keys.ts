import { type RawBuilder, sql } from 'kysely'
import type { RequestContext } from '#platform/auth/context.ts'
import { andAll, type Condition, searchIn } from '#platform/db/conditions.ts'
import type { Pagination } from '#platform/http/paging.ts'
import type { QueryOf } from '#platform/http/parameters.ts'
import { visibleTo } from '../access.ts'
import type { eventParameters, shiftParameters } from '../schema/events.ts'
import { type Counted, findCounted, type Key, type Keyed, keyed, timeConditions } from './filters.ts'
import { findPlainEventKeys, findPlainShiftKeys } from './unfiltered-keys.ts'

type EventQuery = QueryOf<typeof eventParameters>
type ShiftQuery = QueryOf<typeof shiftParameters>

const EVENT_ORDER = { start_time: sql`e.start_time`, end_time: sql`e.end_time`, title: sql`e.title_order` }
const SHIFT_ORDER = {
  id: sql`s.id`,
  label: sql`s.label collate "C"`,
  event_id: sql`s.event_id`,
  event__title: sql`e.title collate "C"`,
  meeting_time: sql`s.meeting_time`,
  start_time: sql`s.start_time`,
  end_time: sql`s.end_time`,
  signup_flow_slug: sql`s.signup_flow_slug collate "C"`,
  structure_slug: sql`s.structure_slug collate "C"`,
  signup_flow_configuration: sql`s.signup_flow_configuration`,
  structure_configuration: sql`s.structure_configuration`,
}

type Order<Field extends string> = { field: Field; descending: boolean }[]

function orderBy<Field extends string>(order: Order<Field>, columns: Record<Field, RawBuilder<unknown>>): RawBuilder<unknown> {
  return sql.join(order.map(({ field, descending }) => (descending ? sql`${columns[field]} desc` : columns[field])))
}

function eventConditions(query: EventQuery): Condition[] {
  return [
    ...(query.type === undefined ? [] : [sql`e.type_id = ${query.type}`]),
    ...timeConditions(query, sql`e.start_time`, sql`e.end_time`),
    ...searchIn(query.search, [sql`e.title`, sql`e.description`, sql`e.location`]),
  ]
}

function shiftConditions(query: ShiftQuery): Condition[] {
  return [...timeConditions(query, sql`s.start_time`, sql`s.end_time`), ...searchIn(query.search, [sql`s.label`, sql`e.title`])]
}

const eventVersion = sql`e.version || '.' || t.version as version`
const events = sql`from event e join event_type t on t.id = e.type_id`
const shifts = sql`from shift s join event e on e.id = s.event_id`

/** Unfiltered lists use the counts that triggers maintain; filtered lists query the events. */
export async function findEventKeys(context: RequestContext, query: EventQuery, page: Pagination): Promise<Keyed> {
  const conditions = eventConditions(query)
  if (!conditions.length && !query.ordering) return findPlainEventKeys(context, page)
  const order = query.ordering ? orderBy(query.ordering, EVENT_ORDER) : sql`e.start_time, e.end_time`
  const from = sql`${events} where ${visibleTo(context.actor)}${andAll(conditions)}`
  const { count, rows } = await findCounted(
    context,
    { columns: sql`e.id, ${eventVersion}`, from, order: sql`${order}, e.id` },
    page,
    (chosen) => sql<Counted<Key>>`${chosen}`,
  )
  return keyed(count, rows)
}

export async function getEventKey(context: RequestContext, id: number, query: EventQuery): Promise<Key | undefined> {
  const { rows } = await sql<Key>`
    select e.id, ${eventVersion} ${events} where e.id = ${id} and ${visibleTo(context.actor)}${andAll(eventConditions(query))}`.execute(
    context.db,
  )
  return rows[0]
}

export async function findShiftKeys(context: RequestContext, query: ShiftQuery, page: Pagination): Promise<Keyed> {
  const conditions = shiftConditions(query)
  if (!conditions.length && !query.ordering) return findPlainShiftKeys(context, page)
  const order = query.ordering ? orderBy(query.ordering, SHIFT_ORDER) : sql`s.meeting_time, s.start_time`
  const from = sql`${shifts} where ${visibleTo(context.actor)}${andAll(conditions)}`
  const { count, rows } = await findCounted(
    context,
    { columns: sql`s.id, e.version::text as version`, from, order: sql`${order}, s.id` },
    page,
    (chosen) => sql<Counted<Key>>`${chosen}`,
  )
  return keyed(count, rows)
}

export async function getShiftKey(context: RequestContext, id: number, query: ShiftQuery): Promise<Key | undefined> {
  const { rows } = await sql<Key>`
    select s.id, e.version::text as version ${shifts}
    where s.id = ${id} and ${visibleTo(context.actor)}${andAll(shiftConditions(query))}`.execute(context.db)
  return rows[0]
}
