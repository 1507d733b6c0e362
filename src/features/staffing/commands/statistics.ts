import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { DB } from '#platform/db/tables.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { findStaleShifts, loadStaffing, usesBlocks } from '../queries/staffing.ts'
import type { SignupStats } from '../rules/model.ts'
import { computeStatistics } from '../structures/registry.ts'

/** For every command that changes what they depend on, in its transaction and under the lock of the event. */
export async function refreshStatistics(tx: Tx, shiftIds: readonly number[]): Promise<void> {
  if (!shiftIds.length) return
  const shifts = await loadStaffing(tx, shiftIds)
  await storeShiftStatistics(
    tx,
    shifts.map(({ id, ...shift }) => ({ shiftId: id, stats: computeStatistics(shift) })),
  )
}

type ShiftStatistics = { shiftId: number; stats: Pick<SignupStats, 'missing' | 'free' | 'minCount' | 'maxCount'> }

/** Who is counted is kept by triggers; what is missing and free comes from the matching, which is not SQL. */
async function storeShiftStatistics(tx: Tx, computed: readonly ShiftStatistics[]): Promise<void> {
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

const BATCH_SIZE = 200

/** Wide changes (what qualifications include, building blocks) mark shifts; this catches up, event by event. */
export async function refreshStaleStatistics(db: Kysely<DB>, now: Date): Promise<number> {
  const stale = await findStaleShifts(db, now, BATCH_SIZE)
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

/** For whoever changes these blocks, or blocks inside of them. Ended shifts keep the statistics that they ended with. */
export async function markShiftsOfBlocks(tx: Tx, blockIds: readonly number[], now: Date): Promise<number> {
  return mark(tx, usesBlocks(blockIds, now))
}

/**
 * For whoever changes what qualifications include or who holds them. Which places somebody can take depends on it in roundabout
 * ways, so every shift counts as touched where anybody takes part and places ask for qualifications.
 */
export async function markShiftsOfQualifications(tx: Tx, now: Date): Promise<number> {
  return mark(tx, sql`s.structure_slug <> 'uniform' and s.end_time > ${now} and s.requested_count + s.confirmed_count > 0`)
}

/** After a change of a person's qualifications. Ended shifts keep the statistics that they ended with. */
export async function markShiftsOfPerson(tx: Tx, userId: number, now: Date): Promise<void> {
  await mark(
    tx,
    sql`s.end_time >= ${now} and s.id in (select p.shift_id from participation p where p.user_id = ${userId} and p.state in (0, 1))`,
  )
}

async function mark(tx: Tx, touched: RawBuilder<unknown>): Promise<number> {
  // Events first and in order, as everywhere: a sign-up that counts by the old state is waited for, and its result marked.
  await sql`select from event where id in (select s.event_id from shift s where ${touched}) order by id for no key update`.execute(
    tx,
  )
  const { numAffectedRows = 0n } =
    await sql`update shift s set stats_stale = true where ${touched} and not s.stats_stale`.execute(tx)
  if (numAffectedRows > 0n)
    await sql`select graphile_worker.add_job('recompute_statistics', job_key => 'recompute_statistics')`.execute(tx)
  return Number(numAffectedRows)
}
