import { sql } from 'kysely'
import type { Tx } from '#platform/db/transaction.ts'
import { JOIN_MAIL_TASK, type JoinMail } from '../schema.ts'

/** Call it in the transaction of the change. */
export async function queueJoinMail(tx: Tx, mail: JoinMail): Promise<void> {
  await sql`select graphile_worker.add_job(${JOIN_MAIL_TASK}, ${JSON.stringify(mail)}::json, max_attempts := 8)`.execute(tx)
}
