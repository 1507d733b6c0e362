import { sql } from 'kysely'
import { requireStaff } from '#features/accounts/users/access.ts'
import { resumeSkippedMails, retryUnsentMail } from '#features/messaging/notifications/commands/delivery.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import type { Tx } from '#platform/db/transaction.ts'
import { transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import { ADDRESS_FAILED } from '#platform/mail/mail.ts'
import { MAIL_TASKS } from '../schema.ts'

/** False: the mail was sent, discarded, or is being sent now. */
export async function retryMail(context: CommandContext, jobId: number): Promise<boolean> {
  requireStaff(context.actor)
  return transact(context.db, async (tx) => {
    const { rows } = await sql`
      select graphile_worker.reschedule_jobs(array[j.id], run_at := now(), attempts := 0) from graphile_worker.jobs j
      where j.id = ${jobId} and j.task_identifier = any (${[...MAIL_TASKS]}::text[]) and j.locked_at is null`.execute(tx)
    if (rows.length) await record(tx, context, { kind: 'mail.retried', subject: { kind: 'instance', id: null } })
    return rows.length > 0
  })
}

export async function discardMail(context: CommandContext, jobId: number): Promise<boolean> {
  requireStaff(context.actor)
  return transact(context.db, async (tx) => {
    const { rows } = await sql`
      select graphile_worker.complete_jobs(array[j.id]) from graphile_worker.jobs j
      where j.id = ${jobId} and j.task_identifier = any (${[...MAIL_TASKS]}::text[]) and j.locked_at is null`.execute(tx)
    if (rows.length) await record(tx, context, { kind: 'mail.discarded', subject: { kind: 'instance', id: null } })
    return rows.length > 0
  })
}

/** Sends a mail about notifications again. */
export async function retryNotification(context: CommandContext, id: number): Promise<boolean> {
  requireStaff(context.actor)
  return transact(context.db, async (tx) => {
    const isDone = await retryUnsentMail(tx, id, context.now)
    if (isDone) await record(tx, context, { kind: 'mail.retried', subject: { kind: 'instance', id: null } })
    return isDone
  })
}

/** Mails that waited because the address did not work. */
export async function resumeMails(tx: Tx, { now }: CommandContext, userId: number): Promise<void> {
  await resumeSkippedMails(tx, userId, now)
  // never null: nothing is read (the function returns the jobs)
  await sql`
    select graphile_worker.reschedule_jobs(array_agg(j.id), run_at := now(), attempts := 0) from graphile_worker._private_jobs j
      join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier = any (${[...MAIL_TASKS]}::text[]) and j.locked_at is null and j.payload->>'userId' = ${String(userId)}
      and starts_with(j.last_error, ${ADDRESS_FAILED})
    having count(*) > 0`.execute(tx)
}
