import type { Kysely } from 'kysely'
import type { DB } from '#platform/db/tables.ts'
import { finishParticipations } from './commands/finish.ts'

/** One event per transaction, so that others do not wait for its lock. */
export async function finishEndedShifts(db: Kysely<DB>, now: Date): Promise<void> {
  while (await finishParticipations(db, now));
}
