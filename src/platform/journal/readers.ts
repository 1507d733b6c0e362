import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import type { DB, Journal } from '#platform/db/tables.ts'
import type { Task } from '#platform/jobs/worker.ts'
import { JOURNAL_TASK } from './journal.ts'
import type { JournalKind, JournalKinds, StoredChanges, StoredPersonal } from './kinds.ts'

type Row = Omit<Selectable<Journal>, 'kind' | 'subject_kind' | 'changes' | 'personal'>

/** A stored entry. `entry.kind === 'participation.moved'` narrows it to what entries of that kind hold. */
export type JournalEntry<Kind extends JournalKind = JournalKind> = {
  [Each in Kind]: Row & {
    kind: Each
    subject_kind: JournalKinds[Each]['subject']
    changes: StoredChanges<Each>
    /** Null: there are none, or the person was erased. */
    personal: StoredPersonal<Each> | null
  }
}[Kind]

/** What queries read of an entry to take it back. */
export type EntryChanges<Kind extends JournalKind = JournalKind> = {
  [Each in Kind]: { kind: Each; changes: StoredChanges<Each> }
}[Kind]

/** Reacts to journal entries: mails, webhooks, federation. */
export type JournalReader = {
  name: string
  wants: (entry: JournalEntry) => boolean
  read: (entry: JournalEntry) => Promise<void>
}

type StoredSettings = Readonly<Record<string, unknown>>
type StoredModules = { stored: RawBuilder<StoredSettings>; set: (stored: StoredSettings) => void }

/**
 * If one reader fails, the job is retried with all readers, so readers must be idempotent. `modules`: read with the entry, because readers
 * depend on which are on.
 */
export function journalTask(db: Kysely<DB>, readers: JournalReader[], modules?: StoredModules): Task {
  return {
    name: JOURNAL_TASK,
    run: async ({ id }) => {
      const settings = sql<StoredSettings | null>`${modules?.stored ?? sql`null`}`
      const query = db.selectFrom('journal').selectAll().select(settings.as('settings')).where('id', '=', Number(id))
      const found = await query.executeTakeFirst()
      if (!found) return
      const { settings: stored, ...entry } = found
      if (stored) modules?.set(stored)
      for (const reader of readers) if (reader.wants(entry as JournalEntry)) await reader.read(entry as JournalEntry)
    },
  }
}
