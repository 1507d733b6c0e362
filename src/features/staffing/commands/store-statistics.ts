import { sql } from 'kysely'
import type { Tx } from '#platform/db/transaction.ts'
import type { SignupStats } from '../rules/statistics.ts'

export type ShiftStatistics = { shiftId: number; stats: Pick<SignupStats, 'missing' | 'free' | 'minCount' | 'maxCount'> }

/** Who is counted is kept by triggers; what is missing and free comes from the matching, which is not SQL. */
export async function storeShiftStatistics(tx: Tx, computed: readonly ShiftStatistics[]): Promise<void> {
  if (!computed.length) return
  const column = <T>(read: (each: ShiftStatistics) => T): T[] => computed.map(read)
  // Rows that have not changed are left alone: each write makes a new version of the event.
  await sql`
    update shift set missing = new.missing, free = new.free, min_count = new.min_count, max_count = new.max_count, stats_stale = false
    from unnest(
      ${column(({ shiftId }) => shiftId)}::bigint[], ${column(({ stats }) => stats.missing)}::int[], ${column(({ stats }) => stats.free)}::int[],
      ${column(({ stats }) => stats.minCount)}::int[], ${column(({ stats }) => stats.maxCount)}::int[]
    ) as new (id, missing, free, min_count, max_count)
    where shift.id = new.id
      and (shift.missing, shift.free, shift.min_count, shift.max_count, shift.stats_stale)
        is distinct from (new.missing, new.free, new.min_count, new.max_count, false)`.execute(tx)
}
