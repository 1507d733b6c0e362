import type { Kysely } from 'kysely'
import type { DB } from '#platform/db/tables.ts'
import { emptyBin } from './commands/bin.ts'

/** Goes on until nothing is old enough; each round is a transaction of its own. */
export async function cleanBin(db: Kysely<DB>, now: Date): Promise<void> {
  while ((await emptyBin(db, now)) > 0);
}
