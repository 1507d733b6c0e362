import { type RawBuilder, sql } from 'kysely'
import { plannedBy, shownTo, visibleTo } from '#features/events/access.ts'
import { findEligibility } from '#features/participations/queries/eligibility.ts'
import type { Candidacy } from '#features/participations/rules/candidacy.ts'
import { type SignupStats, STATE, type State } from '#features/staffing/rules/model.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { andAll } from '#platform/db/conditions.ts'
import { keepFitting, MOST_JUDGED, mayFit, shiftConditions, userOf, type WideFilter } from './filters.ts'
import { type Abroad, abroadConditions, findCalendarAbroad, findOwnAbroad } from './partner-events.ts'

export type ShiftOfEvent = SignupStats & {
  shift_id: number
  label: string
  event_id: number
  event_title: string
  location: string
  type_title: string
  type_color: string
  start_time: Date
  end_time: Date
}
/** The times are the person's own. */
export type OwnShift = ShiftOfEvent & { meeting_time: Date; cancellation_reason: string | null; abroad?: Abroad | undefined }

/** The first of them, and how many there are. */
export type Found<Row> = { count: number; rows: Row[] }
type Counted = { count: number }

const found = <Row extends Counted>(rows: Row[]): Found<Row> => ({ count: rows[0]?.count ?? 0, rows })

const columns = sql`
  s.id as shift_id, s.label, e.id as event_id, e.title as event_title, e.location, t.title as type_title, t.color as type_color,
  s.requested_count as "requestedCount", s.confirmed_count as "confirmedCount",
  s.missing, s.free, s.min_count as "minCount", s.max_count as "maxCount", (count(*) over ())::int as count`
const eventOf = sql`join event e on e.id = s.event_id join event_type t on t.id = e.type_id`

/** Shifts that the caller is expected at, or asked for, here and abroad, and that have not ended; soonest first. */
async function findOwn(context: RequestContext, state: number, limit: number): Promise<Found<OwnShift>> {
  const [here, abroad] = await Promise.all([findOwnHere(context, state, limit), findOwnAbroad(context, state, limit)])
  if (!abroad.count) return here
  const rows: OwnShift[] = [...here.rows, ...abroad.rows].sort((a, b) => a.start_time.getTime() - b.start_time.getTime())
  return { count: here.count + abroad.count, rows: rows.slice(0, limit) }
}

async function findOwnHere({ db, actor, now }: RequestContext, state: number, limit: number): Promise<Found<OwnShift>> {
  const userId = actor.kind === 'user' ? actor.userId : 0
  const { rows } = await sql<OwnShift & Counted>`
    select ${columns}, p.start_time, p.end_time, s.meeting_time, e.cancellation_reason
    from participation p join shift s on s.id = p.shift_id ${eventOf}
    where ${shownTo(actor)} and p.user_id = ${userId} and p.state = ${state} and p.end_time >= ${now}
    order by p.start_time, p.end_time, p.id limit ${limit}`.execute(db)
  return found(rows)
}

export const findNextShifts = (context: RequestContext, limit: number): Promise<Found<OwnShift>> =>
  findOwn(context, STATE.confirmed, limit)
export const findAskedShifts = (context: RequestContext, limit: number): Promise<Found<OwnShift>> =>
  findOwn(context, STATE.requested, limit)

/** A condition on `event` as `e`: there is something to decide for the caller, now or later. */
const planned = ({ actor, now }: RequestContext): RawBuilder<unknown> =>
  sql`e.listed and e.end_time >= ${now} and ${plannedBy(actor)}`

/**
 * Shifts with open requests. Coupled ones follow their leader and are decided there. Undefined for somebody who plans no
 * coming event: then there is nothing that could wait.
 */
export async function findWaitingShifts(context: RequestContext, limit: number): Promise<Found<ShiftOfEvent> | undefined> {
  const any = await sql`select from event e where ${planned(context)} limit 1`.execute(context.db)
  if (!any.rows.length) return undefined
  const { rows } = await sql<ShiftOfEvent & Counted>`
    select ${columns}, s.start_time, s.end_time
    from shift s ${eventOf}
    where ${planned(context)} and s.requested_count > 0 and s.end_time >= ${context.now} and s.signup_flow_slug <> 'coupled'
    order by s.start_time, s.end_time, s.id limit ${limit}`.execute(context.db)
  return found(rows)
}

export type WantedShift = ShiftOfEvent & { meeting_time: Date; candidacy: Candidacy }

/**
 * How far ahead a shift is looked for that suits; whoever fits nowhere among these fits hardly anywhere. By their end, and
 * with a number that the planner knows: so the index of what lacks people is read from now on and no further than needed.
 */
const MOST_CANDIDATES = 60

/** Coming shifts that lack people, that the caller has not answered yet and can sign up for; those for one click first. */
export async function findWantedShifts(context: RequestContext, limit: number): Promise<WantedShift[]> {
  const { db, actor, now } = context
  const userId = actor.kind === 'user' ? actor.userId : 0
  const { rows } = await sql<Omit<WantedShift, 'candidacy'>>`
    select s.id as shift_id, s.label, e.id as event_id, e.title as event_title, e.location, t.title as type_title, t.color as type_color,
      s.meeting_time, s.start_time, s.end_time, s.requested_count as "requestedCount", s.confirmed_count as "confirmedCount",
      s.missing, s.free, s.min_count as "minCount", s.max_count as "maxCount"
    from shift s
      cross join lateral (select e.* from event e where e.id = s.event_id and ${visibleTo(actor)} offset 0) e
      join event_type t on t.id = e.type_id
    where s.missing > 0 and s.end_time >= ${now} and ${mayFit(context)}
      and not exists (select from participation p where p.shift_id = s.id and p.user_id = ${userId})
    order by s.end_time, s.id limit ${sql.lit(MOST_CANDIDATES)}`.execute(db)
  const eligibility = await findEligibility(
    context,
    rows.map(({ shift_id }) => shift_id),
  )
  return rows
    .map((row) => ({ ...row, candidacy: eligibility.get(row.shift_id)! }))
    .filter(({ candidacy }) => candidacy?.canSignUp)
    .sort(
      (a, b) => Number(a.candidacy.needsForm) - Number(b.candidacy.needsForm) || a.start_time.getTime() - b.start_time.getTime(),
    )
    .slice(0, limit)
}

export type CalendarShift = SignupStats & {
  shift_id: number
  label: string
  event_id: number
  event_title: string
  location: string
  type_title: string
  type_color: string
  /** The caller's own times where they have some. */
  start_time: Date
  end_time: Date
  own: State | null
  cancellation_reason: string | null
  abroad?: Abroad | undefined
}

/** More than anybody can look through; a month with more of them is to be narrowed. */
const MOST_SHIFTS = 3000

export type CalendarFound = { shifts: CalendarShift[]; isCut: boolean }

/** Shifts that take place between two moments, cancelled ones too, in order of time. */
export async function findCalendarShifts(
  context: RequestContext,
  filter: WideFilter,
  { from, until }: { from: Date; until: Date },
): Promise<CalendarFound> {
  const most = filter.fitsMe ? MOST_JUDGED : MOST_SHIFTS
  const abroad = abroadConditions(context, filter)
  const theirs = abroad ? await findCalendarAbroad(context, abroad, { from, until }, most + 1) : []
  if (filter.whose === 'others') return merged([], theirs, most)
  const conditions = [...shiftConditions(context, filter), ...(filter.fitsMe ? [sql`e.listed and ${mayFit(context)}`] : [])]
  const { rows } = await sql<CalendarShift>`
    select s.id as shift_id, s.label, e.id as event_id, e.title as event_title, e.location, t.title as type_title, t.color as type_color,
      case when p.state in (0, 1) then p.start_time else s.start_time end as start_time,
      case when p.state in (0, 1) then p.end_time else s.end_time end as end_time,
      p.state as own, e.cancellation_reason,
      s.requested_count as "requestedCount", s.confirmed_count as "confirmedCount", s.missing, s.free,
      s.min_count as "minCount", s.max_count as "maxCount"
    from shift s join event e on e.id = s.event_id join event_type t on t.id = e.type_id
      left join participation p on p.shift_id = s.id and p.user_id = ${userOf(context)}
    where ${shownTo(context.actor)} and e.start_time < ${until} and e.end_time > ${from}
      and s.start_time < ${until} and s.end_time > ${from}${andAll(conditions)}
    order by s.start_time, s.end_time, s.id limit ${most + 1}`.execute(context.db)
  const isCut = rows.length > most
  const shifts = rows.slice(0, most)
  if (!filter.fitsMe) return merged(rows, theirs, most)
  const fitting = await keepFitting(
    context,
    shifts.map(({ shift_id }) => shift_id),
  )
  return { shifts: shifts.filter(({ shift_id }) => fitting.has(shift_id)), isCut }
}

/** In order of time, whoever plans them. */
function merged(ours: readonly CalendarShift[], theirs: readonly CalendarShift[], most: number): CalendarFound {
  const all = theirs.length
    ? [...ours, ...theirs].sort(
        (a, b) => a.start_time.getTime() - b.start_time.getTime() || a.end_time.getTime() - b.end_time.getTime(),
      )
    : [...ours]
  return { shifts: all.slice(0, most), isCut: all.length > most }
}

export type FeedShift = {
  shift_id: number
  label: string
  event_id: number
  event_title: string
  location: string
  description: string | null
  meeting_time: Date
  /** Effective times of those who take part. */
  start_time: Date
  end_time: Date
  state: State | null
  cancellation_reason: string | null
  /** Grows with what the person is told about it. */
  revision: number
  organizer: string | null
  /** Planned by another organisation; `key` names it and stays the same. */
  abroad?: (Abroad & { key: string }) | undefined
}

/** How long what is over stays in a calendar that is read again and again. */
const KEPT_DAYS = 400
const MOST_FEED_SHIFTS = 2000

/** Somebody who plans the event: a person before the members of groups, and no service account. */
const organizer = sql`(
  select found.display_name from (
    select u.display_name, u.id, 1 as rank from event_user_grant g join user_profile u on u.id = g.user_id
      where g.event_id = e.id and g.permission = 'change' and u.is_active and u.is_visible
    union all
    select u.display_name, u.id, 2 from event_group_grant g join user_group_member m on m.group_id = g.group_id
      join user_profile u on u.id = m.user_id
      where g.event_id = e.id and g.permission = 'change' and u.is_active and u.is_visible
  ) found order by found.rank, found.id limit 1)`

const feedColumns = (start: RawBuilder<unknown>, end: RawBuilder<unknown>) => sql`
  s.id as shift_id, s.label, e.id as event_id, e.title as event_title, e.location, e.description, s.meeting_time,
  ${start} as start_time, ${end} as end_time, p.state, e.cancellation_reason,
  coalesce(p.version, 0)::int + (e.cancelled_at is not null)::int as revision, ${organizer} as organizer`

/** Of one person, in these states. What somebody takes part in they may see. */
export async function findFeedShifts(
  { db, now }: RequestContext,
  userId: number,
  states: readonly State[],
): Promise<FeedShift[]> {
  const since = new Date(now.getTime() - KEPT_DAYS * 24 * 3_600_000)
  const { rows } = await sql<FeedShift>`
    select ${feedColumns(sql`p.start_time`, sql`p.end_time`)}
    from participation p join shift s on s.id = p.shift_id join event e on e.id = p.event_id
    where p.user_id = ${userId} and p.state = any (${states}::smallint[]) and p.end_time >= ${since}
      and e.active and e.deleted_at is null
    order by p.start_time desc, p.id desc limit ${MOST_FEED_SHIFTS}`.execute(db)
  return rows.reverse()
}

/** The same person's shifts at partner instances, as those told last. */
export async function findFeedAbroad(
  { db, now }: RequestContext,
  userId: number,
  states: readonly State[],
): Promise<FeedShift[]> {
  const since = new Date(now.getTime() - KEPT_DAYS * 24 * 3_600_000)
  const { rows } = await sql<Omit<FeedShift, 'abroad'> & Abroad & { key: string }>`
    select 0 as shift_id, a.shift_label as label, 0 as event_id, x.title as event_title, x.location, x.description,
      a.start_time as meeting_time, a.start_time, a.end_time, a.state, null as cancellation_reason, 0 as revision, h.name as organizer,
      h.name as host, x.signup_url as href, concat_ws('-', 'abroad', h.id, a.remote_shift_id) as key
    from participation_abroad a join partner_event x on x.id = a.partner_event_id join federated_host h on h.id = x.host_id
    where a.user_id = ${userId} and a.state = any (${states}::smallint[]) and a.end_time >= ${since}
    order by a.start_time, a.id limit ${MOST_FEED_SHIFTS}`.execute(db)
  return rows.map(({ host, href, key, ...row }) => ({ ...row, abroad: { host, href, key } }))
}

/** All shifts of an event that the caller may see, with the caller's own times. */
export async function findEventCalendar(context: RequestContext, eventId: number): Promise<FeedShift[]> {
  const isIn = sql`p.state in (0, 1)`
  const { rows } = await sql<FeedShift>`
    select ${feedColumns(sql`case when ${isIn} then p.start_time else s.start_time end`, sql`case when ${isIn} then p.end_time else s.end_time end`)}
    from shift s join event e on e.id = s.event_id
      left join participation p on p.shift_id = s.id and p.user_id = ${userOf(context)}
    where e.id = ${eventId} and ${shownTo(context.actor)}
    order by s.start_time, s.end_time, s.id`.execute(context.db)
  return rows
}
