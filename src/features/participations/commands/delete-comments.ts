import { sql } from 'kysely'
import type { Tx } from '#platform/db/transaction.ts'

/** For the deletion of a person: participations stay for the statistics, their comments are deleted. */
export async function deleteCommentsOf(tx: Tx, userId: number): Promise<void> {
  await sql`
    delete from participation_comment c using participation p
    where p.id = c.participation_id and p.user_id = ${userId}`.execute(tx)
}
