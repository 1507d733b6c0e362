import { type RawBuilder, sql } from 'kysely'
import type { RequestContext } from '#platform/auth/context.ts'
import type { Pagination } from '#platform/http/paging.ts'
import { eventsBesideAudiences, groupsOf, seesAllEvents } from '../access.ts'
import { type Keyed, keyed } from './filters.ts'
import { findEventKeysAfter, findShiftKeysAfter } from './keys-after.ts'
import { rememberPage } from './remembered-pages.ts'

type KeyRow = { count: number; id: number | null; version: string | null }

/** At least one row is returned, because an empty page needs the count, too. */
function readKeys(rows: KeyRow[]): Keyed {
  const keys = rows.flatMap(({ id, version }) => (id === null ? [] : [{ id, version: version! }]))
  return keyed(rows[0]!.count, keys)
}
/**
 * The cost of the first page does not depend on the length of the list: each audience of the caller gives the first
 * rows of its index, and triggers maintain the counts. The few personally visible events are added.
 */
const seen = (context: RequestContext): RawBuilder<unknown> =>
  sql`seen as materialized (select id, listed_count, listed_shift_count from audience where group_ids && ${groupsOf(context.actor)}::bigint[])`

export const findPlainEventKeys = (context: RequestContext, page: Pagination): Promise<Keyed> =>
  page.keyset ? findEventKeysAfter(context, page) : rememberPage('events', context, page, () => readEventKeys(context, page))

export const findPlainShiftKeys = (context: RequestContext, page: Pagination): Promise<Keyed> =>
  page.keyset ? findShiftKeysAfter(context, page) : rememberPage('shifts', context, page, () => readShiftKeys(context, page))

async function readEventKeys(context: RequestContext, { limit, offset }: Pagination): Promise<Keyed> {
  const until = limit + offset
  const first = sql`order by e.start_time, e.end_time, e.id limit ${until}`
  const sources = seesAllEvents(context.actor)
    ? sql`
      total as (select coalesce(sum(listed_count), 0)::int as count from audience),
      candidate as (select e.id, e.start_time, e.end_time from event e where e.listed ${first})`
    : sql`
      ${seen(context)},
      extra as materialized (
        select e.id, e.start_time, e.end_time from (${eventsBesideAudiences(context.actor)}) own cross join lateral (
          select id, start_time, end_time from event
          where id = own.event_id and listed and audience_id not in (select id from seen) offset 0
        ) e
      ),
      total as (select (coalesce((select sum(listed_count) from seen), 0) + (select count(*) from extra))::int as count),
      candidate as (
        select own.id, own.start_time, own.end_time from seen cross join lateral (
          select e.id, e.start_time, e.end_time from event e where e.listed and e.audience_id = seen.id ${first}
        ) own
        union all select id, start_time, end_time from extra
      )`
  const { rows } = await sql<KeyRow>`
    with ${sources}
    select total.count, page.id, page.version from total left join (
      select chosen.id, e.version || '.' || t.version as version, e.start_time, e.end_time
      from (select id from candidate order by start_time, end_time, id limit ${limit} offset ${offset}) chosen
      join event e on e.id = chosen.id join event_type t on t.id = e.type_id
    ) page on true
    order by page.start_time, page.end_time, page.id`.execute(context.db)
  return readKeys(rows)
}

async function readShiftKeys(context: RequestContext, { limit, offset }: Pagination): Promise<Keyed> {
  const until = limit + offset
  const first = sql`order by s.meeting_time, s.start_time, s.id limit ${until}`
  const sources = seesAllEvents(context.actor)
    ? sql`
      total as (select coalesce(sum(listed_shift_count), 0)::int as count from audience),
      candidate as (select s.id, s.meeting_time, s.start_time from shift s where s.listed_audience_id is not null ${first})`
    : sql`
      ${seen(context)},
      extra as materialized (
        select s.id, s.meeting_time, s.start_time from (${eventsBesideAudiences(context.actor)}) own cross join lateral (
          select id, meeting_time, start_time from shift
          where event_id = own.event_id and listed_audience_id is not null and listed_audience_id not in (select id from seen)
          offset 0
        ) s
      ),
      total as (select (coalesce((select sum(listed_shift_count) from seen), 0) + (select count(*) from extra))::int as count),
      candidate as (
        select own.id, own.meeting_time, own.start_time from seen cross join lateral (
          select s.id, s.meeting_time, s.start_time from shift s where s.listed_audience_id = seen.id ${first}
        ) own
        union all select id, meeting_time, start_time from extra
      )`
  const { rows } = await sql<KeyRow>`
    with ${sources}
    select total.count, page.id, page.version from total left join (
      select chosen.id, e.version::text as version, s.meeting_time, s.start_time
      from (select id from candidate order by meeting_time, start_time, id limit ${limit} offset ${offset}) chosen
      join shift s on s.id = chosen.id join event e on e.id = s.event_id
    ) page on true
    order by page.meeting_time, page.start_time, page.id`.execute(context.db)
  return readKeys(rows)
}
