import { type RawBuilder, sql } from 'kysely'
import {
  changeableBy,
  eventsBesideAudiences,
  plannedAudiences,
  seenAudiences,
  seesAllEvents,
  shownTo,
} from '#features/events/events/access.ts'
import { eventOfShiftColumns, isShort, shiftColumns, typeColumns } from '#features/events/events/queries/shift-columns.ts'
import { shiftFields } from '#features/events/events/rules/shift-fields.ts'
import { ownCheckInOf, type StoredCheckIn } from '#features/on-the-day/check-in/queries/self.ts'
import { contactsOf } from '#features/staffing/eligibility/queries/contacts.ts'
import { type Eligibility, loadEligibility } from '#features/staffing/eligibility/queries/eligibility.ts'
import type { Candidacy } from '#features/staffing/eligibility/rules/candidacy.ts'
import { type SignupStats, STATE, type State } from '#features/staffing/staffing/rules/model.ts'
import { hasPermission, userIdOf } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { andAll } from '#platform/db/conditions.ts'
import { rowsOf } from '#platform/db/rows.ts'
import { isOn } from '#platform/features/modules.ts'
import type { Contact } from '#platform/ui/contact.ts'
import { type CalendarShift, type ExchangeKind, type FeedShift, MAX_TO_DECIDE, type ShiftSummary } from '../rules/summaries.ts'
import { type EventFilter, hasOpenRequests, keepFitting, MAX_JUDGED_SHIFTS, mightFit, shiftConditions } from './filters.ts'
import { translateTitles } from './own-texts.ts'
import {
  findOwnPartnerShifts,
  findPartnerCalendarShifts,
  findPartnerFeedShifts,
  partnerEventConditions,
} from './partner-events.ts'
import { visibleEvents } from './visible-events.ts'

/** The first rows, and the number of all. */
type FirstOf<Row> = { count: number; rows: Row[] }

const joinEvent = sql`join event e on e.id = s.event_id join event_type t on t.id = e.type_id`
/** Joins `participation` as `p` to `shift` as `s`, by the index of local people: the plan of any shift and person does not find it without the kind. */
const ofCaller = ({ actor }: RequestContext) => sql`p.shift_id = s.id and p.kind = 'local' and p.user_id = ${userIdOf(actor)}`

const participationTimes = { start: sql`p.start_time`, end: sql`p.end_time` }
/** The caller's own times where they have requested or are confirmed, else the times of the shift. */
const ownTimes = {
  start: sql`case when p.state in (0, 1) then p.start_time else s.start_time end`,
  end: sql`case when p.state in (0, 1) then p.end_time else s.end_time end`,
}

/** Why a shift is one of the caller's own. */
type Source = 'confirmed' | 'requested' | 'line' | 'exchange' | 'cancelled'
type OwnRow = ShiftSummary &
  Details & {
    /** The id of the participation, entry or proposal. */
    ownId: number
    source: Source
    state: State
    count: number
    line: { id: number; isOffered: boolean; until: string | null; position: number } | null
    exchange: { what: ExchangeKind; id: number; linkShift: number; name: string } | null
    /** Why the shift was cancelled. */
    reason: string | null
  }
/** `linkShift`: the shift that the link for an answer is bound to. */
export type ExchangeShift = ShiftSummary & { exchange: NonNullable<OwnRow['exchange']> }
type LineShift = ShiftSummary & { line: NonNullable<OwnRow['line']> }

/** The next confirmed shifts have these; some may be cancelled. */
const DETAILED = 3
/** Who plans the event, if the person may reach them, and what is known about their arrival. */
type Details = { contacts: readonly Contact[] | null; checkIn: StoredCheckIn | null }
type ConfirmedShift = ShiftSummary & Partial<Details>

export type OwnShifts = {
  confirmed: FirstOf<ConfirmedShift>
  requested: FirstOf<ShiftSummary>
  lines: LineShift[]
  exchanges: ExchangeShift[]
  /** Requests, places on waiting lists, and places of others that the caller is asked to take. */
  openCount: number
}

/** The caller's shifts that have not ended, here and at partners, with their own times; soonest first. */
export async function findOwnShifts(context: RequestContext, limit: number): Promise<OwnShifts> {
  const own = await readOwnShifts(context, limit)
  await translateTitles(context, shiftsIn(own))
  return own
}

export const shiftsIn = ({ confirmed, requested, lines, exchanges }: OwnShifts): ShiftSummary[] => [
  ...confirmed.rows,
  ...requested.rows,
  ...lines,
  ...exchanges,
]

/** The same with titles as they were written. */
export async function readOwnShifts(context: RequestContext, limit: number): Promise<OwnShifts> {
  const { db, now, actor, site } = context
  const me = userIdOf(context.actor)
  const inState = (state: State, source: Source) => sql`
    select ${sql.lit(source)} as source, p.shift_id, p.state, p.start_time, p.end_time, p.id, false as is_offered, null::json as line, null::json as exchange, null::text as reason
    from participation p where p.user_id = ${me} and p.state = ${sql.lit(state)} and p.end_time >= ${now}`
  const inLine = sql`
    select 'line', o.shift_id, 0::smallint, null, null, o.id, o.state = 'offered', json_build_object('id', o.id,
      'isOffered', o.state = 'offered', 'until', o.offered_until, 'position', (select count(*) from waiting_entry w
        where w.shift_id = o.shift_id and w.state in ('waiting', 'offered') and (w.since, w.id) <= (o.since, o.id))), null::json, null::text
    from waiting_entry o where o.user_id = ${me} and o.state in ('waiting', 'offered')`
  const isPending = sql`w.state in ('open', 'accepted') and w.expires_at > ${now}`
  const whatOf = (open: string) => sql`case w.state when 'accepted' then 'accepted' else ${sql.lit(open)} end`
  const exchanged = sql`
    select 'exchange', x.shift_id, 0::smallint, null, null, x.id, false, null::json,
      json_build_object('what', x.what, 'id', x.id, 'linkShift', x.link_shift, 'name', x.name), null::text
    from (
      select ${whatOf('out')} as what, w.id, w.shift_id, w.shift_id as link_shift, o.display_name as name
        from swap w join user_profile o on o.id = w.other_id where w.user_id = ${me} and ${isPending}
      union all select ${whatOf('in')}, w.id, w.other_shift_id, w.shift_id, u.display_name
        from swap w join user_profile u on u.id = w.user_id where w.other_id = ${me} and ${isPending}
      union all select 'asked', a.id, d.shift_id, d.shift_id, ''
        from stand_in_person a join stand_in d on d.id = a.stand_in_id where a.user_id = ${me} and a.asked_at is not null and a.answer is null and d.state = 'open'
      union all select 'sought', d.id, d.shift_id, d.shift_id, ''
        from stand_in d where d.user_id = ${me} and d.state in ('open', 'found')
    ) x`
  const cancelledHere = sql`
    select 'cancelled', p.shift_id, p.state, p.start_time, p.end_time, p.id, false, null::json, null::json, r.reason
    from removed_participation p join removed_shift r on r.id = p.shift_id and r.id = p.removed_shift_id and r.is_cancelled
    where p.user_id = ${me} and p.state in (0, 1) and p.end_time >= ${now}`
  // Joined with shift and event once and in a fixed order: PostgreSQL took ten times as long to plan a join for each source as to execute it.
  const times = { start: sql`coalesce(own.start_time, s.start_time)`, end: sql`coalesce(own.end_time, s.end_time)` }
  const ofFirst = (value: RawBuilder<unknown>) =>
    sql`case when source = 'confirmed' and rank <= ${sql.lit(DETAILED)} then ${value} end`
  // Without `shownTo`: people see the events that they take part in. Nobody decides about requests for cancelled events.
  const findHere = sql<OwnRow & { rank: number }>`
    select ranked.*, ${ofFirst(contactsOf(actor, sql`ranked."eventId"`))} as contacts,
      ${isOn(site, 'check_in') ? ofFirst(ownCheckInOf(sql`ranked."ownId"`, me)) : sql`null::json`} as "checkIn"
    from (
      select ${shiftColumns(times)}, ${eventOfShiftColumns}, ${typeColumns}, own.source, own.state, own.line, own.exchange, own.reason, own.id as "ownId",
        (count(*) over (partition by own.source))::int as count,
        (row_number() over (
          partition by own.source order by own.is_offered desc, coalesce(own.start_time, s.start_time), own.end_time, own.id))::int as rank
      from (
        ${inState(STATE.confirmed, 'confirmed')} union all ${inState(STATE.requested, 'requested')}
        union all ${inLine} union all ${exchanged} union all ${cancelledHere}
      ) own
        cross join lateral (
          select s.* from shift s where s.id = own.shift_id
          union all select c.* from removed_shift r cross join lateral jsonb_populate_record(null::shift, r.row) c where r.id = own.shift_id
          offset 0) s
        cross join lateral (select e.* from event e where e.id = s.event_id offset 0) e
        cross join lateral (select t.* from event_type t where t.id = e.type_id offset 0) t
      where case own.source
        when 'confirmed' then e.active and e.deleted_at is null
        when 'cancelled' then e.active and e.deleted_at is null
        when 'requested' then e.active and e.deleted_at is null and e.cancelled_at is null
        else e.listed and s.start_time > ${now} end
    ) ranked where rank <= ${limit} order by source, rank`.execute(db)
  const [here, atPartners] = await Promise.all([findHere, findOwnPartnerShifts(context, limit)])
  const { rows } = here
  const cancelled = rows
    .filter(({ source }) => source === 'cancelled')
    .map(({ reason, ...row }) => ({ ...row, ...NO_STATS, cancellationReason: reason }))
  const ofState = (state: State, source: Source): FirstOf<ConfirmedShift> => {
    const here = rows.filter((row) => row.source === source)
    const there = atPartners(state)
    const gone = source === 'confirmed' ? cancelled : []
    const all = [...here, ...there.rows, ...gone].sort((a, b) => a.start.getTime() - b.start.getTime())
    return { count: (here[0]?.count ?? 0) + there.count + gone.length, rows: all.slice(0, limit) }
  }
  const hasWaitingLists = isOn(site, 'waiting_list')
  const lines = rows.flatMap(({ line, ...row }) => (line && hasWaitingLists ? [{ ...row, line }] : []))
  const hasExchanges = isOn(site, 'exchanges')
  const exchanges = rows.flatMap(({ exchange, ...row }) => (exchange && hasExchanges ? [{ ...row, exchange }] : []))
  const requested = ofState(STATE.requested, 'requested')
  const asked = exchanges.filter(({ exchange }) => exchange.what === 'asked')
  const lineCount = lines.length ? rows.find(({ source }) => source === 'line')!.count : 0
  const openCount = requested.count + lineCount + asked.length
  return { confirmed: ofState(STATE.confirmed, 'confirmed'), requested, lines, exchanges, openCount }
}

/** A shift that was cancelled: nobody is missing and no place is open. */
const NO_STATS = { requestedCount: 0, confirmedCount: 0, missing: 0, free: 0, minCount: 0, maxCount: 0, shortfall: 0 }

/** Columns of a shift that was cancelled, from `removed_shift` as `r`, `removed_participation` as `p` and `event` as `e`. */
const cancelledColumns = sql`r.id, ${sql.join(shiftFields.names.map((name) => sql`c.${sql.ref(name)}`))}, case when r.meeting_time < r.start_time then r.meeting_time else p.start_time end as meeting,
  p.start_time as start, p.end_time as "end", e.id as "eventId", e.title as "eventTitle", e.location, r.reason as "cancellationReason"`
const cancelledFrom = sql`from removed_participation p join removed_shift r on r.id = p.shift_id and r.id = p.removed_shift_id and r.is_cancelled
  cross join lateral jsonb_populate_record(null::shift, r.row) c join event e on e.id = r.event_id and e.active and e.deleted_at is null`

/** How many shifts have open requests that the caller decides; those for coupled shifts are decided on the shift they follow. */
export async function countShiftsToDecide(context: RequestContext): Promise<number> {
  const { db, actor, now } = context
  const isWaiting = sql`${hasOpenRequests} and s.listed_audience_id is not null and s.end_time >= ${now}`
  const first = sql`order by s.end_time, s.id limit ${sql.lit(MAX_TO_DECIDE)}`
  const found = hasPermission(actor, 'change_event')
    ? sql`select s.* from shift s where ${isWaiting} ${first}`
    : sql`
      select own.* from seen cross join lateral (
        select s.* from shift s where s.listed_audience_id = seen.id and ${isWaiting}
          and exists (select from event e where e.id = s.event_id and ${changeableBy(actor)}) ${first}) own
      union all
      select own.* from event_user_grant g cross join lateral (
        select s.* from shift s where s.event_id = g.event_id and ${isWaiting} and s.listed_audience_id not in (select id from seen)
        offset 0) own
      where g.user_id = ${userIdOf(context.actor)} and g.permission = 'change'`
  const { rows } = await sql<{ count: number }>`
    with ${plannedAudiences(actor)}
    select count(*)::int as count from (select s.id from (${found}) s ${first}) s`.execute(db)
  return rows[0]!.count
}

type ShiftToJoin = ShiftSummary & { candidacy: Candidacy }

/**
 * How many candidates are judged: a few, and more only if too few of these fit. Literals, so that PostgreSQL plans for them and reads
 * the index of understaffed shifts, ordered by their end, from now on and no further than needed.
 */
const FIRST_CANDIDATES = 12
const MAX_CANDIDATES = 60

type ShiftsToJoin = Eligibility & { toJoin: ShiftToJoin[] }

/**
 * Upcoming shifts that lack people and that the caller can sign up for; those that need no form first. `also`: shifts that are judged with
 * the same statements. Titles are as they were written.
 */
export async function findShiftsToJoin(
  context: RequestContext,
  limit: number,
  also: readonly number[] = [],
): Promise<ShiftsToJoin> {
  const first = await judgeCandidates(context, FIRST_CANDIDATES, also)
  const withoutForm = first.toJoin.filter(({ candidacy }) => !candidacy.needsForm).length
  const isEnough = withoutForm >= limit || first.candidateCount < FIRST_CANDIDATES
  const { toJoin, eligibility, facts } = isEnough ? first : await judgeCandidates(context, MAX_CANDIDATES, also)
  return { toJoin: toJoin.slice(0, limit), eligibility, facts }
}

async function judgeCandidates(
  context: RequestContext,
  most: number,
  also: readonly number[],
): Promise<ShiftsToJoin & { candidateCount: number }> {
  const rows = await findCandidates(context, most)
  const { eligibility, facts } = await loadEligibility(context, [...new Set([...also, ...rows.map(({ id }) => id)])])
  const toJoin = rows
    .map((row) => ({ ...row, candidacy: eligibility.get(row.id)! }))
    .filter(({ candidacy }) => candidacy?.canSignUp)
    .sort((a, b) => Number(a.candidacy.needsForm) - Number(b.candidacy.needsForm) || a.start.getTime() - b.start.getTime())
  return { toJoin, eligibility, facts, candidateCount: rows.length }
}

async function findCandidates(context: RequestContext, most: number): Promise<ShiftSummary[]> {
  const { db, actor, now } = context
  const first = sql`order by s.end_time, s.id limit ${sql.lit(most)}`
  // `not in` reads the caller's participations once; `not exists` would be a join that compares each candidate with all of them.
  const candidates = (condition: RawBuilder<unknown>) => sql`
    select s.* from shift s cross join lateral (select e.type_id from event e where e.id = s.event_id offset 0) e
    where ${condition} and s.listed_audience_id is not null and s.end_time >= ${now} and ${mightFit(context, { needsPeople: true })}
      and s.id not in (select p.shift_id from participation p where p.user_id = ${userIdOf(context.actor)})
    ${first}`
  const found = seesAllEvents(actor)
    ? candidates(isShort)
    : sql`
      select own.* from seen cross join lateral (${candidates(sql`s.listed_audience_id = seen.id and ${isShort}`)}) own
      union all
      select own.* from (${eventsBesideAudiences(actor)}) beside cross join lateral (
        ${candidates(sql`s.event_id = beside.event_id and ${isShort} and s.listed_audience_id not in (select id from seen)`)}) own`
  return rowsOf(db).all(sql<ShiftSummary>`
    with ${seenAudiences(actor)}
    select ${shiftColumns()}, ${eventOfShiftColumns}, ${typeColumns}
    from (select s.* from (${found}) s ${first}) s ${joinEvent} order by s.end_time, s.id`)
}

/** More than a month view can usefully show; the page asks to filter. */
const MAX_CALENDAR_SHIFTS = 3000

type CalendarShifts = { shifts: CalendarShift[]; isTruncated: boolean }

/** Shifts that take place between two instants, cancelled ones too, in order of time. */
export async function findCalendarShifts(
  context: RequestContext,
  filter: EventFilter,
  { from, until }: { from: Date; until: Date },
): Promise<CalendarShifts> {
  const limit = filter.fitsMe ? MAX_JUDGED_SHIFTS : MAX_CALENDAR_SHIFTS
  const partnerConditions = partnerEventConditions(context, filter)
  const atPartners = partnerConditions
    ? await findPartnerCalendarShifts(context, partnerConditions, { from, until }, limit + 1)
    : []
  if (filter.whose === 'others') return mergeByTime([], atPartners, limit)
  const conditions = [
    ...shiftConditions(context, filter),
    ...(filter.fitsMe ? [sql`e.listed and ${mightFit(context, filter)}`] : []),
  ]
  const events = visibleEvents(
    context.actor,
    { published: 'shown', endsFrom: from, startsBefore: until },
    { columns: sql`e.*`, order: sql`e.start_time`, most: undefined },
  )
  const { rows: written } = await sql<CalendarShift>`
    with ${seenAudiences(context.actor)}
    select ${shiftColumns(ownTimes)}, ${eventOfShiftColumns}, ${typeColumns}, p.state as own
    from (${events}) e
      cross join lateral (
        select s.* from shift s where s.event_id = e.id and s.start_time < ${until} and s.end_time > ${from} offset 0) s
      join event_type t on t.id = e.type_id
      left join participation p on ${ofCaller(context)}
    where true${andAll(conditions)}
    order by s.start_time, s.end_time, s.id limit ${limit + 1}`.execute(context.db)
  const rows = await translateTitles(context, written)
  if (!filter.fitsMe) return mergeByTime(rows, atPartners, limit)
  const judged = rows.slice(0, limit)
  const fitting = await keepFitting(
    context,
    judged.map(({ id }) => id),
  )
  return { shifts: judged.filter(({ id }) => fitting.has(id)), isTruncated: rows.length > limit }
}

function mergeByTime(ours: readonly CalendarShift[], theirs: readonly CalendarShift[], limit: number): CalendarShifts {
  const all = theirs.length
    ? [...ours, ...theirs].sort((a, b) => a.start.getTime() - b.start.getTime() || a.end.getTime() - b.end.getTime())
    : [...ours]
  return { shifts: all.slice(0, limit), isTruncated: all.length > limit }
}

/** Past shifts stay in a subscribed calendar for this long. */
const FEED_DAYS = 400
/** Of each kind, the latest. */
const MAX_FEED_SHIFTS = 2000

/** A person who plans the event: directly responsible people before members of responsible groups, and no service account. */
const organizer = sql`(
  select found.display_name from (
    select u.display_name, u.id, 1 as rank from event_user_grant g join user_profile u on u.id = g.user_id
      where g.event_id = e.id and g.permission = 'change' and u.is_active and u.is_visible
    union all
    select u.display_name, u.id, 2 from event_group_grant g join user_group_member m on m.group_id = g.group_id
      join user_profile u on u.id = m.user_id
      where g.event_id = e.id and g.permission = 'change' and u.is_active and u.is_visible
  ) found order by found.rank, found.id limit 1)`

const feedColumns = (times: { start: RawBuilder<unknown>; end: RawBuilder<unknown> }) => sql`
  ${shiftColumns(times)}, ${eventOfShiftColumns}, e.description, p.state,
  coalesce(p.version, 0)::int + (e.cancelled_at is not null)::int as revision, ${organizer} as organizer`

/** One person's shifts in these states, here and at partners. No visibility check: participants may see what they take part in. */
export async function findFeedShifts(
  context: RequestContext,
  userId: number,
  states: readonly State[],
  limit = MAX_FEED_SHIFTS,
): Promise<FeedShift[]> {
  const { db, now } = context
  const since = new Date(now.getTime() - FEED_DAYS * 24 * 3_600_000)
  const findHere = sql<FeedShift & SignupStats>`
    select ${feedColumns(participationTimes)}
    from participation p join shift s on s.id = p.shift_id join event e on e.id = p.event_id
    where p.user_id = ${userId} and p.state = any (${states}::smallint[]) and p.end_time >= ${since}
      and e.active and e.deleted_at is null
    order by p.start_time desc, p.id desc limit ${limit}`.execute(db)
  const findCancelled = sql<FeedShift>`
    select ${cancelledColumns}, e.description, p.state, (p.row ->> 'version')::int + 1 as revision, ${organizer} as organizer
    ${cancelledFrom}
    where p.user_id = ${userId} and p.state = any (${states}::smallint[]) and p.end_time >= ${since}
    order by p.start_time desc, p.id desc limit ${limit}`.execute(db)
  const findAtPartners = findPartnerFeedShifts(context, { userId, states, since, limit })
  const [{ rows }, cancelled, atPartners] = await Promise.all([findHere, findCancelled, findAtPartners])
  return [...rows.reverse(), ...cancelled.rows, ...atPartners].sort((a, b) => a.start.getTime() - b.start.getTime())
}

/** All shifts of an event that the caller may see, with the caller's own times. */
export async function findEventFeedShifts(context: RequestContext, eventId: number): Promise<FeedShift[]> {
  return rowsOf(context.db).all(sql<FeedShift & SignupStats>`
    select ${feedColumns(ownTimes)}
    from shift s join event e on e.id = s.event_id
      left join participation p on ${ofCaller(context)}
    where e.id = ${eventId} and ${shownTo(context.actor)}
    order by s.start_time, s.end_time, s.id`)
}
