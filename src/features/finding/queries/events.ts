import { sql } from 'kysely'
import { plannedBy, shownTo, visibleTo } from '#features/events/access.ts'
import { findCounted } from '#features/events/queries/filters.ts'
import { pickMainState } from '#features/participations/rules/moves.ts'
import { NO_STATS, type SignupStats, type State } from '#features/staffing/rules/model.ts'
import { sumStats } from '#features/staffing/rules/statistics.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { andAll, type Condition } from '#platform/db/conditions.ts'
import type { Pagination } from '#platform/http/paging.ts'
import { eventConditions, keepFitting, MOST_JUDGED, mayFit, userOf, type WideFilter } from './filters.ts'
import { type Abroad, abroadConditions, findEventsAbroad, isLinked } from './partner-events.ts'

export type ShownEvent = {
  id: number
  title: string
  location: string
  type_title: string
  type_color: string
  start_time: Date
  end_time: Date
  shift_count: number
  cancellation_reason: string | null
  stats: SignupStats
  /** Of the caller, over all shifts of the event. */
  own: State | undefined
  /** Planned by another organisation; then `id` is none of ours. */
  abroad?: Abroad | undefined
}
type Row = Omit<ShownEvent, 'stats' | 'own' | 'abroad'>

export type EventListing = WideFilter & {
  when: 'coming' | 'past'
  from: Date | undefined
  /** The first moment after it. */
  until: Date | undefined
}
export type EventsFound = {
  count: number
  events: ShownEvent[]
  /** Where the search for what fits ended before the list did. */
  lookedUntil: Date | undefined
}

const columns = sql`e.id, e.title, e.location, t.title as type_title, t.color as type_color, e.start_time, e.end_time,
  e.shift_count, e.cancellation_reason`
const events = sql`from event e join event_type t on t.id = e.type_id`

/**
 * What has not ended is coming, soonest first; the past begins with what was last. A first day that is asked for takes the
 * place of today. Without shifts there is no time to show.
 */
export async function findEventsShown(context: RequestContext, listing: EventListing, page: Pagination): Promise<EventsFound> {
  const { when, from: first, until, fitsMe } = listing
  const timesOf = (start: Condition, end: Condition): Condition[] => [
    when === 'coming' ? sql`${end} >= ${first ?? context.now}` : sql`${end} < ${context.now}`,
    ...(when === 'past' && first ? [sql`${end} >= ${first}`] : []),
    ...(until ? [sql`${start} < ${until}`] : []),
  ]
  const conditions = [...timesOf(sql`e.start_time`, sql`e.end_time`), ...eventConditions(context, listing)]
  const abroad = abroadConditions(context, listing)
  if (listing.whose === 'others' || (abroad && (await isLinked(context)))) {
    const there = abroad ? [...timesOf(sql`x.start_time`, sql`x.end_time`), ...abroad] : [sql`false`]
    return findWithAbroad(context, listing.whose === 'others' ? [sql`false`] : conditions, there, when, page)
  }
  if (fitsMe) return findFitting(context, conditions, page)
  const order = when === 'coming' ? sql`e.start_time, e.end_time, e.id` : sql`e.start_time desc, e.end_time desc, e.id desc`
  const from = sql`${events} where ${shownTo(context.actor)}${andAll(conditions)}`
  const { count, rows } = await findCounted<Row>(context, { columns, from, order }, page)
  return { count, events: await complete(context, rows), lookedUntil: undefined }
}

/** Two lists become one, with the pages of one: each gives at most what can stand on the page that is asked for. */
async function findWithAbroad(
  context: RequestContext,
  conditions: Condition[],
  there: Condition[],
  when: EventListing['when'],
  { limit, offset }: Pagination,
): Promise<EventsFound> {
  const way = when === 'coming' ? sql`asc` : sql`desc`
  const ours = sql`from event e where ${shownTo(context.actor)}${andAll(conditions)}`
  const theirs = sql`from partner_event x where true${andAll(there)}`
  const [{ rows: keys }, { rows: counted }] = await Promise.all([
    sql<{ kind: 0 | 1; id: number }>`
      select kind, id from (
        (select 0 as kind, e.id, e.start_time, e.end_time ${ours}
          order by e.start_time ${way}, e.end_time ${way}, e.id ${way} limit ${limit + offset})
        union all
        (select 1, x.id, x.start_time, x.end_time ${theirs}
          order by x.start_time ${way}, x.end_time ${way}, x.id ${way} limit ${limit + offset})
      ) both_lists order by start_time ${way}, end_time ${way}, kind ${way}, id ${way} limit ${limit} offset ${offset}`.execute(
      context.db,
    ),
    sql<{ count: number }>`select ((select count(*) ${ours}) + (select count(*) ${theirs}))::int as count`.execute(context.db),
  ])
  const idsOf = (kind: 0 | 1) => keys.filter((key) => key.kind === kind).map(({ id }) => id)
  const [{ rows }, abroad] = await Promise.all([
    sql<Row>`select ${columns} ${events} where e.id = any (${idsOf(0)}::bigint[])`.execute(context.db),
    findEventsAbroad(context, idsOf(1)),
  ])
  const found = new Map((await complete(context, rows)).map((event) => [`0 ${event.id}`, event]))
  for (const event of abroad) found.set(`1 ${event.id}`, { ...event, ...ABROAD })
  const shown = keys.flatMap(({ kind, id }) => found.get(`${kind} ${id}`) ?? [])
  return { count: counted[0]!.count, events: shown, lookedUntil: undefined }
}

/** What others do not tell about their events. */
const ABROAD = { type_color: '', shift_count: 0, cancellation_reason: null, stats: NO_STATS }

async function findFitting(
  context: RequestContext,
  conditions: Condition[],
  { limit, offset }: Pagination,
): Promise<EventsFound> {
  const { ids, lookedUntil } = await findFittingEvents(context, conditions)
  const shown = ids.slice(offset, offset + limit)
  const { rows } = await sql<Row>`
    select ${columns} ${events} where ${shownTo(context.actor)} and e.id = any (${shown}::bigint[])
    order by e.start_time, e.end_time, e.id`.execute(context.db)
  return { count: ids.length, events: await complete(context, rows), lookedUntil }
}

export async function findNextEvents(context: RequestContext, limit: number): Promise<ShownEvent[]> {
  const { rows } = await sql<Row>`
    select ${columns} ${events} where ${visibleTo(context.actor)} and e.end_time >= ${context.now}
    order by e.start_time, e.end_time, e.id limit ${limit}`.execute(context.db)
  return complete(context, rows)
}

type StatsRow = SignupStats & { eventId: number }

/** The shifts and the caller's participations of all rows, each by one query. */
async function complete(context: RequestContext, rows: Row[]): Promise<ShownEvent[]> {
  if (!rows.length) return []
  const ids = rows.map(({ id }) => id)
  const { db } = context
  const [shifts, own] = await Promise.all([
    sql<StatsRow>`
      select s.event_id as "eventId", s.requested_count as "requestedCount", s.confirmed_count as "confirmedCount",
        s.missing, s.free, s.min_count as "minCount", s.max_count as "maxCount"
      from shift s where s.event_id = any (${ids}::bigint[])`.execute(db),
    sql<{ event_id: number; state: State }>`
      select p.event_id, p.state from participation p
      where p.user_id = ${userOf(context)} and p.event_id = any (${ids}::bigint[])`.execute(db),
  ])
  const statsOf = Map.groupBy(shifts.rows, ({ eventId }) => eventId)
  const statesOf = Map.groupBy(own.rows, ({ event_id }) => event_id)
  return rows.map((row) => ({
    ...row,
    stats: sumStats(statsOf.get(row.id) ?? []),
    own: pickMainState((statesOf.get(row.id) ?? []).map(({ state }) => state)),
  }))
}

export async function findEventTypes({ db }: RequestContext): Promise<{ id: number; title: string }[]> {
  const { rows } = await sql<{ id: number; title: string }>`select id, title from event_type order by id`.execute(db)
  return rows
}

/** Whether there is a coming event that the caller may decide about. */
export async function plansEvents({ db, actor, now }: RequestContext): Promise<boolean> {
  const { rows } = await sql`select from event e where e.listed and e.end_time >= ${now} and ${plannedBy(actor)} limit 1`.execute(
    db,
  )
  return rows.length > 0
}

export type FittingEvents = {
  ids: number[]
  /** When the last event begins that was looked at; undefined: all were. */
  lookedUntil: Date | undefined
}

/** Events with at least one shift that suits the caller, soonest first. `conditions` are on `event` as `e`. */
export async function findFittingEvents(context: RequestContext, conditions: Condition[]): Promise<FittingEvents> {
  const most = sql.lit(MOST_JUDGED + 1)
  const order = sql`start_time, end_time, event_id, shift_id`
  const candidates = (when: Condition) => sql`
    select s.id as shift_id, e.id as event_id, e.start_time, e.end_time
    from event e cross join lateral (select s.id from shift s where s.event_id = e.id and ${mayFit(context)} offset 0) s
    where ${visibleTo(context.actor)} and ${when}${andAll(conditions)}`
  // What runs already comes first and is little; apart from it, the index of coming events is read as far as needed.
  const { rows } = await sql<{ shift_id: number; event_id: number; start_time: Date }>`
    select shift_id, event_id, start_time from (
      (${candidates(sql`e.start_time < ${context.now} and e.end_time >= ${context.now}`)})
      union all
      (${candidates(sql`e.start_time >= ${context.now}`)} order by e.start_time, e.end_time, e.id, s.id limit ${most})
    ) c order by ${order} limit ${most}`.execute(context.db)
  const judged = rows.slice(0, MOST_JUDGED)
  const fitting = await keepFitting(
    context,
    judged.map(({ shift_id }) => shift_id),
  )
  const ids = judged.filter(({ shift_id }) => fitting.has(shift_id)).map(({ event_id }) => event_id)
  return { ids: [...new Set(ids)], lookedUntil: rows.length > MOST_JUDGED ? judged.at(-1)!.start_time : undefined }
}
