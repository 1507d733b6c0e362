import { sql } from 'kysely'
import type { ClaimMail } from '#features/messaging/notifications/commands/delivery.ts'
import { sendByChannels } from '#features/messaging/notifications/jobs/channels.ts'
import { sendMail } from '#features/messaging/notifications/jobs/deliveries.ts'
import { sendPush } from '#features/messaging/notifications/jobs/push.ts'
import type { NotificationContext } from '#features/messaging/notifications/jobs/sendable.ts'
import { notificationReader, notificationTasks } from '#features/messaging/notifications/jobs/tasks.ts'
import { delivery, SEND_TASK } from '#features/messaging/notifications/schema.ts'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import { transact } from '#platform/db/transaction.ts'
import { type Entry, JOURNAL_TASK, record } from '#platform/journal/journal.ts'
import type { JournalKind } from '#platform/journal/kinds.ts'
import { journalTask } from '#platform/journal/readers.ts'
import { makeLog } from '#platform/log.ts'
import type { Mail } from '#platform/mail/mail.ts'
import { makeOutbound } from '#platform/outbound/outbound.ts'
import { findJobs, type Job } from './mail-outbox.ts'
import type { Person } from './people.ts'
import type { World } from './world.ts'

/** Runs the journal reader and the mail jobs in the test, and collects the mails instead of sending them. */
export class NotificationOutbox {
  readonly sent: Mail[] = []
  /** Addresses that refuse every mail. */
  readonly refusing = new Set<string>()
  /** Called with each mail before it is accepted. */
  onSend: (mail: Mail) => Promise<void> = async () => {}
  readonly #world: World
  readonly context: NotificationContext

  constructor(world: World) {
    this.#world = world
    this.context = {
      db: world.db,
      clock: { now: () => world.now },
      site: world.app.site,
      outbound: makeOutbound({ allow: ['127.0.0.1'] }),
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

  /** Writes a journal entry as a command would. */
  record<Kind extends JournalKind>(
    entry: Entry<Kind> & { kind: Kind },
    by?: Person,
    requestId: string | null = null,
  ): Promise<number> {
    const actor = by ? ({ kind: 'user', userId: by.id } as never) : ANONYMOUS
    return transact(this.#world.db.write, (tx) => record(tx, { actor, now: this.#world.now, requestId }, entry))
  }

  /** Passes all new journal entries to the reader, as the worker would. */
  async readJournal(): Promise<void> {
    const { db } = this.#world
    const task = journalTask(db.read, [notificationReader(this.context)])
    for (const { id, payload } of await findJobs(db, JOURNAL_TASK)) {
      await task.run(payload)
      await sql`delete from graphile_worker._private_jobs where id = ${id}`.execute(db.write)
    }
  }

  jobs(): Promise<Job[]> {
    return findJobs(this.#world.db, SEND_TASK)
  }

  /** Runs all queued deliveries, even if they are not due yet. */
  async sendQueued(claim?: ClaimMail): Promise<void> {
    const { now, db } = this.#world
    await db.write
      .updateTable('notification')
      .set({ next_attempt_at: now })
      .where('attempts', '=', 0)
      .where('next_attempt_at', '>', now)
      .execute()
    await this.runDue(claim)
  }

  /** Runs all queued deliveries; those that are not due send nothing. */
  async runDue(claim?: ClaimMail): Promise<void> {
    for (const job of await this.jobs()) await this.run(job, claim)
  }

  async run({ id, payload }: Job, claim?: ClaimMail): Promise<void> {
    await sendMail(this.context, delivery.parse(payload), claim)
    await sendByChannels(this.context, delivery.parse(payload))
    await sendPush(this.context, delivery.parse(payload))
    await sql`delete from graphile_worker._private_jobs where id = ${id}`.execute(this.#world.db.write)
  }

  /** The mails that all new journal entries cause, newest last. */
  async deliver(): Promise<Mail[]> {
    this.sent.length = 0
    await this.readJournal()
    await this.sendQueued()
    return [...this.sent]
  }

  runTask(name: string): Promise<void> {
    return notificationTasks(this.context)
      .find((task) => task.name === name)!
      .run({})
  }

  rows() {
    return this.#world.db.read.selectFrom('notification').selectAll().orderBy('id').execute()
  }

  /** Deletes all notifications, mails and jobs. */
  async clear(): Promise<void> {
    await this.readJournal()
    await this.#world.db.write.deleteFrom('notification').execute()
    await sql`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs where task_identifier = ${SEND_TASK}))`.execute(
      this.#world.db.write,
    )
    this.sent.length = 0
  }
}
