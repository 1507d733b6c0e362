import { sql } from 'kysely'
import { shownTo, visibleTo } from '#features/events/access.ts'
import { findCounted } from '#features/events/queries/filters.ts'
import { type SignupStats, sumStats } from '#features/events/rules/statistics.ts'
import type { Ask } from '#platform/auth/ask.ts'
import { andAll, type Condition, searchIn } from '#platform/db/conditions.ts'
import type { Page } from '#platform/http/paging.ts'
import { foremost } from '../rules/standing.ts'
import type { State } from '../rules/states.ts'

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

export type EventFilter = { when: 'coming' | 'past'; terms: string[]; typeId: number | undefined }

const columns = sql`e.id, e.title, e.location, t.title as type_title, t.color as type_color, e.start_time, e.end_time,
  e.shift_count, e.cancellation_reason`
const events = sql`from event e join event_type t on t.id = e.type_id`

/** What has not ended is coming, soonest first; the past begins with what was last. Without shifts there is no time to show. */
export async function findEventsShown(
  ask: Ask,
  { when, terms, typeId }: EventFilter,
  page: Page,
): Promise<{ count: number; events: ShownEvent[] }> {
  const conditions: Condition[] = [
    when === 'coming' ? sql`e.end_time >= ${ask.now}` : sql`e.end_time < ${ask.now}`,
    ...(typeId === undefined ? [] : [sql`e.type_id = ${typeId}`]),
    ...searchIn(terms, [sql`e.title`, sql`e.location`, sql`e.description`]),
  ]
  const order = when === 'coming' ? sql`e.start_time, e.end_time, e.id` : sql`e.start_time desc, e.end_time desc, e.id desc`
  const from = sql`${events} where ${shownTo(ask.actor)}${andAll(conditions)}`
  const { count, rows } = await findCounted<Row>(ask, { columns, from, order }, page)
  return { count, events: await complete(ask, rows) }
}

export async function findNextEvents(ask: Ask, limit: number): Promise<ShownEvent[]> {
  const { rows } = await sql<Row>`
    select ${columns} ${events} where ${visibleTo(ask.actor)} and e.end_time >= ${ask.now}
    order by e.start_time, e.end_time, e.id limit ${limit}`.execute(ask.db)
  return complete(ask, rows)
}

type StatsRow = SignupStats & { eventId: number }

/** The shifts and the caller's participations of all rows, each by one query. */
async function complete({ db, actor }: Ask, rows: Row[]): Promise<ShownEvent[]> {
  if (!rows.length) return []
  const ids = rows.map(({ id }) => id)
  const userId = actor.kind === 'user' ? actor.userId : 0
  const [shifts, own] = await Promise.all([
    sql<StatsRow>`
      select s.event_id as "eventId", s.requested_count as "requestedCount", s.confirmed_count as "confirmedCount",
        s.missing, s.free, s.min_count as "minCount", s.max_count as "maxCount"
      from shift s where s.event_id = any (${ids}::bigint[])`.execute(db),
    sql<{ event_id: number; state: State }>`
      select p.event_id, p.state from participation p
      where p.user_id = ${userId} and p.event_id = any (${ids}::bigint[])`.execute(db),
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
