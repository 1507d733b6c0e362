import { type Kysely, sql } from 'kysely'
import type { DB } from './tables.ts'

/**
 * Reads whose statements may take longer than those of other requests, for a page that shows progress meanwhile. A transaction, because the
 * limit must not stay on the connection. Within a transaction the limit of that one counts.
 */
export async function readLong<T>(db: Kysely<DB>, limitMs: number, read: (db: Kysely<DB>) => Promise<T>): Promise<T> {
  if (db.isTransaction) return read(db)
  return db
    .transaction()
    .setAccessMode('read only')
    .execute(async (tx) => {
      await sql`select set_config('statement_timeout', ${String(limitMs)}, true)`.execute(tx)
      return read(tx)
    })
}
