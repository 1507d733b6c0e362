import type { Kysely } from 'kysely'
import type { DB } from '#platform/db/tables.ts'
import { refreshStaleStatistics } from './commands/statistics.ts'

/** Works in small batches, so that sign-ups in the meantime do not wait for locks. */
export async function recomputeStatistics(db: Kysely<DB>): Promise<void> {
  while ((await refreshStaleStatistics(db)) > 0);
}
