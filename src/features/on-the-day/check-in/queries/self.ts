import { type Kysely, sql } from 'kysely'
import type { RequestContext } from '#platform/auth/context.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import type { Attendance } from '../rules/attendance.ts'
import { judgeArrival, judgeLeaving, type WindowVerdict } from '../rules/window.ts'
import { getStoredSettings } from './roster.ts'

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

/** How the person checks in: `code` if only the code at the place counts. */
export type OwnCheckIn = OwnShift & { by: 'button' | 'code'; arrival: WindowVerdict; leaving: WindowVerdict }

/** The confirmed shift of the person, if its event has self check-in or somebody has marked them. */
export async function getOwnCheckIn(
  { db, now }: Pick<RequestContext, 'db' | 'now'>,
  { eventId, participationId, userId }: { eventId: number; participationId: number; userId: number },
): Promise<OwnCheckIn | undefined> {
  const [settings, shifts] = await Promise.all([getStoredSettings(db, eventId), findOwnShifts(db, eventId, userId)])
  const shift = shifts.find((one) => one.participationId === participationId)
  if (!shift || !(settings?.isActive || shift.markId)) return undefined
  const minutesBefore = settings?.minutesBefore ?? 0
  return {
    ...shift,
    by: settings?.isActive && !settings.isChanging ? 'button' : 'code',
    arrival: settings?.isActive ? judgeArrival(shift, minutesBefore, now) : { ok: false, reason: 'too_late' },
    leaving: settings?.isActive ? judgeLeaving(shift, minutesBefore, now) : { ok: false, reason: 'too_late' },
  }
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
