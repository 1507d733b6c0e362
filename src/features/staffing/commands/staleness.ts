import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '#platform/db/transaction.ts'
import { madeOf } from '../queries/shifts-of-blocks.ts'

/** For whoever changes these blocks, or blocks inside of them. Ended shifts keep the statistics that they ended with. */
export async function markShiftsOfBlocks(tx: Tx, blockIds: readonly number[], now: Date): Promise<number> {
  return mark(tx, madeOf(blockIds, now))
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
