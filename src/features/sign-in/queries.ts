import { type Kysely, sql } from 'kysely'
import { type ActorRow, actorColumns, actorFrom } from '#features/users/queries/actor.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { SessionAuthenticator } from '#platform/auth/authenticator.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import type { Database } from '#platform/db/pool.ts'
import type { DB } from '#platform/db/tables.ts'
import { GUESSES, guessesCountSince, RESETS } from './rules/guesses.ts'
import { judgePassword, type PasswordRefusal } from './rules/passwords.ts'
import { idleSince, type LinkPurpose, shouldNoteVisit } from './rules/sessions.ts'
import { type Strength, strengthOf } from './rules/strength.ts'

export type { LinkPurpose }

type SessionRow = ActorRow & { last_seen_at: Date }

/** Who a session id belongs to, by one look-up; ended, idle and inactive people's ones belong to nobody. */
export function authenticateSession(db: Database): SessionAuthenticator {
  return async (sessionId, now, { extendsSession } = { extendsSession: true }) => {
    const sessionHash = hashSecret(sessionId)
    const { rows } = await sql<SessionRow>`
      select s.last_seen_at, ${actorColumns}
      from session s join user_profile u on u.id = s.user_id
      where s.id_hash = ${sessionHash} and s.expires_at > ${now} and s.last_seen_at > ${idleSince(now)} and u.is_active`.execute(
      db.read,
    )
    const row = rows[0]
    if (!row) return undefined
    if (extendsSession && shouldNoteVisit(row.last_seen_at, now)) noteVisit(db, sessionHash, now)
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

/** When links for a new password were asked for with this address, newest first. */
export async function findResetRequests(db: Kysely<DB>, addressHash: Buffer, now: Date): Promise<Date[]> {
  const rows = await db
    .selectFrom('sign_in_attempt')
    .select('at')
    .where('account_hash', '=', addressHash)
    .where('at', '>', guessesCountSince(now))
    .orderBy('at', 'desc')
    .limit(RESETS)
    .execute()
  return rows.map(({ at }) => at)
}

export type OwnSession = { key: string; userAgent: string; lastSeenAt: Date; createdAt: Date; isThis: boolean }

/** The caller's devices, this one first, then by their last visit. The key names a session and opens none. */
export async function findOwnSessions({ db, actor, now }: RequestContext): Promise<OwnSession[]> {
  if (actor.kind !== 'user' || actor.via.kind !== 'session') return []
  const { sessionHash } = actor.via
  const rows = await db
    .selectFrom('session')
    .select(['id_hash', 'user_agent', 'last_seen_at', 'created_at'])
    .where('user_id', '=', actor.userId)
    .where('expires_at', '>', now)
    .where('last_seen_at', '>', idleSince(now))
    .orderBy((eb) => eb('id_hash', '=', sessionHash), 'desc')
    .orderBy('last_seen_at', 'desc')
    .orderBy('id_hash')
    .execute()
  return rows.map((row) => ({
    key: row.id_hash.toString('base64url'),
    userAgent: row.user_agent,
    lastSeenAt: row.last_seen_at,
    createdAt: row.created_at,
    isThis: row.id_hash.equals(sessionHash),
  }))
}

export type LinkOwner = { userId: number; name: string; email: string }

/** Whose link it is, as long as it works: once, for a time, for active people. */
export async function getLinkOwner(
  db: Kysely<DB>,
  { token, purpose, now }: { token: string; purpose: LinkPurpose; now: Date },
): Promise<LinkOwner | undefined> {
  return db
    .selectFrom('one_time_link as l')
    .innerJoin('user_profile as u', 'u.id', 'l.user_id')
    .select(['u.id as userId', 'u.display_name as name', 'u.email'])
    .where('l.token_hash', '=', hashSecret(token))
    .where('l.purpose', '=', purpose)
    .where('l.used_at', 'is', null)
    .where('l.expires_at', '>', now)
    .where('u.is_active', '=', true)
    .executeTakeFirst()
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

/** How good a password would be for this person, and what is wrong with it. */
export function getPasswordHint(actor: Actor, password: string): { strength: Strength; weakness: PasswordRefusal | undefined } {
  const owner = actor.kind === 'user' ? { name: actor.displayName, email: actor.email } : { name: '', email: '' }
  return { strength: strengthOf(password, owner), weakness: judgePassword(password, owner) }
}
