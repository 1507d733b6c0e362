import { type Kysely, sql } from 'kysely'
import { findStoredShifts, type PlannedShift } from '#features/planning/planning/queries/shifts.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import type { ProgrammeFormat } from '../formats/programme-file.ts'
import type { FetchFailure, Former } from '../rules/following.ts'
import { DEFAULT_OPTIONS, type ProgrammeOptions } from '../rules/options.ts'
import { type Link, type Plan, planProgramme } from '../rules/plan.ts'
import type { ProgrammeContent } from '../rules/recurring.ts'

export type Programme = {
  eventId: number
  url: string | null
  fileName: string
  format: ProgrammeFormat
  title: string
  content: ProgrammeContent
  options: ProgrammeOptions
  readAt: Date
  etag: string | null
  lastModified: string | null
  succeededAt: Date | null
  failedAt: Date | null
  failure: FetchFailure | null
  failures: number
  nextAt: Date | null
  automaticById: number | null
  announced: string | null
  former: Former | null
}

/** The programme of an event; access to the event is checked elsewhere. */
export async function getProgramme(db: Kysely<DB>, eventId: number): Promise<Programme | undefined> {
  const found = await rowsOf(db).first(sql<Programme>`
    select p.event_id as "eventId", p.url, p.file_name as "fileName", p.format, p.title, p.content, p.options, p.read_at as "readAt",
      p.etag, p.last_modified as "lastModified", p.succeeded_at as "succeededAt", p.failed_at as "failedAt", p.failure, p.failures,
      p.next_at as "nextAt", p.automatic_by_id as "automaticById", p.announced, p.former
    from programme p where p.event_id = ${eventId}`)
  return found && { ...found, options: { ...DEFAULT_OPTIONS, ...found.options } }
}

export async function findLinks(db: Kysely<DB>, eventId: number): Promise<Link[]> {
  return rowsOf(db).all(sql<Link>`
    select l.id, l.shift_id as "shiftId", l.keys, l.label, l.start_time as start, l.end_time as end
    from programme_shift l where l.event_id = ${eventId} order by l.id`)
}

/** The programme compared with the shifts of now. */
export async function loadPlan(
  db: Kysely<DB>,
  programme: Programme,
  { now, timeZone }: { now: Date; timeZone: string },
): Promise<{ plan: Plan; shifts: PlannedShift[]; links: Link[] }> {
  const { eventId, content, options } = programme
  const shifts = await findStoredShifts(db, eventId)
  const links = await findLinks(db, eventId)
  return { shifts, links, plan: planProgramme({ content, options, links, shifts, now, timeZone }) }
}

const BATCH = 50

/** Programmes whose address is due, of events that are neither over nor cancelled nor deleted. */
export async function findDueProgrammes(db: Kysely<DB>, now: Date): Promise<number[]> {
  const { rows } = await sql<{ eventId: number }>`
    select p.event_id as "eventId" from programme p join event e on e.id = p.event_id
    where p.url is not null and p.next_at <= ${now} and e.deleted_at is null and e.cancelled_at is null
      and (e.end_time is null or e.end_time > ${now})
    order by p.next_at limit ${BATCH}`.execute(db)
  return rows.map(({ eventId }) => eventId)
}
