import type { GaugeSource } from '#platform/http/operations.ts'
import type { Task } from '#platform/jobs/worker.ts'
import type { JournalReader } from '#platform/journal/readers.ts'
import { createDue, createFromJournal } from '../commands/create.ts'
import { queueDue } from '../commands/delivery.ts'
import { isTrigger } from '../queries/kinds.ts'
import { countMails } from '../queries/outbox.ts'
import { sendTask } from './deliveries.ts'
import type { NotificationContext } from './sendable.ts'

export function notificationReader({ db, clock, site }: Pick<NotificationContext, 'db' | 'clock' | 'site'>): JournalReader {
  return {
    name: 'notifications',
    wants: ({ kind }) => isTrigger(site, kind) || kind === 'participation.undone',
    read: (entry) => createFromJournal(db.write, entry, { now: clock.now(), site }),
  }
}

export function notificationTasks(context: NotificationContext): Task[] {
  const { db, clock, site } = context
  return [
    sendTask(context),
    { name: 'queue_notifications', schedule: '* * * * *', run: () => queueDue(db.write, clock.now()) },
    { name: 'remind', schedule: '*/10 * * * *', run: () => createDue(db.write, { now: clock.now(), site }) },
  ]
}

/** For monitoring. While the database is unavailable, the gauges are left out. */
export function mailGauges({ db, clock }: Pick<NotificationContext, 'db' | 'clock'>): GaugeSource[] {
  const count = () => countMails(db.read, clock.now()).catch(() => undefined)
  return [
    {
      name: 'turnout_mails_late',
      help: 'Notification mails that have been waiting for more than 15 minutes',
      read: async () => (await count())?.late,
    },
    {
      name: 'turnout_mails_failed',
      help: 'Notification mails that could not be sent after the last attempt',
      read: async () => (await count())?.failed,
    },
  ]
}
