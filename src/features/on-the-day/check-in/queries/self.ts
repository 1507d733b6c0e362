import { type Kysely, type RawBuilder, sql } from 'kysely'
import { hashSecret } from '#platform/auth/secrets.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import type { Attendance } from '../rules/attendance.ts'
import { judgeArrival, judgeLeaving, type WindowVerdict } from '../rules/window.ts'

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

type Times = 'from' | 'start' | 'end' | 'arrivedAt' | 'leftAt'
/** As JSON, times are texts. */
export type StoredCheckIn = Omit<OwnShift, Times> & { [Key in Times]: string | null } & {
  isActive: boolean
  isChanging: boolean
  minutesBefore: number
}

/** The confirmed place of a person as JSON, if its event has self check-in or somebody has marked them. */
export const ownCheckInOf = (participationId: RawBuilder<unknown>, userId: number): RawBuilder<unknown> => sql`(
  select to_json(found) from (
    select ${ownShiftColumns(userId)}, coalesce(c.is_active, false) as "isActive", coalesce(c.is_changing, false) as "isChanging",
      coalesce(c.minutes_before, 0) as "minutesBefore"
    from ${ownShiftTables} left join event_check_in c on c.event_id = p.event_id
    where p.id = ${participationId} and p.user_id = ${userId} and p.state = 1 and (c.is_active or a.mark_id is not null)
  ) found)`

export function readCheckIn(stored: StoredCheckIn, now: Date): OwnCheckIn {
  const { isActive, isChanging, minutesBefore, ...rest } = stored
  const time = (text: string | null) => (text === null ? null : new Date(text))
  const shift = {
    ...rest,
    from: new Date(stored.from!),
    start: new Date(stored.start!),
    end: new Date(stored.end!),
    arrivedAt: time(stored.arrivedAt),
    leftAt: time(stored.leftAt),
  }
  const late = { ok: false, reason: 'too_late' } as const
  return {
    ...shift,
    by: isActive && !isChanging ? 'button' : 'code',
    arrival: isActive ? judgeArrival(shift, minutesBefore, now) : late,
    leaving: isActive ? judgeLeaving(shift, minutesBefore, now) : late,
  }
}

const ownShiftColumns = (userId: number) => sql`
  p.id as "participationId", s.label, coalesce(p.individual_start_time, s.meeting_time) as "from", p.start_time as start,
  p.end_time as end, a.arrived_at as "arrivedAt", a.left_at as "leftAt", a.mark_id as "markId", coalesce(a.no_show, false) as "noShow",
  exists (select from attendance_mark m where m.id = a.mark_id and m.source = 'self' and m.by_id = ${userId}) as "isOwnMark"`
const ownShiftTables = sql`participation p join shift s on s.id = p.shift_id left join attendance a on a.participation_id = p.id`

/** The event of a confirmed participation of the person. */
export async function getOwnEvent(db: Kysely<DB>, participationId: number, userId: number): Promise<number | undefined> {
  const row = await rowsOf(db).first(sql<{ id: number }>`
    select p.event_id as id from participation p join event e on e.id = p.event_id
    where p.id = ${participationId} and p.user_id = ${userId} and p.state = 1 and e.listed`)
  return row?.id
}

/** Confirmed shifts of the person in the event, in order. */
export async function findOwnShifts(db: Kysely<DB>, eventId: number, userId: number): Promise<OwnShift[]> {
  return rowsOf(db).all(sql<OwnShift>`
    select ${ownShiftColumns(userId)} from ${ownShiftTables}
    where p.event_id = ${eventId} and p.user_id = ${userId} and p.state = 1 order by p.start_time, p.id`)
}
