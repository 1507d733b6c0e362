import { sql } from 'kysely'
import { plannedBy, shownTo, visibleTo } from '#features/events/access.ts'
import { findCounted } from '#features/events/queries/filters.ts'
import { type SignupStats, sumStats } from '#features/events/rules/statistics.ts'
import type { Ask } from '#platform/auth/ask.ts'
import { andAll, type Condition } from '#platform/db/conditions.ts'
import type { Page } from '#platform/http/paging.ts'
import { foremost } from '../rules/standing.ts'
import type { State } from '../rules/states.ts'
import { type EventFilter, eventConditions, userOf } from './event-filters.ts'
import { findFittingEvents } from './fitting.ts'

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
}
type Row = Omit<ShownEvent, 'stats' | 'own'>

export type EventListing = EventFilter & {
  when: 'coming' | 'past'
  from: Date | undefined
  /** The first moment after it. */
  until: Date | undefined
  fitsMe: boolean
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
export async function findEventsShown(ask: Ask, listing: EventListing, page: Page): Promise<EventsFound> {
  const { when, from: first, until, fitsMe } = listing
  const conditions: Condition[] = [
    when === 'coming' ? sql`e.end_time >= ${first ?? ask.now}` : sql`e.end_time < ${ask.now}`,
    ...(when === 'past' && first ? [sql`e.end_time >= ${first}`] : []),
    ...(until ? [sql`e.start_time < ${until}`] : []),
    ...eventConditions(ask, listing),
  ]
  if (fitsMe) return findFitting(ask, conditions, page)
  const order = when === 'coming' ? sql`e.start_time, e.end_time, e.id` : sql`e.start_time desc, e.end_time desc, e.id desc`
  const from = sql`${events} where ${shownTo(ask.actor)}${andAll(conditions)}`
  const { count, rows } = await findCounted<Row>(ask, { columns, from, order }, page)
  return { count, events: await complete(ask, rows), lookedUntil: undefined }
}

async function findFitting(ask: Ask, conditions: Condition[], { limit, offset }: Page): Promise<EventsFound> {
  const { ids, lookedUntil } = await findFittingEvents(ask, conditions)
  const shown = ids.slice(offset, offset + limit)
  const { rows } = await sql<Row>`
    select ${columns} ${events} where ${shownTo(ask.actor)} and e.id = any (${shown}::bigint[])
    order by e.start_time, e.end_time, e.id`.execute(ask.db)
  return { count: ids.length, events: await complete(ask, rows), lookedUntil }
}

export async function findNextEvents(ask: Ask, limit: number): Promise<ShownEvent[]> {
  const { rows } = await sql<Row>`
    select ${columns} ${events} where ${visibleTo(ask.actor)} and e.end_time >= ${ask.now}
    order by e.start_time, e.end_time, e.id limit ${limit}`.execute(ask.db)
  return complete(ask, rows)
}

type StatsRow = SignupStats & { eventId: number }

/** The shifts and the caller's participations of all rows, each by one query. */
async function complete(ask: Ask, rows: Row[]): Promise<ShownEvent[]> {
  if (!rows.length) return []
  const ids = rows.map(({ id }) => id)
  const { db } = ask
  const [shifts, own] = await Promise.all([
    sql<StatsRow>`
      select s.event_id as "eventId", s.requested_count as "requestedCount", s.confirmed_count as "confirmedCount",
        s.missing, s.free, s.min_count as "minCount", s.max_count as "maxCount"
      from shift s where s.event_id = any (${ids}::bigint[])`.execute(db),
    sql<{ event_id: number; state: State }>`
      select p.event_id, p.state from participation p
      where p.user_id = ${userOf(ask)} and p.event_id = any (${ids}::bigint[])`.execute(db),
  ])
  const statsOf = Map.groupBy(shifts.rows, ({ eventId }) => eventId)
  const statesOf = Map.groupBy(own.rows, ({ event_id }) => event_id)
  return rows.map((row) => ({
    ...row,
    stats: sumStats(statsOf.get(row.id) ?? []),
    own: foremost((statesOf.get(row.id) ?? []).map(({ state }) => state)),
  }))
}

export async function findEventTypes({ db }: Ask): Promise<{ id: number; title: string }[]> {
  const { rows } = await sql<{ id: number; title: string }>`select id, title from event_type order by id`.execute(db)
  return rows
}

/** Whether there is a coming event that the caller may decide about. */
export async function plansEvents({ db, actor, now }: Ask): Promise<boolean> {
  const { rows } = await sql`select from event e where e.listed and e.end_time >= ${now} and ${plannedBy(actor)} limit 1`.execute(
    db,
  )
  return rows.length > 0
}
