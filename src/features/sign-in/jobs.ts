import type { Kysely } from 'kysely'
import type { DB } from '#platform/db/tables.ts'
import { guessesCountSince } from './rules/guesses.ts'
import { deviceForgottenSince, idleSince } from './rules/sessions.ts'

/** Removes what counts for nothing any more. Nothing leans on it: every look-up checks times itself. */
export async function cleanUpSignIn(db: Kysely<DB>, now: Date): Promise<void> {
  await db
    .deleteFrom('session')
    .where((eb) => eb.or([eb('expires_at', '<=', now), eb('last_seen_at', '<=', idleSince(now))]))
    .execute()
  await db.deleteFrom('sign_in_attempt').where('at', '<=', guessesCountSince(now)).execute()
  await db
    .deleteFrom('one_time_link')
    .where((eb) => eb.or([eb('expires_at', '<=', now), eb('used_at', 'is not', null)]))
    .execute()
  await db.deleteFrom('known_device').where('last_used_at', '<=', deviceForgottenSince(now)).execute()
}
