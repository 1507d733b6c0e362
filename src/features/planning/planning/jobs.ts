import type { Kysely } from 'kysely'
import type { DB } from '#platform/db/tables.ts'
import { emptyBin } from './commands/bin.ts'

/** Deletes in batches, each in its own transaction. */
export async function cleanBin(db: Kysely<DB>, now: Date): Promise<void> {
  while ((await emptyBin(db, now)) > 0);
}
