import { type RawBuilder, sql } from 'kysely'
import { shiftFields } from '#features/events/events/rules/shift-fields.ts'
import { givingUpPath, partnerEventHref } from '#features/sharing/federation/rules/openings.ts'
import { pickMainState } from '#features/staffing/eligibility/rules/moves.ts'
import { NO_STATS, type State } from '#features/staffing/staffing/rules/model.ts'
import { type Actor, isStaff, userIdOf } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { andAll, type Condition, searchIn } from '#platform/db/conditions.ts'
import { isOn } from '#platform/features/modules.ts'
import type { Pagination } from '#platform/http/paging.ts'
import type { CalendarShift, EventSummary, FeedShift, PartnerLink, ShiftSummary } from '../rules/summaries.ts'
import type { EventFilter } from './filters.ts'

/** Pages mention events of partners only if there is a partner. */
export const thereArePartners = ({ site }: RequestContext): RawBuilder<boolean> =>
  isOn(site, 'federation') ? sql<boolean>`exists (select from federated_host)` : sql<boolean>`false`

/** Names of partners who ended the link as JSON, for administrators, who decide whether to remove it. */
export const endedLinksFor = (actor: Actor): RawBuilder<unknown> =>
  isStaff(actor)
    ? sql`(select coalesce(json_agg(name order by lower(name)), '[]') from federated_host where ended_by_partner_at is not null)`
    : sql`'[]'::json`

/** Conditions on `partner_event` as `x`. Undefined if nothing can match: partners do not publish what the filter asks for. */
export function partnerEventConditions(
  context: RequestContext,
  { terms, typeIds, state, needsPeople, fitsMe, whose }: EventFilter,
): Condition[] | undefined {
  if (!isOn(context.site, 'federation')) return undefined
  if (whose === 'ours' || typeIds.length || needsPeople || fitsMe || state === 'decide') return undefined
  const own = (states: number[]): Condition =>
    sql`x.id in (select a.partner_event_id from participation_abroad a where a.user_id = ${userIdOf(context.actor)} and not a.denied and a.state = any (${states}::smallint[]))`
  const STATES = {
    none: () => sql`not ${own([0, 1, 2, 3])}`,
    confirmed: () => own([1]),
    requested: () => own([0]),
    in: () => own([0, 1]),
  }
  return [...searchIn([...terms], [sql`x.title`, sql`x.location`, sql`x.description`]), ...(state ? [STATES[state]()] : [])]
}

/** Partners do not publish how many people they need, nor cancelled events. */
const NOT_PUBLISHED = { typeColor: '', cancellationReason: null }

export type PartnerEvent = EventSummary & { partner: PartnerLink }

/** As read from the tables: `href` is the page at the partner. */
type LinkRow = { id: number; host: string; href: string; isSilent: boolean; openedAt: Date | null }

const toLink = (row: LinkRow): PartnerLink => ({ host: row.host, href: partnerEventHref(row), openedAt: row.openedAt })

/** Columns of `LinkRow` from `partner_event` as `x` and `federated_host` as `h`. */
const linkColumns = (
  context: RequestContext,
) => sql`x.id, h.name as host, x.signup_url as href, not h.speaks_turnout as "isSilent",
  (select o.opened_at from partner_event_opening o
    where o.partner_event_id = x.id and o.user_id = ${userIdOf(context.actor)} and not h.speaks_turnout) as "openedAt"`

type EventRow = LinkRow & {
  title: string
  location: string
  typeTitle: string
  start: Date
  end: Date
  states: State[]
}

/** By the ids of our copies, in no order. */
export async function findPartnerEvents(context: RequestContext, ids: readonly number[]): Promise<PartnerEvent[]> {
  if (!ids.length) return []
  // never null: start, end (callers select ids of events with times)
  const { rows } = await sql<EventRow>`
    select ${linkColumns(context)}, x.title, x.location, x.type_title as "typeTitle", x.start_time as start, x.end_time as "end",
      array(
        select a.state from participation_abroad a
        where a.partner_event_id = x.id and a.user_id = ${userIdOf(context.actor)} and not a.denied
      ) as states
    from partner_event x join federated_host h on h.id = x.host_id where x.id = any (${ids}::bigint[])`.execute(context.db)
  return rows.map((row) => ({
    ...NOT_PUBLISHED,
    id: row.id,
    title: row.title,
    location: row.location,
    typeTitle: row.typeTitle,
    start: row.start,
    end: row.end,
    shiftCount: undefined,
    stats: NO_STATS,
    own: pickMainState(row.states),
    partner: toLink(row),
  }))
}

/** Upcoming events of partners that the caller does not take part in, soonest first. */
export async function findOpenPartnerEvents(
  context: RequestContext,
  conditions: readonly Condition[],
  { from, until }: { from: Date | undefined; until: Date | undefined },
  limit: number,
): Promise<PartnerEvent[]> {
  const isIn = sql`x.id in (select a.partner_event_id from participation_abroad a
    where a.user_id = ${userIdOf(context.actor)} and not a.denied and a.state in (0, 1))`
  const times = [
    sql`x.end_time >= ${context.now}`,
    ...(from ? [sql`x.end_time >= ${from}`] : []),
    ...(until ? [sql`x.start_time < ${until}`] : []),
  ]
  const { rows } = await sql<{ id: number }>`
    select x.id from partner_event x where not ${isIn}${andAll([...times, ...conditions])}
    order by x.start_time, x.end_time, x.id limit ${limit}`.execute(context.db)
  const events = await findPartnerEvents(
    context,
    rows.map(({ id }) => id),
  )
  return events.sort((a, b) => a.start.getTime() - b.start.getTime() || a.id - b.id)
}

const RECENT_DAYS = 14

/** Our copies of shared events: upcoming ones, soonest first, or those that ended recently, latest first. */
export async function findSharedEvents(
  context: RequestContext,
  when: 'coming' | 'lately',
  { limit, offset }: Pagination,
): Promise<{ count: number; events: PartnerEvent[] }> {
  const since = new Date(context.now.getTime() - RECENT_DAYS * 24 * 3_600_000)
  const condition: RawBuilder<unknown> =
    when === 'coming' ? sql`x.end_time >= ${context.now}` : sql`x.end_time < ${context.now} and x.end_time >= ${since}`
  const direction = when === 'coming' ? sql`asc` : sql`desc`
  const { rows: counted } = await sql<{ count: number }>`
    select count(*)::int as count from partner_event x where ${condition} and x.start_time is not null`.execute(context.db)
  const { rows } = await sql<{ id: number }>`
    select x.id from partner_event x where ${condition} and x.start_time is not null
    order by x.start_time ${direction}, x.end_time ${direction}, x.id ${direction} limit ${limit} offset ${offset}`.execute(
    context.db,
  )
  const events = await findPartnerEvents(
    context,
    rows.map(({ id }) => id),
  )
  const byId = new Map(events.map((event) => [event.id, event]))
  return { count: counted[0]!.count, events: rows.flatMap(({ id }) => byId.get(id) ?? []) }
}

type ShiftRow = LinkRow & {
  label: string
  eventTitle: string
  location: string
  typeTitle: string
  start: Date
  end: Date
  state: State | null
  /** Of an own place that can be given up from here. */
  placeId?: number | null
}

/** Ids of another instance mean nothing here, hence 0. */
const toSummary = (row: ShiftRow): ShiftSummary => ({
  ...NO_STATS,
  ...NOT_PUBLISHED,
  ...shiftFields.defaults,
  id: 0,
  eventId: 0,
  label: row.label,
  eventTitle: row.eventTitle,
  location: row.location,
  typeTitle: row.typeTitle,
  start: row.start,
  end: row.end,
  meeting: row.start,
  partner: { ...toLink(row), ...(row.placeId ? { givingUp: givingUpPath(row.placeId) } : {}) },
})

const shiftColumns = (context: RequestContext) =>
  sql`x.title as "eventTitle", x.location, x.type_title as "typeTitle", ${linkColumns(context)}`
const joinHost = sql`join federated_host h on h.id = x.host_id`

type OwnShifts = { count: number; rows: ShiftSummary[] }

/** The caller's shifts at partners that have not ended, the first ones of each state; soonest first. */
export async function findOwnPartnerShifts(context: RequestContext, limit: number): Promise<(state: State) => OwnShifts> {
  if (!isOn(context.site, 'federation')) return () => ({ count: 0, rows: [] })
  const { rows } = await sql<ShiftRow & { count: number; place: number }>`
    select * from (
      select ${shiftColumns(context)}, a.shift_label as label, a.start_time as start, a.end_time as "end", a.state,
        (select a.id from host_updates u where u.host_id = h.id and u.agreed_at is not null) as "placeId",
        (count(*) over (partition by a.state))::int as count,
        row_number() over (partition by a.state order by a.start_time, a.end_time, a.id) as place
      from participation_abroad a join partner_event x on x.id = a.partner_event_id ${joinHost}
      where a.user_id = ${userIdOf(context.actor)} and not a.denied and a.state in (0, 1) and a.end_time >= ${context.now}
    ) own where place <= ${limit} order by place`.execute(context.db)
  return (state) => {
    const ofState = rows.filter((row) => row.state === state)
    return { count: ofState[0]?.count ?? 0, rows: ofState.map(toSummary) }
  }
}

/** For calendars: the caller's own shifts of an event of a partner, or else the event as a whole. */
export async function findPartnerCalendarShifts(
  context: RequestContext,
  conditions: Condition[],
  { from, until }: { from: Date; until: Date },
  limit: number,
): Promise<CalendarShift[]> {
  const { rows } = await sql<ShiftRow>`
    select ${shiftColumns(context)}, coalesce(a.shift_label, '') as label, coalesce(a.start_time, x.start_time) as start,
      coalesce(a.end_time, x.end_time) as "end", a.state
    from partner_event x ${joinHost}
      left join participation_abroad a on a.partner_event_id = x.id and a.user_id = ${userIdOf(context.actor)} and not a.denied and a.state in (0, 1)
    where x.start_time < ${until} and x.end_time > ${from}
      and coalesce(a.start_time, x.start_time) < ${until} and coalesce(a.end_time, x.end_time) > ${from}${andAll(conditions)}
    order by start, "end", x.id limit ${limit}`.execute(context.db)
  return rows.map((row) => ({ ...toSummary(row), own: row.state }))
}

/** A person's shifts at partners that end after `since`, as last received from them. */
export async function findPartnerFeedShifts(
  { db }: RequestContext,
  { userId, states, since, limit }: { userId: number; states: readonly State[]; since: Date; limit: number },
): Promise<FeedShift[]> {
  const { rows } = await sql<Omit<FeedShift, 'partner'> & PartnerLink & { key: string }>`
    select 0 as id, a.shift_label as label, 0 as "eventId", x.title as "eventTitle", x.location, x.description,
      a.start_time as meeting, a.start_time as start, a.end_time as "end", a.state, null as "cancellationReason", 0 as revision,
      h.name as organizer, h.name as host, x.signup_url as href, concat_ws('-', 'abroad', h.id, a.remote_shift_id) as key
    from participation_abroad a join partner_event x on x.id = a.partner_event_id join federated_host h on h.id = x.host_id
    where a.user_id = ${userId} and not a.denied and a.state = any (${states}::smallint[]) and a.end_time >= ${since}
    order by a.start_time desc, a.id desc limit ${limit}`.execute(db)
  return rows.reverse().map(({ host, href, key, ...row }) => ({ ...row, partner: { host, href, key } }))
}
