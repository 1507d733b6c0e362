import { type Kysely, sql } from 'kysely'
import { changeableBy } from '#features/events/events/access.ts'
import { refuseShift } from '#features/events/events/queries/refusals.ts'
import { shiftColumns } from '#features/events/events/queries/shift-columns.ts'
import { shiftFields } from '#features/events/events/rules/shift-fields.ts'
import type { Shift } from '#features/events/events/rules/shifts.ts'
import type { Configuration } from '#features/planning/shift-forms/rules/flow-form.ts'
import type { StoredShift } from '#features/planning/shift-forms/rules/shift-form.ts'
import type { Participant } from '#features/staffing/eligibility/rules/candidacy.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import { getPlannedEvent, type PlannedEvent } from './events.ts'

export type PlannedShift = StoredShift & { eventId: number; confirmed: number; requested: number }

type Row = Shift & {
  event_id: number
  signup_flow_slug: string
  signup_flow_configuration: Configuration
  structure_slug: string
  structure_configuration: Configuration
  questions: number[]
}

const columns = sql`${shiftColumns()}, s.event_id, s.signup_flow_slug, s.signup_flow_configuration, s.structure_slug, s.structure_configuration,
  array(select a.question_id from shift_question a where a.shift_id = s.id order by 1) as questions`

const shiftOf = (row: Row): PlannedShift => ({
  id: row.id,
  eventId: row.event_id,
  ...shiftFields.pick(row),
  times: { meeting: row.meeting, start: row.start, end: row.end },
  flowSlug: row.signup_flow_slug,
  flowConfiguration: row.signup_flow_configuration,
  structureSlug: row.structure_slug,
  structureConfiguration: row.structure_configuration,
  questions: row.questions,
  confirmed: row.confirmedCount,
  requested: row.requestedCount,
})

/** In chronological order. Does not check access. */
export async function findStoredShifts(db: Kysely<DB>, eventId: number): Promise<PlannedShift[]> {
  const { rows } = await sql<Row>`
    select ${columns} from shift s where s.event_id = ${eventId} order by s.meeting_time, s.start_time, s.id`.execute(db)
  return rows.map(shiftOf)
}

/** Shifts of several events in chronological order. Does not check access. */
export async function findShiftsOfEvents(db: Kysely<DB>, eventIds: readonly number[]): Promise<PlannedShift[]> {
  const { rows } = await sql<Row>`
    select ${columns} from shift s where s.event_id = any (${eventIds}::bigint[])
    order by s.meeting_time, s.start_time, s.id`.execute(db)
  return rows.map(shiftOf)
}

/** A shift of an event that the caller may change. */
export async function getPlannedShift(db: Kysely<DB>, actor: Actor, shiftId: number): Promise<PlannedShift | undefined> {
  const { rows } = await sql<Row>`
    select ${columns} from shift s join event e on e.id = s.event_id
    where s.id = ${shiftId} and e.deleted_at is null and ${changeableBy(actor)}`.execute(db)
  return rows[0] && shiftOf(rows[0])
}

/** Participants in the order in which they are locked. */
export async function findParticipantsToLock(db: Kysely<DB>, shiftId: number): Promise<Participant[]> {
  return rowsOf(db).all(sql<Participant>`
    select p.kind, coalesce(p.user_id, p.visitor_id, p.guest_id) as id from participation p
    where p.shift_id = ${shiftId} and p.kind <> 'placeholder' order by 1, 2`)
}

/** Participants of several shifts in the order in which they are locked. */
export async function findParticipantsOfShifts(db: Kysely<DB>, shiftIds: readonly number[]): Promise<Participant[]> {
  return rowsOf(db).all(sql<Participant>`
    select distinct p.kind, coalesce(p.user_id, p.visitor_id, p.guest_id) as id from participation p
    where p.shift_id = any (${shiftIds}::bigint[]) and p.kind <> 'placeholder' order by 1, 2`)
}

/** Ids of confirmed and requested participants. */
type PeopleOf = { confirmed: number[]; requested: number[]; guests: number[]; visitors: number[] }

export async function findParticipantIds(db: Kysely<DB>, shiftId: number): Promise<PeopleOf> {
  return rowsOf(db).one(sql<PeopleOf>`
    select array(select user_id from participation where shift_id = ${shiftId} and state = 1 and user_id is not null order by 1) as confirmed,
      array(select user_id from participation where shift_id = ${shiftId} and state = 0 and user_id is not null order by 1) as requested,
      array(select guest_id from participation where shift_id = ${shiftId} and state in (0, 1) and guest_id is not null order by 1) as guests,
      array(select visitor_id from participation where shift_id = ${shiftId} and state in (0, 1) and visitor_id is not null order by 1) as visitors`)
}

/** Shifts that are coupled to this one. */
export async function findFollowers(db: Kysely<DB>, shiftId: number): Promise<{ id: number; label: string }[]> {
  return rowsOf(db).all(sql<{ id: number; label: string }>`
    select f.id, f.label from shift f join shift s on s.event_id = f.event_id
    where s.id = ${shiftId} and f.signup_flow_slug = 'coupled' and f.signup_flow_configuration ->> 'leader_shift_id' = s.id::text
    order by f.id`)
}

/** The shift with its event, if the caller may change them. */
export async function requirePlannedShift(
  { db, actor }: Pick<RequestContext, 'db' | 'actor'>,
  id: number,
): Promise<{ shift: PlannedShift; event: PlannedEvent }> {
  const shift = await getPlannedShift(db, actor, id)
  const event = shift && (await getPlannedEvent(db, actor, shift.eventId))
  if (!shift || !event) throw await refuseShift(db, actor, id)
  return { shift, event }
}

/** People of a coupled shift are always those of its leader. */
export const isCoupled = (follower: 's' | 'here', leader: 's' | 'here') =>
  sql`(${sql.ref(`${follower}.signup_flow_slug`)} = 'coupled'
    and ${sql.ref(`${follower}.signup_flow_configuration`)} ->> 'leader_shift_id' = ${sql.ref(`${leader}.id`)}::text)`
