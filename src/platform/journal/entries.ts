import { type Kysely, sql } from 'kysely'
import type { Actor } from '#platform/auth/actor.ts'
import type { DB } from '#platform/db/tables.ts'
import { actorOf } from './journal.ts'
import type { JournalEntry } from './readers.ts'

export async function findOldEntries(db: Kysely<DB>, before: Date): Promise<{ count: number; oldest: Date | null }> {
  // never null: count (of rows)
  const { rows } = await sql<{ count: number; oldest: Date | null }>`
    select count(*)::int as count, min(at) as oldest from journal where at < ${before}`.execute(db)
  return rows[0]!
}

/** An entry that this actor caused. */
export async function getOwnEntry(db: Kysely<DB>, actor: Actor, id: number): Promise<JournalEntry | undefined> {
  const { actor_kind, actor_id } = actorOf(actor)
  return db
    .selectFrom('journal')
    .selectAll()
    .where('id', '=', id)
    .where('actor_kind', '=', actor_kind)
    .where('actor_id', 'is not distinct from', actor_id)
    .executeTakeFirst()
}

/** Later entries about the same subject, oldest first. */
export async function findLaterEntries(
  db: Kysely<DB>,
  { id, subject_kind, subject_id }: Pick<JournalEntry, 'id' | 'subject_kind' | 'subject_id'>,
): Promise<JournalEntry[]> {
  return db
    .selectFrom('journal')
    .selectAll()
    .where('subject_kind', '=', subject_kind)
    .where('subject_id', '=', subject_id)
    .where('id', '>', id)
    .orderBy('id')
    .execute()
}
