import { sql } from 'kysely'
import { accountMailTask } from '#features/access/sign-in/jobs.ts'
import { makeKeyring } from '#platform/auth/secrets.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db/pool.ts'
import type { Task } from '#platform/jobs/worker.ts'
import type { Mail, Mailer } from '#platform/mail/mail.ts'

// A mailer for tests that keeps mails in memory.

export type MailOutbox = {
  sent: Mail[]
  /** If true, sending fails. */
  broken: boolean
  /** Runs all waiting jobs of the task; failed jobs stay. */
  deliver: () => Promise<void>
}
export type Job = { id: number; payload: Record<string, unknown> }

export const findJobs = async (db: Database, task: string): Promise<Job[]> =>
  (
    await sql<Job>`select j.id, j.payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
      where t.identifier = ${task} order by j.id`.execute(db.write)
  ).rows

export function openMailOutbox(makeTask: (mailer: Mailer) => Task, db: () => Database): MailOutbox {
  const outbox: MailOutbox = {
    sent: [],
    broken: false,
    deliver: async () => {
      const task = makeTask(mailer)
      for (const { id, payload } of await findJobs(db(), task.name)) {
        await task.run(payload)
        await sql`delete from graphile_worker._private_jobs where id = ${id}`.execute(db().write)
      }
    },
  }
  const mailer: Mailer = {
    describe: 'a test',
    send: async (mail) => {
      if (outbox.broken) throw new Error('mail server is down')
      outbox.sent.push(mail)
    },
  }
  return outbox
}

export const openAccountMailOutbox = (db: () => Database, clock: Clock, url: string): MailOutbox =>
  openMailOutbox(
    (mailer) =>
      accountMailTask({
        db: db(),
        clock,
        mailer,
        site: { url, timeZone: 'Europe/Berlin', keyring: makeKeyring('k'.repeat(32)) },
      }),
    db,
  )
