import { type Kysely, sql } from 'kysely'
import { type ActorRow, actorColumns, actorFrom } from '#features/users/queries/actor.ts'
import type { SessionAuthenticator } from '#platform/auth/authenticator.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import type { Database } from '#platform/db/pool.ts'
import type { DB } from '#platform/db/tables.ts'
import { GUESSES, guessesCountSince } from './rules/guesses.ts'
import { idleSince, shouldNoteVisit } from './rules/sessions.ts'

type SessionRow = ActorRow & { last_seen_at: Date }

/** Who a session id belongs to, by one look-up; ended, idle and inactive people's ones belong to nobody. */
export function authenticateSession(db: Database): SessionAuthenticator {
  return async (sessionId, now) => {
    const sessionHash = hashSecret(sessionId)
    const { rows } = await sql<SessionRow>`
      select s.last_seen_at, ${actorColumns}
      from session s join user_profile u on u.id = s.user_id
      where s.id_hash = ${sessionHash} and s.expires_at > ${now} and s.last_seen_at > ${idleSince(now)} and u.is_active`.execute(
      db.read,
    )
    const row = rows[0]
    if (!row) return undefined
    if (shouldNoteVisit(row.last_seen_at, now)) noteVisit(db, sessionHash, now)
    return actorFrom(row, { kind: 'session', sessionHash })
  }
}

/** Not awaited: the answer does not depend on it, and if it fails, the next request tries again. */
function noteVisit(db: Database, sessionHash: Buffer, now: Date): void {
  db.write
    .updateTable('session')
    .set({ last_seen_at: now })
    .where('id_hash', '=', sessionHash)
    .where('last_seen_at', '<', now)
    .execute()
    .catch(() => {})
}

export type Account = { lowerEmail: string; userId: number | null; passwordHash: string | null }

/**
 * Whom a typed address means, and the address as accounts are told apart by it. Both by the database's idea of
 * lower case: if ours differed for some letter, one account would have two counts of guesses.
 */
export async function getAccount(db: Kysely<DB>, email: string): Promise<Account> {
  const { rows } = await sql<Account>`
    select typed.lower_email as "lowerEmail", u.id as "userId", u.password_hash as "passwordHash"
    from (select lower(${email}::text) as lower_email) typed
    left join user_profile u on lower(u.email) = typed.lower_email`.execute(db)
  return rows[0]!
}

/** Guesses that count for this device at this account, newest first. Unknown devices share one count. */
export async function findGuesses(
  db: Kysely<DB>,
  { accountHash, deviceHash, userId, now }: { accountHash: Buffer; deviceHash: Buffer; userId: number | null; now: Date },
): Promise<Date[]> {
  const isKnown = sql<boolean>`exists (select from known_device k where k.user_id = ${userId} and k.device_hash = ${deviceHash})`
  const isOfUnknown = sql<boolean>`not exists (select from known_device k where k.user_id = ${userId} and k.device_hash = a.device_hash)`
  const { rows } = await sql<{ at: Date }>`
    select a.at from sign_in_attempt a
    where a.account_hash = ${accountHash} and a.at > ${guessesCountSince(now)}
      and case when ${isKnown} then a.device_hash = ${deviceHash} else ${isOfUnknown} end
    order by a.at desc limit ${GUESSES}`.execute(db)
  return rows.map(({ at }) => at)
}

export async function hasActiveStaff(db: Kysely<DB>): Promise<boolean> {
  const row = await db
    .selectFrom('user_profile')
    .select('id')
    .where('is_active', '=', true)
    .where((eb) => eb.or([eb('is_staff', '=', true), eb('is_superuser', '=', true)]))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The link works once, for a day, and only as long as nobody else administers. */
export async function isFirstAdministratorLink(db: Kysely<DB>, token: string, now: Date): Promise<boolean> {
  const link = await db
    .selectFrom('one_time_link')
    .select('token_hash')
    .where('token_hash', '=', hashSecret(token))
    .where('purpose', '=', 'first_administrator')
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return link !== undefined && !(await hasActiveStaff(db))
}
