import type { Kysely } from 'kysely'
import type { DB } from '#platform/db/tables.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { findStaleShifts, loadStaffing } from '../queries/staffing.ts'
import { statisticsOf } from '../structures/registry.ts'
import { storeShiftStatistics } from './store-statistics.ts'

/** For every command that changes what they depend on, in its transaction and under the lock of the event. */
export async function refreshStatistics(tx: Tx, shiftIds: readonly number[]): Promise<void> {
  if (!shiftIds.length) return
  const shifts = await loadStaffing(tx, shiftIds)
  await storeShiftStatistics(
    tx,
    shifts.map(({ id, ...shift }) => ({ shiftId: id, stats: statisticsOf(shift) })),
  )
}

const AT_ONCE = 200

/** Wide changes (what qualifications include, building blocks) mark shifts; this catches up, event by event. */
export async function refreshStaleStatistics(db: Kysely<DB>, now: Date): Promise<number> {
  const stale = await findStaleShifts(db, now, AT_ONCE)
  const byEvent = Map.groupBy(stale, ({ eventId }) => eventId)
  for (const [eventId, shifts] of byEvent) {
    await transact(db, async (tx) => {
      await tx.selectFrom('event').select('id').where('id', '=', eventId).forNoKeyUpdate().execute()
      await refreshStatistics(
        tx,
        shifts.map(({ id }) => id),
      )
    })
  }
  return stale.length
}
