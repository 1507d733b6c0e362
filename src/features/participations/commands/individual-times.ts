import { sql } from 'kysely'
import type { Tx } from '#platform/db/transaction.ts'
import type { Span } from '#platform/time-span.ts'

/**
 * Called before a shift moves to new times. A participant with only one individual time that lies outside of the new times keeps the
 * former other end as an individual time, so that the participation never ends before it starts.
 */
export async function fixIndividualTimes(tx: Tx, shiftId: number, { start, end }: Span): Promise<void> {
  await sql`update participation set individual_end_time = end_time
    where shift_id = ${shiftId} and individual_end_time is null and individual_start_time > ${end}`.execute(tx)
  await sql`update participation set individual_start_time = start_time
    where shift_id = ${shiftId} and individual_start_time is null and individual_end_time < ${start}`.execute(tx)
}
