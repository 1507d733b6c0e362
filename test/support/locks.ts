import { type Kysely, sql } from 'kysely'
import type { DB } from '#platform/db/tables.ts'

/** Returns when so many statements of this database wait for a lock. */
export async function untilSomebodyWaits(db: Kysely<DB>, count = 1): Promise<void> {
  for (;;) {
    const { rows } = await sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    if (rows.length >= count) return
  }
}
