import { type RawBuilder, sql } from 'kysely'
import { plannedAudiences, seenAudiences, shownTo } from '#features/events/events/access.ts'
import { statsColumns, typeColumns } from '#features/events/events/queries/shift-columns.ts'
import { pickMainState } from '#features/staffing/eligibility/rules/moves.ts'
import type { SignupStats, State } from '#features/staffing/staffing/rules/model.ts'
import { sumStats } from '#features/staffing/staffing/rules/statistics.ts'
import { userIdOf } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { andAll, type Condition } from '#platform/db/conditions.ts'
import { rowsOf } from '#platform/db/rows.ts'
import { findOwnTexts } from '#platform/features/own-texts.ts'
import type { Pagination } from '#platform/http/paging.ts'
import type { EventSummary, FittingShift } from '../rules/summaries.ts'
import { type EventFilter, eventConditions, keepFitting, MAX_JUDGED_SHIFTS, mightFit } from './filters.ts'
import { findPartnerEvents, partnerEventConditions, thereArePartners } from './partner-events.ts'
import { type EventSpan, plannedEvents, visibleEvents } from './visible-events.ts'

type Row = Omit<EventSummary, 'stats' | 'own' | 'partner' | 'fitting'> & { stats: SignupStats[]; states: State[] }

type EventSearch = EventFilter & {
  when: 'coming' | 'past'
  from: Date | undefined
  /** Exclusive. */
  until: Date | undefined
}
type EventSearchResult = {
  count: number
  /** There are more than `count`. */
  hasMore: boolean
  events: EventSummary[]
  /** Where the search for fitting events stopped before the end of the list; undefined if it did not. */
  searchedUntil: Date | undefined
}

/** With the statistics of all shifts and the caller's states in them. */
const columns = sql`e.id, e.title, e.location, ${typeColumns}, e.start_time as start, e.end_time as "end",
  e.shift_count as "shiftCount", e.cancellation_reason as "cancellationReason",
  (select coalesce(json_agg(stats), '[]') from (select ${statsColumns} from shift s where s.event_id = e.id) stats) as stats,
  coalesce(mine.states, '{}') as states`
/** Type and the caller's states of `event` as `e`. The participations of one person are few, and read once for all rows. */
const joinsFor = ({ actor }: RequestContext) => sql`join event_type t on t.id = e.type_id
  left join (select p.event_id, array_agg(p.state order by p.id) as states from participation p where p.user_id = ${userIdOf(actor)} group by p.event_id) mine
    on mine.event_id = e.id`

/** Lists count no further, so that a page costs the same however many events follow. */
const MAX_COUNTED = 1_000

const keyColumns = sql`e.id, e.start_time, e.end_time`
const orderOf = (when: EventSearch['when']) =>
  when === 'coming'
    ? { events: sql`e.start_time, e.end_time, e.id`, keys: sql`start_time, end_time, id` }
    : { events: sql`e.start_time desc, e.end_time desc, e.id desc`, keys: sql`start_time desc, end_time desc, id desc` }

function spanOf({ now }: RequestContext, { when, from, until }: EventSearch): EventSpan {
  const end = when === 'coming' ? { endsFrom: from ?? now } : { endsFrom: from, endsBefore: now }
  return { published: 'shown', ...end, startsBefore: until }
}

/** Splits a number of at most `most` counted rows. */
const counted = (found: number, most: number) => ({ count: Math.min(found, most - 1), hasMore: found >= most })

/**
 * Upcoming events, which have not ended, soonest first; or past ones, latest first. `from` replaces the current time.
 * Events without shifts have no times and are not listed.
 */
export async function findEvents(
  context: RequestContext,
  search: EventSearch,
  page: Pagination,
  settings: Pick<FilterSettings, 'hasPartners'>,
): Promise<EventSearchResult> {
  const found = await findEventsAsWritten(context, search, page, settings)
  return { ...found, events: await inReadersLanguage(context, found.events) }
}

async function inReadersLanguage(context: RequestContext, events: readonly EventSummary[]): Promise<EventSummary[]> {
  const textOf = await findOwnTexts(
    context,
    'event',
    events.flatMap(({ id, partner }) => (partner ? [] : [id])),
  )
  return events.map((event) => (event.partner ? event : { ...event, title: textOf(event.id, 'title', event.title) }))
}

async function findEventsAsWritten(
  context: RequestContext,
  search: EventSearch,
  page: Pagination,
  { hasPartners }: Pick<FilterSettings, 'hasPartners'>,
): Promise<EventSearchResult> {
  const { when } = search
  const partnerConditions = partnerEventConditions(context, search)
  if (search.whose === 'others' || (partnerConditions && hasPartners))
    return findWithPartnerEvents(context, search, partnerConditions, page)
  if (search.fitsMe) return findFittingEvents(context, search, page)
  const { limit, offset } = page
  const most = Math.max(MAX_COUNTED, limit + offset) + 1
  const order = orderOf(when)
  const found = sql`with ${seenAudiences(context.actor)}, found as materialized (
    select * from (${visibleEvents(context.actor, spanOf(context, search), {
      columns: keyColumns,
      conditions: eventConditions(context, search),
      order: order.events,
      most,
    })}) every order by ${order.keys} limit ${most})`
  // never null: start, end (events without shifts have no times and are left out)
  const { rows } = await sql<Row & { count: number }>`
    ${found}
    select ${columns}, (select count(*)::int from found) as count
    from (select id from found order by ${order.keys} limit ${limit} offset ${offset}) page join event e on e.id = page.id ${joinsFor(context)}
    order by ${order.events}`.execute(context.db)
  const total = rows[0]?.count ?? (offset > 0 ? await countFound(context, found) : 0)
  return { ...counted(total, most), events: rows.map(toSummary), searchedUntil: undefined }
}

/** For a page beyond the end. */
async function countFound({ db }: RequestContext, found: RawBuilder<unknown>): Promise<number> {
  const { count } = await rowsOf(db).one(sql<{ count: number }>`${found} select count(*)::int as count from found`)
  return count
}

/** One page of our events and those of partners: each list contributes at most the rows that can be on that page. */
async function findWithPartnerEvents(
  context: RequestContext,
  search: EventSearch,
  partnerConditions: Condition[] | undefined,
  { limit, offset }: Pagination,
): Promise<EventSearchResult> {
  const { when, from: first, until, whose } = search
  const most = Math.max(MAX_COUNTED, limit + offset) + 1
  const order = orderOf(when)
  const direction = when === 'coming' ? sql`asc` : sql`desc`
  const times = [
    when === 'coming' ? sql`x.end_time >= ${first ?? context.now}` : sql`x.end_time < ${context.now}`,
    ...(when === 'past' && first ? [sql`x.end_time >= ${first}`] : []),
    ...(until ? [sql`x.start_time < ${until}`] : []),
  ]
  const ours = visibleEvents(context.actor, spanOf(context, search), {
    columns: keyColumns,
    conditions: whose === 'others' ? [sql`false`] : eventConditions(context, search),
    order: order.events,
    most,
  })
  const theirs = sql`select x.id, x.start_time, x.end_time from partner_event x
    where ${partnerConditions ? sql`true${andAll([...times, ...partnerConditions])}` : sql`false`}`
  const found = sql`with ${seenAudiences(context.actor)}, found as materialized (
    select * from (
      select 0 as kind, id, start_time, end_time from (${ours}) ours
      union all select 1, id, start_time, end_time from (${theirs} order by ${order.keys} limit ${most}) theirs
    ) both_lists order by start_time ${direction}, end_time ${direction}, kind ${direction}, id ${direction} limit ${most})`
  const { rows: keys } = await sql<{ kind: 0 | 1; id: number; count: number }>`
    ${found}
    select kind, id, (select count(*)::int from found) as count
    from found order by start_time ${direction}, end_time ${direction}, kind ${direction}, id ${direction}
    limit ${limit} offset ${offset}`.execute(context.db)
  const total = keys[0]?.count ?? (offset > 0 ? await countFound(context, found) : 0)
  const idsOf = (kind: 0 | 1) => keys.filter((key) => key.kind === kind).map(({ id }) => id)
  const [{ rows }, partnerEvents] = await Promise.all([
    // never null: start, end (events without shifts have no times and are left out)
    sql<Row>`select ${columns} from event e ${joinsFor(context)} where e.id = any (${idsOf(0)}::bigint[])`.execute(context.db),
    findPartnerEvents(context, idsOf(1)),
  ])
  const summaries = new Map<string, EventSummary>()
  for (const row of rows) summaries.set(`0 ${row.id}`, toSummary(row))
  for (const event of partnerEvents) summaries.set(`1 ${event.id}`, event)
  const events = keys.flatMap(({ kind, id }) => summaries.get(`${kind} ${id}`) ?? [])
  return { ...counted(total, most), events, searchedUntil: undefined }
}

async function findFittingEvents(
  context: RequestContext,
  search: EventSearch,
  { limit, offset }: Pagination,
): Promise<EventSearchResult> {
  const { shiftsOf, searchedUntil } = await findFittingShifts(context, search)
  const ids = [...shiftsOf.keys()]
  // never null: start, end (events without shifts have no times and are left out)
  const { rows } = await sql<Row>`
    select ${columns} from event e ${joinsFor(context)}
    where ${shownTo(context.actor)} and e.id = any (${ids.slice(offset, offset + limit)}::bigint[])
    order by e.start_time, e.end_time, e.id`.execute(context.db)
  const events = rows.map((row) => ({ ...toSummary(row), fitting: shiftsOf.get(row.id) }))
  return { count: ids.length, hasMore: false, events, searchedUntil }
}

type FittingRow = FittingShift & { shift_id: number; event_id: number; event_start: Date }

/** The shifts that fit the caller by event, soonest first. */
async function findFittingShifts(
  context: RequestContext,
  search: EventSearch,
): Promise<{ shiftsOf: Map<number, FittingShift[]>; searchedUntil: Date | undefined }> {
  const { actor, now } = context
  const limit = sql.lit(MAX_JUDGED_SHIFTS + 1)
  const { from = now, until } = search
  const candidates = visibleEvents(
    actor,
    { published: 'listed', endsFrom: from > now ? from : now, startsBefore: until },
    {
      columns: sql`s.id as shift_id, e.id as event_id, e.start_time, e.end_time, s.label, s.start_time as start, s.end_time as "end"`,
      joins: sql`cross join lateral (
        select s.id, s.label, s.start_time, s.end_time from shift s where s.event_id = e.id and ${mightFit(context, search)} offset 0) s`,
      conditions: eventConditions(context, search),
      order: sql`e.start_time, e.end_time, e.id, s.start_time, s.id`,
      most: limit,
    },
  )
  const { rows } = await sql<FittingRow>`
    with ${seenAudiences(actor)}
    select shift_id, event_id, start_time as event_start, label, start, "end" from (${candidates}) c
    order by start_time, end_time, event_id, start, shift_id limit ${limit}`.execute(context.db)
  const judged = rows.slice(0, MAX_JUDGED_SHIFTS)
  const fitting = await keepFitting(
    context,
    judged.map(({ shift_id }) => shift_id),
  )
  const shiftsOf = Map.groupBy(
    judged.filter(({ shift_id }) => fitting.has(shift_id)),
    ({ event_id }) => event_id,
  )
  return { shiftsOf, searchedUntil: rows.length > MAX_JUDGED_SHIFTS ? judged.at(-1)!.event_start : undefined }
}

export async function findUpcomingEvents(context: RequestContext, limit: number): Promise<EventSummary[]> {
  const { actor, now } = context
  const order = orderOf('coming')
  const found = visibleEvents(
    actor,
    { published: 'listed', endsFrom: now },
    { columns: keyColumns, order: order.events, most: limit },
  )
  // never null: start, end (events without shifts have no times and are left out)
  const { rows } = await sql<Row>`
    with ${seenAudiences(actor)}
    select ${columns} from (select id from (${found}) every order by ${order.keys} limit ${limit}) page
    join event e on e.id = page.id ${joinsFor(context)} order by ${order.events}`.execute(context.db)
  return inReadersLanguage(context, rows.map(toSummary))
}

function toSummary({ stats, states, ...row }: Row): EventSummary {
  return { ...row, stats: sumStats(stats), own: pickMainState(states) }
}

/** What the filters of lists offer. */
type FilterSettings = { types: { id: number; title: string }[]; hasPartners: boolean }
/** `isPlanner`: the reader plans events that have not ended. */
type ListSettings = FilterSettings & { isPlanner: boolean }

const filterSettings = (context: RequestContext): RawBuilder<unknown> => sql`
  (select coalesce(json_agg(json_build_object('id', t.id, 'title', t.title) order by t.id), '[]') from event_type t) as types,
  ${thereArePartners(context)} as "hasPartners"`

export const loadFilterSettings = (context: RequestContext): Promise<FilterSettings> =>
  rowsOf(context.db).one(sql<FilterSettings>`select ${filterSettings(context)}`)

export async function loadListSettings(context: RequestContext): Promise<ListSettings> {
  const { db, actor, now } = context
  const planned = plannedEvents(
    actor,
    { published: 'listed', endsFrom: now },
    { columns: sql`e.id`, order: sql`e.start_time`, most: 1 },
  )
  return rowsOf(db).one(sql<ListSettings>`
    with ${plannedAudiences(actor)} select ${filterSettings(context)}, exists (${planned}) as "isPlanner"`)
}
