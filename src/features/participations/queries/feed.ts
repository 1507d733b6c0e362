import { type RawBuilder, sql } from 'kysely'
import { shownTo } from '#features/events/access.ts'
import type { Ask } from '#platform/auth/ask.ts'
import type { State } from '../rules/states.ts'
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
export async function findFeedShifts({ db, now }: Ask, userId: number, states: readonly State[]): Promise<FeedShift[]> {
  const since = new Date(now.getTime() - KEPT_DAYS * 24 * 3_600_000)
  const { rows } = await sql<FeedShift>`
    select ${columns(sql`p.start_time`, sql`p.end_time`)}
    from participation p join shift s on s.id = p.shift_id join event e on e.id = p.event_id
    where p.user_id = ${userId} and p.state = any (${states}::smallint[]) and p.end_time >= ${since}
      and e.active and e.deleted_at is null
    order by p.start_time desc, p.id desc limit ${MOST_SHIFTS}`.execute(db)
  return rows.reverse()
}

/** All shifts of an event that the caller may see, with the caller's own times. */
export async function findEventCalendar(ask: Ask, eventId: number): Promise<FeedShift[]> {
  const isIn = sql`p.state in (0, 1)`
  const { rows } = await sql<FeedShift>`
    select ${columns(sql`case when ${isIn} then p.start_time else s.start_time end`, sql`case when ${isIn} then p.end_time else s.end_time end`)}
    from shift s join event e on e.id = s.event_id
      left join participation p on p.shift_id = s.id and p.user_id = ${userOf(ask)}
    where e.id = ${eventId} and ${shownTo(ask.actor)}
    order by s.start_time, s.end_time, s.id`.execute(ask.db)
  return rows
}
