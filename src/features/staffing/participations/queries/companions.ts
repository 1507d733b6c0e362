import { type Kysely, sql } from 'kysely'
import type { OwnRecord } from '#features/staffing/eligibility/rules/candidacy.ts'
import type { State } from '#features/staffing/staffing/rules/model.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import { journalKind } from '#platform/journal/entries.ts'
import type { Companion } from '../rules/companion.ts'

export type CompanionRecord = Companion & OwnRecord

/** Those whom a participant brought to the same shift, in any state, in the order in which they came. */
export async function findCompanions(db: Kysely<DB>, participationId: number): Promise<CompanionRecord[]> {
  // never null: name (companions are placeholders)
  return rowsOf(db).all(sql<CompanionRecord>`
    select p.id, p.placeholder_name as name, p.version, p.shift_id as "shiftId", p.state, p.individual_start_time as "individualStart",
      p.individual_end_time as "individualEnd", p.start_time as start, p.end_time as end, p.structure_data as "structureData"
    from participation p join participation own on own.id = p.brought_by_id and own.shift_id = p.shift_id
    where own.id = ${participationId} order by p.id`)
}

/** Of these companions, those who left with the person who brought them and were not changed since, with their states before. */
export async function findLeftCompanions(db: Kysely<DB>, ids: readonly number[]): Promise<{ id: number; state: State }[]> {
  if (!ids.length) return []
  // never null: state (the entry changes the state)
  return rowsOf(db).all(sql<{ id: number; state: State }>`
    select p.id, (last.changes -> 'state' ->> 0)::int as state
    from participation p cross join lateral (
      select j.kind, j.changes from journal j where j.subject_kind = 'participation' and j.subject_id = p.id order by j.id desc limit 1
    ) last
    where p.id = any (${ids}::bigint[]) and last.kind = ${journalKind('participation.left_together')} order by p.id`)
}
