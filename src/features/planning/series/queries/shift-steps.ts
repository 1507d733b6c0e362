import { type Kysely, sql } from 'kysely'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import { journalKind } from '#platform/journal/entries.ts'
import { SHIFT_STEPS, type ShiftStep } from '../rules/undoing.ts'

/** What a step did to shifts of the event, the last one first. */
export async function findShiftSteps(db: Kysely<DB>, eventId: number, step: number): Promise<ShiftStep[]> {
  // never null: subjectId, eventId (entries about shifts)
  return rowsOf(db).all(sql<ShiftStep>`
    select j.kind, j.subject_id as "subjectId", j.event_id as "eventId", j.changes
    from journal j join journal s on s.request_id = j.request_id
    where s.id = ${step} and j.id > ${step} and j.event_id = ${eventId}
      and j.kind in (${journalKind(...SHIFT_STEPS)}) order by j.id desc`)
}
