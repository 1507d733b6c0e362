import { type Kysely, sql } from 'kysely'
import { changeableBy } from '#features/events/events/access.ts'
import { refuseEvent } from '#features/events/events/queries/refusals.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import type { CheckInPerson, CheckInShift, Conflict, LoggedMark } from '../rules/roster.ts'

export type CheckInEvent = {
  id: number
  title: string
  location: string
  start: Date | null
  end: Date | null
  isCancelled: boolean
}

/** An event that the reader plans; 403 or 404 otherwise. Drafts have nobody to check in. */
export async function requireCheckInEvent(
  { db, actor }: Pick<RequestContext, 'db' | 'actor'>,
  eventId: number,
): Promise<CheckInEvent> {
  const { rows } = await sql<CheckInEvent>`
    select e.id, e.title, e.location, e.start_time as start, e.end_time as end, e.cancelled_at is not null as "isCancelled"
    from event e where e.id = ${eventId} and e.active and e.deleted_at is null and ${changeableBy(actor)}`.execute(db)
  if (!rows[0]) throw await refuseEvent(db, actor, eventId)
  return rows[0]
}

export async function findCheckInShifts(db: Kysely<DB>, eventId: number): Promise<CheckInShift[]> {
  return rowsOf(db).all(sql<CheckInShift>`
    select s.id, s.label, s.meeting_time as meeting, s.start_time as start, s.end_time as end
    from shift s where s.event_id = ${eventId} order by s.meeting_time, s.start_time, s.id`)
}

/** Confirmed people of these shifts by name. For people who plan the event: all names and phone numbers. */
export async function findCheckInPeople(db: Kysely<DB>, shiftIds: readonly number[]): Promise<CheckInPerson[]> {
  return rowsOf(db).all(sql<CheckInPerson>`
    select p.id, p.shift_id as "shiftId", p.kind, coalesce(u.display_name, v.display_name, g.display_name, p.placeholder_name) as name,
      nullif(coalesce(u.phone, v.phone, g.phone), '') as phone, p.start_time as start, p.end_time as end,
      a.arrived_at as "arrivedAt", a.left_at as "leftAt", coalesce(a.no_show, false) as "noShow", a.mark_id as "markId",
      case when m.id is not null then json_build_object('arrivedAt', m.arrived_before, 'leftAt', m.left_before, 'noShow', m.no_show_before)
        end as previous, m.source
    from participation p
    left join user_profile u on u.id = p.user_id left join visitor v on v.id = p.visitor_id left join guest g on g.id = p.guest_id
    left join attendance a on a.participation_id = p.id left join attendance_mark m on m.id = a.mark_id
    where p.shift_id = any (${shiftIds}::bigint[]) and p.state = 1
    order by lower(coalesce(u.display_name, v.display_name, g.display_name, p.placeholder_name)), p.id`)
}

/** The mark whose values are stored for a person. */
export async function getMarkId(db: Kysely<DB>, participationId: number): Promise<string | null> {
  const row = await db
    .selectFrom('attendance')
    .select('mark_id')
    .where('participation_id', '=', participationId)
    .executeTakeFirst()
  return row?.mark_id ?? null
}

/** Marks that contradict what is stored and wait for a decision, oldest first. */
export async function findConflicts(db: Kysely<DB>, participationIds: readonly number[]): Promise<Conflict[]> {
  return rowsOf(db).all(sql<Conflict>`
    select m.id, m.participation_id as "participationId", m.arrived_at as "arrivedAt", m.left_at as "leftAt", m.no_show as "noShow",
      u.display_name as by, m.source, m.made_at as "madeAt"
    from attendance_mark m left join user_profile u on u.id = m.by_id
    where m.participation_id = any (${participationIds}::bigint[]) and m.outcome = 'conflict'
    order by m.received_at, m.id`)
}

const MAX_LOGGED = 500

/** The latest marks of an event, newest first. */
export async function findLoggedMarks(db: Kysely<DB>, eventId: number): Promise<LoggedMark[]> {
  return rowsOf(db).all(sql<LoggedMark>`
    select m.id, coalesce(u.display_name, v.display_name, g.display_name, p.placeholder_name) as name, s.label,
      m.arrived_at as "arrivedAt", m.left_at as "leftAt", m.no_show as "noShow", marker.display_name as by, m.source, m.outcome,
      m.made_at as "madeAt", m.received_at as "receivedAt", chooser.display_name as "resolvedBy"
    from attendance_mark m join participation p on p.id = m.participation_id join shift s on s.id = p.shift_id
    left join user_profile u on u.id = p.user_id left join visitor v on v.id = p.visitor_id left join guest g on g.id = p.guest_id
    left join user_profile marker on marker.id = m.by_id left join user_profile chooser on chooser.id = m.resolved_by_id
    where p.event_id = ${eventId} order by m.received_at desc, m.made_at desc, m.id limit ${MAX_LOGGED}`)
}

export type StoredSettings = { isActive: boolean; minutesBefore: number; isChanging: boolean; tokenSealed: string }

export async function getStoredSettings(db: Kysely<DB>, eventId: number): Promise<StoredSettings | undefined> {
  return rowsOf(db).first(sql<StoredSettings>`
    select c.is_active as "isActive", c.minutes_before as "minutesBefore", c.is_changing as "isChanging", c.token_sealed as "tokenSealed"
    from event_check_in c where c.event_id = ${eventId}`)
}

export async function findOldMarks(db: Kysely<DB>, before: Date): Promise<{ count: number; oldest: Date | null }> {
  return rowsOf(db).one(sql<{ count: number; oldest: Date | null }>`
    select count(*)::int as count, min(received_at) as oldest from attendance_mark
    where received_at < ${before} and outcome <> 'conflict'`)
}
