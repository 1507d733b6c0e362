import { type Kysely, sql } from 'kysely'
import type { PersonalTable } from '#platform/db/personal-table.ts'
import type { DB } from '#platform/db/tables.ts'
import { isOtherBetter } from '../rules/merging.ts'
import { rowsOf } from './export.ts'

export type MergePair = { remainingId: number; otherId: number }

type SharedShift = {
  remainingParticipation: number
  otherParticipation: number
  shiftId: number
  eventId: number
  title: string
  label: string
  start: Date
  remainingState: number
  otherState: number
  isOtherBetter: boolean
}

/** Shifts in which both accounts take part. */
export async function findSharedShifts(db: Kysely<DB>, { remainingId, otherId }: MergePair): Promise<SharedShift[]> {
  const { rows } = await sql<Omit<SharedShift, 'isOtherBetter'>>`
    select r.id as "remainingParticipation", o.id as "otherParticipation", s.id as "shiftId", s.event_id as "eventId", e.title, s.label,
      s.start_time as start, r.state as "remainingState", o.state as "otherState"
    from participation r join participation o on o.shift_id = r.shift_id join shift s on s.id = r.shift_id join event e on e.id = s.event_id
    where r.user_id = ${remainingId} and o.user_id = ${otherId} order by s.event_id, s.id`.execute(db)
  return rows.map((row) => ({ ...row, isOtherBetter: isOtherBetter(row.remainingState, row.otherState) }))
}

export type MergedTable = { table: PersonalTable; rows: number; duplicates: number }

/** How many rows of the other account each table has, and how many of them the remaining account has already. */
export async function countMergedRows(
  db: Kysely<DB>,
  tables: readonly PersonalTable[],
  { remainingId, otherId }: MergePair,
): Promise<MergedTable[]> {
  const counted: MergedTable[] = []
  for (const table of tables) {
    if (table.table === 'user_profile' || table.merge.do === 'stay') continue
    const isDuplicate = table.merge.do === 'move_missing' ? isKnown(table, table.merge.key, remainingId) : sql`false`
    // never null: rows, duplicates (counts)
    const { rows } = await sql<{ rows: number; duplicates: number }>`
      select count(*)::int as rows, (count(*) filter (where ${isDuplicate}))::int as duplicates
      from ${sql.table(table.table)} t where ${rowsOf(table, otherId)}`.execute(db)
    if (rows[0]!.rows) counted.push({ table, ...rows[0]! })
  }
  return counted
}

/** A condition on the table as `t`: the person has a row with the same key. */
export const isKnown = ({ table, column }: PersonalTable, key: readonly string[], userId: number) => sql`exists (
  select from ${sql.table(table)} own where ${sql.join(
    [
      sql`${sql.ref(`own.${column}`)} = ${userId}`,
      ...key.map((name) => sql`${sql.ref(`own.${name}`)} = ${sql.ref(`t.${name}`)}`),
    ],
    sql` and `,
  )})`
