import { sql } from 'kysely'
import { makeKeyring } from '#platform/auth/secrets.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db/pool.ts'
import type { Task } from '#platform/jobs/worker.ts'
import type { Mail, Mailer } from '#platform/mail/mail.ts'
import { accountMailTask } from './jobs.ts'

// What the tests of mails share: a post office without a wire.

export type Post = {
  sent: Mail[]
  /** Set, it refuses every mail. */
  broken: boolean
  /** Runs all waiting jobs of a task as the worker would; one that fails stays. */
  deliver: () => Promise<void>
}
export type Job = { id: number; payload: Record<string, unknown> }

export const findJobs = async (db: Database, task: string): Promise<Job[]> =>
  (
    await sql<Job>`select j.id, j.payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
      where t.identifier = ${task} order by j.id`.execute(db.write)
  ).rows

export function openPost(makeTask: (mailer: Mailer) => Task, db: () => Database): Post {
  const post: Post = {
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
      if (post.broken) throw new Error('no post today')
      post.sent.push(mail)
    },
  }
  return post
}

/** For mails about accounts, under the address of the site. */
export const accountPost = (db: () => Database, clock: Clock, url: string): Post =>
  openPost(
    (mailer) =>
      accountMailTask({
        db: db(),
        clock,
        mailer,
        site: { url, timeZone: 'Europe/Berlin', keyring: makeKeyring('k'.repeat(32)) },
      }),
    db,
  )
