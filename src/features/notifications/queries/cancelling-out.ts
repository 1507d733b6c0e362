import type { Kysely } from 'kysely'
import type { DB } from '#platform/db/tables.ts'
import type { JournalEntry } from '#platform/journal/readers.ts'
import { isWithinSettling, takenBackKind, takingBackKind } from '../rules/cancelling-out.ts'

/** Whether a later entry has taken this one back before its mails were due. Entries may be read in any order. */
export async function isTakenBack(db: Kysely<DB>, entry: JournalEntry): Promise<boolean> {
  const kind = takingBackKind(entry.kind)
  if (kind === undefined) return false
  const later = await db
    .selectFrom('journal')
    .select(['at', 'changes'])
    .where('subject_kind', '=', entry.subject_kind)
    .where('subject_id', '=', entry.subject_id)
    .where('id', '>', entry.id)
    .where('kind', '=', kind)
    .orderBy('id')
    .execute()
  if (entry.subject_kind === 'participation')
    return later.some(({ changes }) => (changes as { undone?: unknown }).undone === entry.id)
  return later.length > 0 && isWithinSettling(entry.at, later[0]!.at)
}

/** The entry that this one takes back, if the mails about it were not due yet. */
export async function findTakenBack(db: Kysely<DB>, entry: JournalEntry): Promise<number | undefined> {
  const kind = takenBackKind(entry.kind)
  if (kind === undefined) return undefined
  const earlier = await db
    .selectFrom('journal')
    .select(['id', 'at'])
    .where('subject_kind', '=', entry.subject_kind)
    .where('subject_id', '=', entry.subject_id)
    .where('id', '<', entry.id)
    .where('kind', '=', kind)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return earlier && isWithinSettling(earlier.at, entry.at) ? earlier.id : undefined
}
