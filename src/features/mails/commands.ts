import { sql } from 'kysely'
import type { CommandContext } from '#platform/auth/context.ts'
import { transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import { MAIL_TASKS } from './schema.ts'

/** False: the mail was sent, discarded, or is being sent now. */
export async function retryMail(context: CommandContext, jobId: number): Promise<boolean> {
  return transact(context.db, async (tx) => {
    const { rows } = await sql`
      select graphile_worker.reschedule_jobs(array[j.id], run_at := now(), attempts := 0) from graphile_worker.jobs j
      where j.id = ${jobId} and j.task_identifier = any (${[...MAIL_TASKS]}::text[]) and j.locked_at is null`.execute(tx)
    if (rows.length) await record(tx, context, { kind: 'mail.retried', subject: { kind: 'instance', id: null } })
    return rows.length > 0
  })
}

export async function discardMail(context: CommandContext, jobId: number): Promise<boolean> {
  return transact(context.db, async (tx) => {
    const { rows } = await sql`
      select graphile_worker.complete_jobs(array[j.id]) from graphile_worker.jobs j
      where j.id = ${jobId} and j.task_identifier = any (${[...MAIL_TASKS]}::text[]) and j.locked_at is null`.execute(tx)
    if (rows.length) await record(tx, context, { kind: 'mail.discarded', subject: { kind: 'instance', id: null } })
    return rows.length > 0
  })
}
