import { type Kysely, sql } from 'kysely'
import { beginRequirement } from '#features/access/second-factor/commands/policy.ts'
import { type FactorRequirement, factorRequirementColumns } from '#features/access/second-factor/queries.ts'
import { factorDueAt } from '#features/access/second-factor/rules.ts'
import { getViewedPerson } from '#features/access/viewing/queries.ts'
import { type ActorRow, actorColumns, actorFrom } from '#features/accounts/users/queries/actor.ts'
import { type CommonSettings, commonSettings } from '#features/operations/settings/queries.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { SessionAuthenticator } from '#platform/auth/authenticator.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import type { Database } from '#platform/db/pool.ts'
import { rowsOf } from '#platform/db/rows.ts'
import { type DatabaseState, labelOfAll, markUnseen, StateCache, stateReader } from '#platform/db/state.ts'
import type { DB } from '#platform/db/tables.ts'
import { attemptWindowEnd, attemptWindowStart, MAX_ATTEMPTS } from './rules/attempts.ts'
import { checkPasswordRules, type PasswordRefusal } from './rules/passwords.ts'
import { idleThreshold, type LinkPurpose, shouldRecordVisit } from './rules/sessions.ts'
import { getStrength, type Strength } from './rules/strength.ts'

export type { LinkPurpose }

type SessionRow = ActorRow &
  FactorRequirement & {
    last_seen_at: Date
    expires_at: Date
    proved_at: Date
    own_proved_at: Date | null
    has_provider_factor: boolean
    is_guardian: boolean
    viewed_id: number | null
    viewed_until: Date | null
    settings: CommonSettings
  }

/** A cached row takes about 1 KB. */
const MOST_SESSIONS = 5_000

type Found = { row: SessionRow; state: DatabaseState | undefined }

/** Reads a session, unless nothing was written since it was read. `state`: in which the row was read, if it is known. */
function sessionReader(db: Database): (sessionHash: Buffer, now: Date) => Promise<Found | undefined> {
  const known = new StateCache<SessionRow | undefined>(MOST_SESSIONS)
  const reader = stateReader(db)
  const isValid = (row: SessionRow, now: Date) => row.expires_at > now && row.last_seen_at > idleThreshold(now)
  return async (sessionHash, now) => {
    const key = sessionHash.toString('base64')
    const load = () => readSession(db.read, sessionHash, now)
    if (known.has(key) && reader.isQuiet()) {
      const state = await reader.read()
      const row = await known.get(key, state.anything, load)
      // It may have been seen by another node meanwhile, which ends nothing that is cached.
      if (row && isValid(row, now)) return { row, state }
    }
    const row = await load()
    if (!row) {
      // Made-up sessions must not fill the cache.
      known.delete(key)
      return undefined
    }
    const state = reader.at(row)
    void known.get(key, state?.anything ?? 'unknown', async () => row)
    return { row, state }
  }
}

const readSession = (db: Kysely<DB>, sessionHash: Buffer, now: Date): Promise<SessionRow | undefined> =>
  rowsOf(db).first(sql<SessionRow>`
    select s.last_seen_at, s.expires_at, coalesce(s.proved_at, s.created_at) as proved_at, s.own_proved_at, s.has_provider_factor,
      exists (select from guardianship g where g.guardian_id = u.id) as is_guardian,
      v.user_id as viewed_id, v.expires_at as viewed_until, ${factorRequirementColumns}, ${actorColumns}, ${commonSettings} as settings
    from session s join user_profile u on u.id = s.user_id left join viewing v on v.session_hash = s.id_hash and v.expires_at > ${now}
    where s.id_hash = ${sessionHash} and s.expires_at > ${now} and s.last_seen_at > ${idleThreshold(now)} and u.is_active`)

/**
 * One query at most. Ended and idle sessions and sessions of inactive people are refused. `onSettings`: gets the settings that every page
 * needs and that take no statement of their own here.
 */
export function authenticateSession(db: Database, onSettings: (stored: CommonSettings) => void = () => {}): SessionAuthenticator {
  const find = sessionReader(db)
  return async (sessionId, now, { extendsSession } = { extendsSession: true }) => {
    const sessionHash = hashSecret(sessionId)
    const found = await find(sessionHash, now)
    if (!found) return undefined
    const { row, state } = found
    onSettings(row.settings)
    if (extendsSession && shouldRecordVisit(row.last_seen_at, now)) recordVisit(db, sessionHash, row, now)
    // A second factor at the provider is as good as one here, for this session.
    const dueAt = row.has_provider_factor ? undefined : factorDueAt({ graceDays: row.grace_days, since: row.required_since }, now)
    if (dueAt && !row.required_since) beginRequirement(db, row.user_id, now)
    const due = dueAt ? { factorDueAt: dueAt } : {}
    const own = row.own_proved_at ? { ownProvedAt: row.own_proved_at } : {}
    const actor = {
      ...actorFrom(row, { kind: 'session', sessionHash, provedAt: row.proved_at, ...own, ...due }),
      isGuardian: row.is_guardian,
    }
    const isViewing = row.viewed_id !== null && row.viewed_until! > now && !dueAt
    const viewed = isViewing ? await getViewedPerson(db.read, actor, row.viewed_id!, row.viewed_until!) : undefined
    if (viewed) return viewed
    return state === undefined ? actor : { ...actor, eventsState: labelOfAll(state)!, storedState: state.anything }
  }
}

/** Not awaited: the response does not depend on it, and the next request writes it again. The cached row follows, as the write ends nothing. */
function recordVisit(db: Database, sessionHash: Buffer, row: SessionRow, now: Date): void {
  const before = row.last_seen_at
  row.last_seen_at = now
  const writing = sql`
    with ${markUnseen} update session set last_seen_at = ${now} where id_hash = ${sessionHash} and last_seen_at < ${now}`.execute(
    db.write,
  )
  writing.catch(() => {
    row.last_seen_at = before
  })
}

export type Account = { lowerEmail: string; userId: number | null; passwordHash: string | null }

/**
 * The account of an entered e-mail address or user name, and its address in lower case, under which attempts are counted: an account with
 * both names has one counter. The database converts it: if our conversion differed for some letter, there would be two counters, too.
 */
export async function getAccount(db: Kysely<DB>, email: string): Promise<Account> {
  return rowsOf(db).one(sql<Account>`
    select coalesce(lower(u.email), entered.name) as "lowerEmail", u.id as "userId", u.password_hash as "passwordHash"
    from (select lower(${email}::text) as name) entered
    left join user_profile u on (lower(u.email) = entered.name or lower(u.username) = entered.name) and not u.is_service_account`)
}

/** Attempts of this device at this account, newest first. Unknown devices share one counter. */
export async function findAttempts(
  db: Kysely<DB>,
  { accountHash, deviceHash, userId, now }: { accountHash: Buffer; deviceHash: Buffer; userId: number | null; now: Date },
): Promise<Date[]> {
  const isKnown = sql<boolean>`exists (select from known_device k where k.user_id = ${userId} and k.device_hash = ${deviceHash})`
  const isOfUnknown = sql<boolean>`not exists (select from known_device k where k.user_id = ${userId} and k.device_hash = a.device_hash)`
  const { rows } = await sql<{ at: Date }>`
    select a.at from sign_in_attempt a
    where a.account_hash = ${accountHash} and a.at > ${attemptWindowStart(now)} and a.at <= ${attemptWindowEnd(now)}
      and case when ${isKnown} then a.device_hash = ${deviceHash} else ${isOfUnknown} end
    order by a.at desc limit ${MAX_ATTEMPTS}`.execute(db)
  return rows.map(({ at }) => at)
}

/** Attempts to prove the second factor, newest first. */
export async function findFactorAttempts(db: Kysely<DB>, accountHash: Buffer, now: Date): Promise<Date[]> {
  const rows = await db
    .selectFrom('sign_in_attempt')
    .select('at')
    .where('account_hash', '=', accountHash)
    .where('at', '>', attemptWindowStart(now))
    .where('at', '<=', attemptWindowEnd(now))
    .orderBy('at', 'desc')
    .limit(MAX_ATTEMPTS)
    .execute()
  return rows.map(({ at }) => at)
}

export type PendingSignIn = {
  idHash: Buffer
  userId: number
  external: { identityProviderId: number; idTokenSealed: string } | undefined
}

/** Undefined: there is none, it has expired, or it belongs to another browser. */
export async function getPendingSignIn(
  db: Kysely<DB>,
  { pendingId, device, now }: { pendingId: string | undefined; device: string; now: Date },
): Promise<PendingSignIn | undefined> {
  if (!pendingId) return undefined
  const row = await db
    .selectFrom('pending_sign_in as p')
    .innerJoin('user_profile as u', 'u.id', 'p.user_id')
    .select(['p.id_hash', 'p.user_id', 'p.identity_provider_id', 'p.id_token_sealed'])
    .where('p.id_hash', '=', hashSecret(pendingId))
    .where('p.device_hash', '=', hashSecret(device))
    .where('p.expires_at', '>', now)
    .where('u.is_active', '=', true)
    .executeTakeFirst()
  if (!row) return undefined
  const { identity_provider_id: identityProviderId, id_token_sealed: idTokenSealed } = row
  const external = identityProviderId !== null && idTokenSealed !== null ? { identityProviderId, idTokenSealed } : undefined
  return { idHash: row.id_hash, userId: row.user_id, external }
}

export type OwnSession = { key: string; userAgent: string; lastSeenAt: Date; createdAt: Date; isThis: boolean }

/** The caller's devices, the current one first, then by last visit. The key identifies a session but does not authenticate. */
export async function findOwnSessions({ db, actor, now }: RequestContext): Promise<OwnSession[]> {
  if (actor.kind !== 'user' || actor.via.kind !== 'session') return []
  const { sessionHash } = actor.via
  const rows = await db
    .selectFrom('session')
    .select(['id_hash', 'user_agent', 'last_seen_at', 'created_at'])
    .where('user_id', '=', actor.userId)
    .where('expires_at', '>', now)
    .where('last_seen_at', '>', idleThreshold(now))
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

type LinkOwner = {
  userId: number
  name: string
  /** What the person signs in with. */
  email: string
}

/** Undefined if the link is used, expired or belongs to an inactive person. */
export async function getLinkOwner(
  db: Kysely<DB>,
  { token, purpose, now }: { token: string; purpose: LinkPurpose; now: Date },
): Promise<LinkOwner | undefined> {
  return db
    .selectFrom('one_time_link as l')
    .innerJoin('user_profile as u', 'u.id', 'l.user_id')
    .select(['u.id as userId', 'u.display_name as name'])
    .select(
      sql<string>`case when u.email like '%@no-address.invalid' then coalesce(u.username, u.email) else u.email end`.as('email'),
    )
    .where('l.token_hash', '=', hashSecret(token))
    .where('l.purpose', '=', purpose)
    .where('l.used_at', 'is', null)
    .where('l.expires_at', '>', now)
    .where('u.is_active', '=', true)
    .executeTakeFirst()
}

export const hasPeople = (db: Kysely<DB>): Promise<boolean> => rowsOf(db).exists(sql`select from user_profile`)

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

/** The link works once, for a day, and only while there is no administrator. */
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

export function getPasswordHint(actor: Actor, password: string): { strength: Strength; weakness: PasswordRefusal | undefined } {
  const owner = actor.kind === 'user' ? { name: actor.displayName, email: actor.email } : { name: '', email: '' }
  return { strength: getStrength(password, owner), weakness: checkPasswordRules(password, owner) }
}
