import { sql } from 'kysely'
import { plannedBy, shownTo, visibleTo } from '#features/events/access.ts'
import { type Counted, findCounted } from '#features/events/queries/filters.ts'
import { statsColumns, typeColumns } from '#features/events/queries/shift-columns.ts'
import { pickMainState } from '#features/participations/rules/moves.ts'
import type { SignupStats, State } from '#features/staffing/rules/model.ts'
import { sumStats } from '#features/staffing/rules/statistics.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { andAll, type Condition } from '#platform/db/conditions.ts'
import type { Pagination } from '#platform/http/paging.ts'
import type { EventSummary, FittingShift } from '../rules/summaries.ts'
import { type EventFilter, eventConditions, keepFitting, MAX_JUDGED_SHIFTS, mightFit, userIdOf } from './filters.ts'
import { findPartnerEvents, hasPartners, partnerEventConditions } from './partner-events.ts'

type Row = Omit<EventSummary, 'stats' | 'own' | 'partner' | 'fitting'>

type EventSearch = EventFilter & {
  when: 'coming' | 'past'
  from: Date | undefined
  /** Exclusive. */
  until: Date | undefined
}
type EventSearchResult = {
  count: number
  events: EventSummary[]
  /** Where the search for fitting events stopped before the end of the list; undefined if it did not. */
  searchedUntil: Date | undefined
}

const columns = sql`e.id, e.title, e.location, ${typeColumns}, e.start_time as start, e.end_time as "end",
  e.shift_count as "shiftCount", e.cancellation_reason as "cancellationReason"`
const joinedEvents = sql`from event e join event_type t on t.id = e.type_id`

/**
 * Upcoming events, which have not ended, soonest first; or past ones, latest first. `from` replaces the current time.
 * Events without shifts have no times and are not listed.
 */
export async function findEvents(context: RequestContext, search: EventSearch, page: Pagination): Promise<EventSearchResult> {
  const { when, from: first, until, fitsMe } = search
  const timeConditions = (start: Condition, end: Condition): Condition[] => [
    when === 'coming' ? sql`${end} >= ${first ?? context.now}` : sql`${end} < ${context.now}`,
    ...(when === 'past' && first ? [sql`${end} >= ${first}`] : []),
    ...(until ? [sql`${start} < ${until}`] : []),
  ]
  const conditions = [...timeConditions(sql`e.start_time`, sql`e.end_time`), ...eventConditions(context, search)]
  const partnerConditions = partnerEventConditions(context, search)
  if (search.whose === 'others' || (partnerConditions && (await hasPartners(context)))) {
    const ours = search.whose === 'others' ? [sql`false`] : conditions
    const theirs = partnerConditions
      ? [...timeConditions(sql`x.start_time`, sql`x.end_time`), ...partnerConditions]
      : [sql`false`]
    return findWithPartnerEvents(context, { ours, theirs, when }, page)
  }
  if (fitsMe) return findFittingEvents(context, search, conditions, page)
  const order = when === 'coming' ? sql`e.start_time, e.end_time, e.id` : sql`e.start_time desc, e.end_time desc, e.id desc`
  const from = sql`${joinedEvents} where ${shownTo(context.actor)}${andAll(conditions)}`
  // never null: start, end (events without shifts have no times and are left out)
  const { count, rows } = await findCounted(context, { columns, from, order }, page, (chosen) => sql<Counted<Row>>`${chosen}`)
  return { count, events: await addStates(context, rows), searchedUntil: undefined }
}

/** One page of our events and those of partners: each list contributes at most the rows that can be on that page. */
async function findWithPartnerEvents(
  context: RequestContext,
  { ours, theirs, when }: { ours: Condition[]; theirs: Condition[]; when: EventSearch['when'] },
  { limit, offset }: Pagination,
): Promise<EventSearchResult> {
  const direction = when === 'coming' ? sql`asc` : sql`desc`
  const fromOurs = sql`from event e where ${shownTo(context.actor)}${andAll(ours)}`
  const fromTheirs = sql`from partner_event x where true${andAll(theirs)}`
  const [{ rows: keys }, { rows: counted }] = await Promise.all([
    sql<{ kind: 0 | 1; id: number }>`
      select kind, id from (
        (select 0 as kind, e.id, e.start_time, e.end_time ${fromOurs}
          order by e.start_time ${direction}, e.end_time ${direction}, e.id ${direction} limit ${limit + offset})
        union all
        (select 1, x.id, x.start_time, x.end_time ${fromTheirs}
          order by x.start_time ${direction}, x.end_time ${direction}, x.id ${direction} limit ${limit + offset})
      ) both_lists order by start_time ${direction}, end_time ${direction}, kind ${direction}, id ${direction}
      limit ${limit} offset ${offset}`.execute(context.db),
    sql<{ count: number }>`select ((select count(*) ${fromOurs}) + (select count(*) ${fromTheirs}))::int as count`.execute(
      context.db,
    ),
  ])
  const idsOf = (kind: 0 | 1) => keys.filter((key) => key.kind === kind).map(({ id }) => id)
  const [{ rows }, partnerEvents] = await Promise.all([
    // never null: start, end (events without shifts have no times and are left out)
    sql<Row>`select ${columns} ${joinedEvents} where e.id = any (${idsOf(0)}::bigint[])`.execute(context.db),
    findPartnerEvents(context, idsOf(1)),
  ])
  const found = new Map<string, EventSummary>()
  for (const event of await addStates(context, rows)) found.set(`0 ${event.id}`, event)
  for (const event of partnerEvents) found.set(`1 ${event.id}`, event)
  const events = keys.flatMap(({ kind, id }) => found.get(`${kind} ${id}`) ?? [])
  return { count: counted[0]!.count, events, searchedUntil: undefined }
}

async function findFittingEvents(
  context: RequestContext,
  search: EventSearch,
  conditions: Condition[],
  { limit, offset }: Pagination,
): Promise<EventSearchResult> {
  const { shiftsOf, searchedUntil } = await findFittingShifts(context, search, conditions)
  const ids = [...shiftsOf.keys()]
  // never null: start, end (events without shifts have no times and are left out)
  const { rows } = await sql<Row>`
    select ${columns} ${joinedEvents} where ${shownTo(context.actor)} and e.id = any (${ids.slice(offset, offset + limit)}::bigint[])
    order by e.start_time, e.end_time, e.id`.execute(context.db)
  const events = (await addStates(context, rows)).map((event) => ({ ...event, fitting: shiftsOf.get(event.id) }))
  return { count: ids.length, events, searchedUntil }
}

type FittingRow = FittingShift & { shift_id: number; event_id: number; event_start: Date }

/** The shifts that fit the caller by event, soonest first. `conditions` are on `event` as `e`. */
async function findFittingShifts(
  context: RequestContext,
  search: EventSearch,
  conditions: Condition[],
): Promise<{ shiftsOf: Map<number, FittingShift[]>; searchedUntil: Date | undefined }> {
  const limit = sql.lit(MAX_JUDGED_SHIFTS + 1)
  const candidates = (when: Condition) => sql`
    select s.id as shift_id, e.id as event_id, e.start_time, e.end_time, s.label, s.start_time as start, s.end_time as "end"
    from event e cross join lateral (
      select s.id, s.label, s.start_time, s.end_time from shift s where s.event_id = e.id and ${mightFit(context, search)} offset 0) s
    where ${visibleTo(context.actor)} and ${when}${andAll(conditions)}`
  // Running events are few; without them, PostgreSQL reads the index of upcoming events only as far as needed.
  const { rows } = await sql<FittingRow>`
    select shift_id, event_id, start_time as event_start, label, start, "end" from (
      (${candidates(sql`e.start_time < ${context.now} and e.end_time >= ${context.now}`)})
      union all
      (${candidates(sql`e.start_time >= ${context.now}`)} order by e.start_time, e.end_time, e.id, s.id limit ${limit})
    ) c order by start_time, end_time, event_id, start, shift_id limit ${limit}`.execute(context.db)
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
  // never null: start, end (events without shifts have no times and are left out)
  const { rows } = await sql<Row>`
    select ${columns} ${joinedEvents} where ${visibleTo(context.actor)} and e.end_time >= ${context.now}
    order by e.start_time, e.end_time, e.id limit ${limit}`.execute(context.db)
  return addStates(context, rows)
}

/** Adds statistics and the caller's state, with one query each for all rows. */
async function addStates(context: RequestContext, rows: Row[]): Promise<EventSummary[]> {
  if (!rows.length) return []
  const ids = rows.map(({ id }) => id)
  const { db } = context
  const [shifts, own] = await Promise.all([
    sql<SignupStats & { eventId: number }>`
      select s.event_id as "eventId", ${statsColumns} from shift s where s.event_id = any (${ids}::bigint[])`.execute(db),
    sql<{ event_id: number; state: State }>`
      select p.event_id, p.state from participation p
      where p.user_id = ${userIdOf(context)} and p.event_id = any (${ids}::bigint[])`.execute(db),
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

export async function plansUpcomingEvents({ db, actor, now }: RequestContext): Promise<boolean> {
  const { rows } = await sql`select from event e where e.listed and e.end_time >= ${now} and ${plannedBy(actor)} limit 1`.execute(
    db,
  )
  return rows.length > 0
}
