import { sql } from 'kysely'
import type { Tx } from '#platform/db/transaction.ts'

/** What somebody can do has changed: who is missing on their shifts is worked out anew. Those that are over stay as they were. */
export async function markShiftsOf(tx: Tx, userId: number, now: Date): Promise<void> {
  const touched = sql`s.end_time >= ${now}
    and s.id in (select p.shift_id from participation p where p.user_id = ${userId} and p.state in (0, 1))`
  // Events in order, as everywhere.
  await sql`select from event where id in (select s.event_id from shift s where ${touched}) order by id for no key update`.execute(
    tx,
  )
  const { numAffectedRows = 0n } =
    await sql`update shift s set stats_stale = true where not s.stats_stale and ${touched}`.execute(tx)
  if (numAffectedRows > 0n)
    await sql`select graphile_worker.add_job('recompute_statistics', job_key => 'recompute_statistics')`.execute(tx)
}

/** Somebody is deleted, and is responsible for nothing any more. */
export async function forgetResponsible(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('event_user_grant').where('user_id', '=', userId).execute()
  await tx.deleteFrom('event_type_default_user').where('user_id', '=', userId).execute()
}
