import type { GaugeSource } from '#platform/http/operations.ts'
import type { Task } from '#platform/jobs/worker.ts'
import type { JournalReader } from '#platform/journal/readers.ts'
import { forgetOld, queueDue } from '../commands/deliver.ts'
import { remind } from '../commands/remind.ts'
import { tellNews } from '../commands/tell.ts'
import { countMails } from '../queries/outbox.ts'
import { KEEP_MS } from '../rules/delivery.ts'
import { isNews } from '../rules/news.ts'
import { type Around, sendTask } from './deliveries.ts'

/** Turns what happened into what people are told. */
export function newsReader({ db, clock }: Pick<Around, 'db' | 'clock'>): JournalReader {
  return {
    name: 'notifications',
    wants: ({ kind }) => isNews(kind),
    read: async (entry) => void (await tellNews(db.write, entry, clock.now())),
  }
}

export function notificationTasks(around: Around): Task[] {
  const { db, clock, site } = around
  const now = () => clock.now()
  return [
    sendTask(around),
    { name: 'queue_notifications', schedule: '* * * * *', run: async () => void (await queueDue(db.write, now())) },
    { name: 'remind', schedule: '*/10 * * * *', run: async () => void (await remind(db.write, now(), site.timeZone)) },
    {
      name: 'forget_notifications',
      schedule: '41 3 * * *',
      run: async () => void (await forgetOld(db.write, new Date(now().getTime() - KEEP_MS))),
    },
  ]
}

/** For monitoring; a database that is away says nothing here. */
export function mailGauges({ db, clock }: Pick<Around, 'db' | 'clock'>): GaugeSource[] {
  const count = () => countMails(db.read, clock.now()).catch(() => undefined)
  return [
    {
      name: 'turnout_mails_late',
      help: 'Mails of news that wait for more than 15 minutes',
      read: async () => (await count())?.late,
    },
    { name: 'turnout_mails_failed', help: 'Mails of news that were given up', read: async () => (await count())?.failed },
  ]
}
