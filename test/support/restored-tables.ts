import type { Kysely } from 'kysely'
import { findStoredTables, type StoredTable } from '#features/operations/backup/queries/tables.ts'
import type { DB } from '#platform/db/tables.ts'

/**
 * A restored instance begins a new change feed: readers of the former one must not continue with their cursors. Marks of caches name
 * transactions of the server.
 */
const LEFT_OUT = new Set(['change', 'change_feed', 'change_pending', 'cache_mark'])

/** All tables whose rows are the same after a restore. */
export const findRestoredTables = async (db: Kysely<DB>): Promise<StoredTable[]> =>
  (await findStoredTables(db)).filter(({ name }) => !LEFT_OUT.has(name))
