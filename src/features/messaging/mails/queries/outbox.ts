import { type Kysely, sql } from 'kysely'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import { ADDRESS_FAILED } from '#platform/mail/mail.ts'
import { MAIL_TASKS, type MailTask } from '../schema.ts'

export type MailJob = {
  id: number
  task: MailTask
  /** Whom the mail is for. */
  name: string | null
  attempts: number
  maxAttempts: number
  error: string | null
  createdAt: Date
  nextAt: Date
  isFailed: boolean
  /** The address of the recipient does not work. */
  isSkipped: boolean
}

const MAX_SHOWN = 200

/** Mails that were not sent yet, those with failures first. */
export async function findMailJobs(db: Kysely<DB>, onlyFailures: boolean): Promise<MailJob[]> {
  // never null: task, createdAt, nextAt (the view of the worker shows columns that are not null)
  return rowsOf(db).all(sql<MailJob>`
    select j.id::int as id, j.task_identifier as task, coalesce(u.display_name, g.display_name, r.display_name) as name, j.attempts::int as attempts, j.max_attempts::int as "maxAttempts",
      left(j.last_error, 500) as error, j.created_at as "createdAt", j.run_at as "nextAt", j.attempts >= j.max_attempts as "isFailed",
      coalesce(starts_with(j.last_error, ${ADDRESS_FAILED}), false) as "isSkipped"
    from graphile_worker.jobs j join graphile_worker._private_jobs p on p.id = j.id
      left join access_token t on t.id::text = p.payload->>'tokenId' left join decision_request d on d.id::text = p.payload->>'requestId'
      left join user_profile u on u.id::text = coalesce(p.payload->>'userId', t.user_id::text, d.user_id::text)
      left join guest g on g.id::text = p.payload->>'guestId' left join registration r on r.id::text = p.payload->>'registrationId'
    where j.task_identifier = any (${[...MAIL_TASKS]}::text[])
      and (j.last_error is not null or not ${onlyFailures}::boolean)
    order by (j.last_error is not null) desc, j.run_at, j.id limit ${MAX_SHOWN}`)
}
