import { type Kysely, sql } from 'kysely'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import type { Attendance } from '../rules/attendance.ts'
import type { CheckInPerson } from '../rules/roster.ts'

export type RealRow = Attendance & {
  id: number
  shiftId: number
  kind: CheckInPerson['kind']
  personId: number | null
  name: string
  label: string
  shiftStart: Date
  shiftEnd: Date
  individualStart: Date | null
  individualEnd: Date | null
  start: Date
  end: Date
  structureData: unknown
  isAbsent: boolean
}

/** Confirmed people of an event with what was planned and what was marked, by shift and name. */
export async function findRealRows(db: Kysely<DB>, eventId: number): Promise<RealRow[]> {
  return rowsOf(db).all(sql<RealRow>`
    select p.id, p.shift_id as "shiftId", p.kind, coalesce(p.user_id, p.visitor_id, p.guest_id) as "personId",
      coalesce(u.display_name, v.display_name, g.display_name, p.placeholder_name) as name, s.label,
      s.start_time as "shiftStart", s.end_time as "shiftEnd", p.individual_start_time as "individualStart",
      p.individual_end_time as "individualEnd", p.start_time as start, p.end_time as end, p.structure_data as "structureData",
      a.arrived_at as "arrivedAt", a.left_at as "leftAt", coalesce(a.no_show, false) as "noShow", coalesce(a.is_absent, false) as "isAbsent"
    from participation p join shift s on s.id = p.shift_id
    left join user_profile u on u.id = p.user_id left join visitor v on v.id = p.visitor_id left join guest g on g.id = p.guest_id
    left join attendance a on a.participation_id = p.id
    where p.event_id = ${eventId} and p.state = 1
    order by s.start_time, s.id, lower(coalesce(u.display_name, v.display_name, g.display_name, p.placeholder_name)), p.id`)
}

type LastRun = { id: number; appliedAt: Date; by: string | null; people: number }

/** The last time that real times were taken over and not undone. */
export async function getLastRun(db: Kysely<DB>, eventId: number): Promise<LastRun | undefined> {
  return rowsOf(db).first(sql<LastRun>`
    select r.id, r.applied_at as "appliedAt", u.display_name as by,
      (select count(*) from attendance_result x where x.run_id = r.id)::int as people
    from attendance_run r left join user_profile u on u.id = r.by_id
    where r.event_id = ${eventId} and r.undone_at is null order by r.id desc limit 1`)
}
