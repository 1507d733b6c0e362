import { type Kysely, sql } from 'kysely'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import { findLaterEntries, journalKind } from '#platform/journal/entries.ts'
import type { JournalEntry } from '#platform/journal/readers.ts'
import { isWithinSettling, MOVED, pairMoves, takenBackKind, takingBackKind } from '../rules/cancelling-out.ts'

type Situation = {
  /** A later entry has taken this one back before its mails were due. Entries may be read in any order. */
  isTakenBack: boolean
  /** Of the participation that the entry is about, as it is now; undefined: about something else, or it was deleted. */
  state: number | undefined
}

export async function readSituation(db: Kysely<DB>, entry: JournalEntry): Promise<Situation> {
  if (entry.subject_kind !== 'participation') return { isTakenBack: await isReverted(db, entry), state: undefined }
  // never null: isTakenBack (exists)
  const row = await rowsOf(db).one(sql<{ isTakenBack: boolean; state: number | null }>`
    select (select state from participation where id = ${entry.subject_id}) as state, exists (
      select from journal where subject_kind = 'participation' and subject_id = ${entry.subject_id} and id > ${entry.id}
        and kind = ${journalKind('participation.undone')} and changes ->> 'undone' = ${String(entry.id)}) as "isTakenBack"`)
  return { isTakenBack: takingBackKind(entry.kind) !== undefined && row.isTakenBack, state: row.state ?? undefined }
}

async function isReverted(db: Kysely<DB>, entry: JournalEntry): Promise<boolean> {
  if (entry.kind === MOVED) return [...(await findMovePairs(db, entry)).values()].includes(entry.id)
  const kind = takingBackKind(entry.kind)
  if (kind === undefined) return false
  const later = (await findLaterEntries(db, entry)).filter((each) => each.kind === kind)
  return later.length > 0 && isWithinSettling(entry.at, later[0]!.at)
}

/** The entry that this one takes back, if the mails about it were not due yet. */
export async function findTakenBack(db: Kysely<DB>, entry: JournalEntry): Promise<number | undefined> {
  if (entry.kind === MOVED) return (await findMovePairs(db, entry)).get(entry.id)
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

const EARLIER_MOVES_MS = 60 * 60_000

/** The moves of the shift since an hour before the entry, in pairs. */
async function findMovePairs(db: Kysely<DB>, entry: JournalEntry): Promise<Map<number, number>> {
  const moves = await db
    .selectFrom('journal')
    .select(['id', 'at', 'changes'])
    .where('subject_kind', '=', entry.subject_kind)
    .where('subject_id', '=', entry.subject_id)
    .where('kind', '=', MOVED)
    .where('at', '>', new Date(entry.at.getTime() - EARLIER_MOVES_MS))
    .orderBy('id')
    .execute()
  return pairMoves(moves as Pick<JournalEntry<typeof MOVED>, 'id' | 'at' | 'changes'>[])
}
