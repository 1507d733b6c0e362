import { type Kysely, sql } from 'kysely'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import { journalKind } from '#platform/journal/entries.ts'

export const UNDO_MS = 24 * 3600_000

/** The last save of the table that can be taken back. */
export type TableStep = { id: number; at: Date; by: string | null; created: number; changed: number; removed: number }

/** Undefined if there is none, if it is older than a day, or if it was taken back. */
export async function getLastStep(db: Kysely<DB>, eventId: number, now: Date): Promise<TableStep | undefined> {
  // never null: created, changed, removed (every such entry has them)
  const step = await rowsOf(db).first(sql<TableStep & { kind: string }>`
    select j.id, j.kind, j.at, u.display_name as by, coalesce((j.changes -> 'created' ->> 1)::int, 0) as created,
      coalesce((j.changes -> 'changed' ->> 1)::int, 0) as changed, coalesce((j.changes -> 'removed' ->> 1)::int, 0) as removed
    from journal j left join user_profile u on j.actor_kind = 'user' and u.id = j.actor_id
    where j.event_id = ${eventId} and j.kind in (${journalKind('event.shifts_edited', 'event.shifts_edit_undone')})
    order by j.id desc limit 1`)
  if (step?.kind !== 'event.shifts_edited' || now.getTime() - step.at.getTime() >= UNDO_MS) return undefined
  const { kind: _kind, ...found } = step
  return found
}
