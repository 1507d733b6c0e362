import { type Kysely, sql } from 'kysely'
import type { DB } from '#platform/db/tables.ts'

/** Names of placeholders of an event, without those that this participant brought. */
export async function findOtherNames(db: Kysely<DB>, eventId: number, participationId: number): Promise<Set<string>> {
  // never null: name (placeholders have a name)
  const { rows } = await sql<{ name: string }>`
    select distinct p.placeholder_name as name from participation p
    where p.event_id = ${eventId} and p.kind = 'placeholder' and p.brought_by_id is distinct from ${participationId}`.execute(db)
  return new Set(rows.map(({ name }) => name))
}

/** The name of a person, for the names of companions who have none. */
export async function getBringerName(db: Kysely<DB>, userId: number): Promise<string> {
  const row = await db.selectFrom('user_profile').select('display_name').where('id', '=', userId).executeTakeFirst()
  return row?.display_name ?? ''
}
