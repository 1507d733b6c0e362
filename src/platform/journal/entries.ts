import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Actor } from '#platform/auth/actor.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import { actorOf } from './journal.ts'
import type { JournalKind } from './kinds.ts'
import type { JournalEntry } from './readers.ts'

export async function findOldEntries(db: Kysely<DB>, before: Date): Promise<{ count: number; oldest: Date | null }> {
  // never null: count (of rows)
  return rowsOf(db).one(sql<{ count: number; oldest: Date | null }>`
    select count(*)::int as count, min(at) as oldest from journal where at < ${before}`)
}

/** Kinds of entries as literals of SQL: `j.kind = ${journalKind('event.created')}`, `j.kind in (${journalKind('a.b', 'a.c')})`. */
export const journalKind = (...kinds: JournalKind[]): RawBuilder<JournalKind> => sql.join(kinds.map((kind) => sql.lit(kind)))

/** An entry of one of these kinds. */
export async function getEntry<Kind extends JournalKind>(
  db: Kysely<DB>,
  id: number,
  kinds: readonly Kind[],
): Promise<JournalEntry<Kind> | undefined> {
  const entry = await db.selectFrom('journal').selectAll().where('id', '=', id).where('kind', 'in', kinds).executeTakeFirst()
  return entry as JournalEntry<Kind> | undefined
}

/** The entry, if it has one of these kinds and this actor caused it. */
export async function getOwnEntry<Kind extends JournalKind>(
  db: Kysely<DB>,
  actor: Actor,
  id: number,
  kinds: readonly Kind[],
): Promise<JournalEntry<Kind> | undefined> {
  const { actor_kind, actor_id } = actorOf(actor)
  const entry = await getEntry(db, id, kinds)
  return entry?.actor_kind === actor_kind && entry.actor_id === actor_id ? entry : undefined
}

/** Later entries about the same subject, oldest first. */
export async function findLaterEntries(
  db: Kysely<DB>,
  { id, subject_kind, subject_id }: Pick<JournalEntry, 'id' | 'subject_kind' | 'subject_id'>,
): Promise<JournalEntry[]> {
  const rows = await db
    .selectFrom('journal')
    .selectAll()
    .where('subject_kind', '=', subject_kind)
    .where('subject_id', '=', subject_id)
    .where('id', '>', id)
    .orderBy('id')
    .execute()
  return rows as JournalEntry[]
}
