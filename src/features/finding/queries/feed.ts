import { type RawBuilder, sql } from 'kysely'
import { shownTo } from '#features/events/access.ts'
import type { State } from '#features/staffing/rules/model.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import type { Abroad } from './abroad.ts'
import { userOf } from './event-filters.ts'

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
const MOST_SHIFTS = 2000

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

const columns = (start: RawBuilder<unknown>, end: RawBuilder<unknown>) => sql`
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
    select ${columns(sql`p.start_time`, sql`p.end_time`)}
    from participation p join shift s on s.id = p.shift_id join event e on e.id = p.event_id
    where p.user_id = ${userId} and p.state = any (${states}::smallint[]) and p.end_time >= ${since}
      and e.active and e.deleted_at is null
    order by p.start_time desc, p.id desc limit ${MOST_SHIFTS}`.execute(db)
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
    order by a.start_time, a.id limit ${MOST_SHIFTS}`.execute(db)
  return rows.map(({ host, href, key, ...row }) => ({ ...row, abroad: { host, href, key } }))
}

/** All shifts of an event that the caller may see, with the caller's own times. */
export async function findEventCalendar(context: RequestContext, eventId: number): Promise<FeedShift[]> {
  const isIn = sql`p.state in (0, 1)`
  const { rows } = await sql<FeedShift>`
    select ${columns(sql`case when ${isIn} then p.start_time else s.start_time end`, sql`case when ${isIn} then p.end_time else s.end_time end`)}
    from shift s join event e on e.id = s.event_id
      left join participation p on p.shift_id = s.id and p.user_id = ${userOf(context)}
    where e.id = ${eventId} and ${shownTo(context.actor)}
    order by s.start_time, s.end_time, s.id`.execute(context.db)
  return rows
}
