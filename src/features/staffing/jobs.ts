import type { Kysely } from 'kysely'
import type { DB } from '#platform/db/tables.ts'
import { refreshStaleStatistics } from './commands/statistics.ts'

/** Goes on until nothing is stale; each round is small, so that people who sign up meanwhile do not wait. */
export async function recomputeStatistics(db: Kysely<DB>, now: Date): Promise<void> {
  while ((await refreshStaleStatistics(db, now)) > 0);
}
