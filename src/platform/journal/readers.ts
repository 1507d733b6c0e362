import type { Kysely, Selectable } from 'kysely'
import type { DB, Journal } from '#platform/db/tables.ts'
import type { Task } from '#platform/jobs/worker.ts'
import { JOURNAL_TASK } from './journal.ts'

export type JournalEntry = Selectable<Journal>

/** Reacts to journal entries: mails, webhooks, federation. */
export type JournalReader = {
  name: string
  wants: (entry: JournalEntry) => boolean
  read: (entry: JournalEntry) => Promise<void>
}

/** If one reader fails, the job is retried with all readers, so readers must be idempotent. */
export function journalTask(db: Kysely<DB>, readers: JournalReader[]): Task {
  return {
    name: JOURNAL_TASK,
    run: async ({ id }) => {
      const entry = await db.selectFrom('journal').selectAll().where('id', '=', Number(id)).executeTakeFirst()
      if (!entry) return
      for (const reader of readers) if (reader.wants(entry)) await reader.read(entry)
    },
  }
}
