import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import type { DB } from '#platform/db/tables.ts'
import { transact } from '#platform/db/transaction.ts'
import { type Entry, JOURNAL_TASK, record } from '#platform/journal/journal.ts'
import { journalTask } from '#platform/journal/readers.ts'
import { makeLog } from '#platform/log.ts'
import type { Mail } from '#platform/mail/mail.ts'
import type { Person } from '#test/support/people.ts'
import type { World } from '#test/support/world.ts'
import type { Claiming } from './commands/deliver.ts'
import { type Around, sendMail } from './jobs/deliveries.ts'
import { newsReader, notificationTasks } from './jobs/tasks.ts'
import { delivery, SEND_TASK } from './schema.ts'

// What the tests of mails share: a post office without a wire.

type Job = { id: number; payload: Record<string, unknown> }

const jobsOf = async (db: Kysely<DB>, task: string): Promise<Job[]> =>
  (
    await sql<Job>`select j.id, j.payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
      where t.identifier = ${task} order by j.id`.execute(db)
  ).rows

export class Post {
  readonly sent: Mail[] = []
  /** Addresses that refuse every mail. */
  readonly refusing = new Set<string>()
  /** Called with each mail before it is taken. */
  onSend: (mail: Mail) => Promise<void> = async () => {}
  readonly #world: World
  readonly around: Around

  constructor(world: World) {
    this.#world = world
    this.around = {
      db: world.db,
      clock: { now: () => world.now },
      site: world.app.site,
      defaultLanguage: 'en',
      log: makeLog('info', { write: (line: string) => void world.logLines.push(line) }),
      mailer: {
        describe: 'a test',
        send: async (mail) => {
          await this.onSend(mail)
          if (this.refusing.has(mail.to)) throw new Error(`550 no such person here <${mail.to}>`)
          this.sent.push(mail)
        },
      },
    }
  }

  /** An entry of the journal, as the command of another room writes it. */
  happens(entry: Entry, by?: Person, requestId: string | null = null): Promise<number> {
    const actor = by ? ({ kind: 'user', userId: by.id } as never) : ANONYMOUS
    return transact(this.#world.db.write, (tx) => record(tx, { actor, now: this.#world.now, requestId }, entry))
  }

  /** Hands all new entries to the reader, as the worker would. */
  async read(): Promise<void> {
    const { db } = this.#world
    const task = journalTask(db.read, [newsReader(this.around)])
    for (const { id, payload } of await jobsOf(db.write, JOURNAL_TASK)) {
      await task.run(payload)
      await sql`delete from graphile_worker._private_jobs where id = ${id}`.execute(db.write)
    }
  }

  jobs(): Promise<Job[]> {
    return jobsOf(this.#world.db.write, SEND_TASK)
  }

  /** Runs all waiting deliveries, whenever they are due. */
  async send(claim?: Claiming): Promise<void> {
    for (const { id, payload } of await this.jobs()) {
      await sendMail(this.around, delivery.parse(payload), claim)
      await sql`delete from graphile_worker._private_jobs where id = ${id}`.execute(this.#world.db.write)
    }
  }

  /** What the mails of everything that happened are, newest last. */
  async deliver(): Promise<Mail[]> {
    this.sent.length = 0
    await this.read()
    await this.send()
    return [...this.sent]
  }

  run(name: string): Promise<void> {
    return notificationTasks(this.around)
      .find((task) => task.name === name)!
      .run({})
  }

  rows() {
    return this.#world.db.read.selectFrom('notification').selectAll().orderBy('id').execute()
  }

  /** Forgets all that was told. */
  async empty(): Promise<void> {
    await this.read()
    await this.#world.db.write.deleteFrom('notification').execute()
    await sql`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs where task_identifier = ${SEND_TASK}))`.execute(
      this.#world.db.write,
    )
    this.sent.length = 0
  }
}
