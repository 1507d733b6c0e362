import { type RawBuilder, sql } from 'kysely'
import type { RequestContext } from '#platform/auth/context.ts'
import {
  isAfter,
  type Keyset,
  keyColumns,
  keysOf,
  keyTexts,
  type OrderColumn,
  orderBy,
  segmentsAfter,
} from '#platform/db/keyset.ts'
import { edged, type Paged } from '#platform/db/paged.ts'
import type { Pagination } from '#platform/http/paging.ts'
import { eventsBesideAudiences, groupsOf, seesAllEvents } from '../access.ts'
import { type Key, type Keyed, keyed } from './filters.ts'

/** The default orders of the lists. */
export const PLAIN_EVENT_ORDER: OrderColumn[] = [
  { column: sql`e.start_time`, type: 'timestamptz', nullable: true },
  { column: sql`e.end_time`, type: 'timestamptz', nullable: true },
  { column: sql`e.id`, type: 'bigint' },
]
export const PLAIN_SHIFT_ORDER: OrderColumn[] = [
  { column: sql`s.meeting_time`, type: 'timestamptz' },
  { column: sql`s.start_time`, type: 'timestamptz' },
  { column: sql`s.id`, type: 'bigint' },
]

/**
 * Unfiltered lists by position. Each audience of the caller gives the next rows of its index, and the few personally visible
 * events are added, so that a page costs the same at every position.
 */
type Source = {
  order: OrderColumn[]
  all: RawBuilder<unknown>
  ofAudience: RawBuilder<unknown>
  ofPerson: (context: RequestContext) => RawBuilder<unknown>
  joined: RawBuilder<unknown>
  version: RawBuilder<unknown>
}

const EVENTS: Source = {
  order: PLAIN_EVENT_ORDER,
  all: sql`from event e where e.listed`,
  ofAudience: sql`from event e where e.listed and e.audience_id = seen.id`,
  ofPerson: ({ actor }) => sql`from (${eventsBesideAudiences(actor)}) own cross join lateral (
    select id, start_time, end_time from event
    where id = own.event_id and listed and audience_id not in (select id from seen) offset 0) e where true`,
  joined: sql`join event e on e.id = chosen.id join event_type t on t.id = e.type_id`,
  version: sql`e.version || '.' || t.version`,
}

const SHIFTS: Source = {
  order: PLAIN_SHIFT_ORDER,
  all: sql`from shift s where s.listed_audience_id is not null`,
  ofAudience: sql`from shift s where s.listed_audience_id = seen.id`,
  ofPerson: ({ actor }) => sql`from (${eventsBesideAudiences(actor)}) own cross join lateral (
    select id, meeting_time, start_time from shift
    where event_id = own.event_id and listed_audience_id is not null and listed_audience_id not in (select id from seen) offset 0
    ) s where true`,
  joined: sql`join shift s on s.id = chosen.id join event e on e.id = s.event_id`,
  version: sql`e.version::text`,
}

export const findEventKeysAfter = (context: RequestContext, page: Pagination): Promise<Keyed> => findKeys(context, EVENTS, page)
export const findShiftKeysAfter = (context: RequestContext, page: Pagination): Promise<Keyed> => findKeys(context, SHIFTS, page)

async function findKeys(context: RequestContext, source: Source, page: Pagination): Promise<Keyed> {
  const { order, joined, version } = source
  const keyset = page.keyset ?? { backward: false }
  const most = page.limit + 1
  const keys = keysOf(order)
  const { rows } = await sql<Paged<Key>>`
    with ${candidates(context, source, keyset, most)}
    select chosen.id, ${version} as version, null::int as count, ${keyTexts(order)} as keys
    from (select * from candidate order by ${orderBy(keys, keyset.backward)} limit ${most}) chosen ${joined}
    order by ${orderBy(keys)}`.execute(context.db)
  const { rows: found, edges } = edged(page, rows)
  return keyed(null, found, edges)
}

function candidates(context: RequestContext, source: Source, keyset: Keyset, most: number): RawBuilder<unknown> {
  const { order, all, ofAudience, ofPerson } = source
  const id = order.at(-1)!.column
  const segments = segmentsAfter(order, keyset)
  const next = (from: RawBuilder<unknown>, segment: RawBuilder<unknown>) =>
    sql`(select ${id} as id, ${keyColumns(order)} ${from} and ${segment} order by ${orderBy(order, keyset.backward)} limit ${most})`
  if (seesAllEvents(context.actor)) {
    const parts = segments.map((segment) => next(all, segment))
    return sql`candidate as (${sql.join(parts, sql` union all `)})`
  }
  const parts = segments.map((segment) => sql`(select found.* from seen cross join lateral ${next(ofAudience, segment)} found)`)
  const personal = sql`(select ${id} as id, ${keyColumns(order)} ${ofPerson(context)} and ${isAfter(order, keyset)})`
  return sql`seen as materialized (select id from audience where group_ids && ${groupsOf(context.actor)}::bigint[]),
    candidate as (${sql.join([...parts, personal], sql` union all `)})`
}
