import type { Kysely } from 'kysely'
import type { DB } from '#platform/db/tables.ts'
import { forgetExpired } from './commands/sessions.ts'

/** Once a day is enough. */
export async function cleanUpSignIn(db: Kysely<DB>, now: Date): Promise<void> {
  await forgetExpired(db, now)
}
