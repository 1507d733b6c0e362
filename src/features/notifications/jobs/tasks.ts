import type { Task } from '#platform/jobs/worker.ts'
import type { JournalReader } from '#platform/journal/readers.ts'
import { forgetOld, queueDue } from '../commands/deliver.ts'
import { remind } from '../commands/remind.ts'
import { tellNews } from '../commands/tell.ts'
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
    { name: 'queue_notifications', every: '* * * * *', run: async () => void (await queueDue(db.write, now())) },
    { name: 'remind', every: '*/10 * * * *', run: async () => void (await remind(db.write, now(), site.timeZone)) },
    {
      name: 'forget_notifications',
      every: '41 3 * * *',
      run: async () => void (await forgetOld(db.write, new Date(now().getTime() - KEEP_MS))),
    },
  ]
}
