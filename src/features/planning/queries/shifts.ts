import { type Kysely, sql } from 'kysely'
import { changeableBy } from '#features/events/access.ts'
import { shiftColumns } from '#features/events/queries/shift-columns.ts'
import type { Shift } from '#features/events/rules/shifts.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { DB } from '#platform/db/tables.ts'
import type { Configuration } from '../rules/flow-form.ts'
import type { StoredShift } from '../rules/shift-form.ts'

export type PlannedShift = StoredShift & { eventId: number; confirmed: number; requested: number }

type Row = Shift & {
  event_id: number
  signup_flow_slug: string
  signup_flow_configuration: Configuration
  structure_slug: string
  structure_configuration: Configuration
}

const columns = sql`${shiftColumns()}, s.event_id, s.signup_flow_slug, s.signup_flow_configuration, s.structure_slug, s.structure_configuration`

const shiftOf = (row: Row): PlannedShift => ({
  id: row.id,
  eventId: row.event_id,
  label: row.label,
  times: { meeting: row.meeting, start: row.start, end: row.end },
  flowSlug: row.signup_flow_slug,
  flowConfiguration: row.signup_flow_configuration,
  structureSlug: row.structure_slug,
  structureConfiguration: row.structure_configuration,
  confirmed: row.confirmedCount,
  requested: row.requestedCount,
})

/** In their order. The caller knows that the event may be read. */
export async function findStoredShifts(db: Kysely<DB>, eventId: number): Promise<PlannedShift[]> {
  const { rows } = await sql<Row>`
    select ${columns} from shift s where s.event_id = ${eventId} order by s.meeting_time, s.start_time, s.id`.execute(db)
  return rows.map(shiftOf)
}

/** A shift of an event that the caller may change. */
export async function getPlannedShift(db: Kysely<DB>, actor: Actor, shiftId: number): Promise<PlannedShift | undefined> {
  const { rows } = await sql<Row>`
    select ${columns} from shift s join event e on e.id = s.event_id
    where s.id = ${shiftId} and e.deleted_at is null and ${changeableBy(actor)}`.execute(db)
  return rows[0] && shiftOf(rows[0])
}
