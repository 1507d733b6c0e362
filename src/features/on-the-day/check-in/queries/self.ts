import { type Kysely, sql } from 'kysely'
import { hashSecret } from '#platform/auth/secrets.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import type { Attendance } from '../rules/attendance.ts'

export type CheckInLink = {
  eventId: number
  title: string
  location: string
  isActive: boolean
  isChanging: boolean
  minutesBefore: number
}

/** The event of a code; undefined for codes that were renewed, and for events that do not take place. */
export async function getCheckInLink(db: Kysely<DB>, token: string): Promise<CheckInLink | undefined> {
  return rowsOf(db).first(sql<CheckInLink>`
    select e.id as "eventId", e.title, e.location, c.is_active as "isActive", c.is_changing as "isChanging",
      c.minutes_before as "minutesBefore"
    from event_check_in c join event e on e.id = c.event_id
    where c.token_hash = ${hashSecret(token)} and e.listed`)
}

export type OwnShift = Attendance & {
  participationId: number
  label: string
  /** When the person is expected: their own start, or the meeting time of the shift. */
  from: Date
  start: Date
  end: Date
  markId: string | null
  /** Their own mark that they may take back. */
  isOwnMark: boolean
}

/** Confirmed shifts of the person in the event, in order. */
export async function findOwnShifts(db: Kysely<DB>, eventId: number, userId: number): Promise<OwnShift[]> {
  return rowsOf(db).all(sql<OwnShift>`
    select p.id as "participationId", s.label, coalesce(p.individual_start_time, s.meeting_time) as "from",
      p.start_time as start, p.end_time as end, a.arrived_at as "arrivedAt", a.left_at as "leftAt", a.mark_id as "markId",
      coalesce(a.no_show, false) as "noShow",
      exists (select from attendance_mark m where m.id = a.mark_id and m.source = 'self' and m.by_id = ${userId}) as "isOwnMark"
    from participation p join shift s on s.id = p.shift_id left join attendance a on a.participation_id = p.id
    where p.event_id = ${eventId} and p.user_id = ${userId} and p.state = 1 order by p.start_time, p.id`)
}
