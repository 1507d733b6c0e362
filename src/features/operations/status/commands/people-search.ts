import { type Kysely, sql } from 'kysely'
import type { DB } from '#platform/db/tables.ts'

/** Makes the index for the search for people, if the extension that it needs exists. */
export async function preparePeopleSearch(db: Kysely<DB>): Promise<void> {
  await sql`select prepare_people_search()`.execute(db)
}
