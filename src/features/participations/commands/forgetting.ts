import { sql } from 'kysely'
import type { Tx } from '#platform/db/transaction.ts'

/** Somebody is deleted: that they were there stays as a count, what they wrote about themselves goes. */
export async function forgetComments(tx: Tx, userId: number): Promise<void> {
  await sql`
    delete from participation_comment c using participation p
    where p.id = c.participation_id and p.user_id = ${userId}`.execute(tx)
}
