import type { Kysely } from 'kysely'
import type { CommandContext } from '#platform/auth/context.ts'
import { hashSecret, randomSecret } from '#platform/auth/secrets.ts'
import type { DB } from '#platform/db/tables.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { Problem } from '#platform/http/problem.ts'
import { record } from '#platform/journal/journal.ts'
import { attemptWindowStart } from '../rules/attempts.ts'
import { deviceExpiryStart, idleThreshold, SESSION_SECONDS, sessionEnd } from '../rules/sessions.ts'

export type Device = { device: string; userAgent: string }
/** `replacesPerson`: somebody else used this browser before. */
export type NewSession = { sessionId: string; maxAgeSeconds: number; replacesPerson: boolean }
/** How the person has signed in at an identity provider. `hasFactor`: it has stated a second factor that counts. */
export type ProviderProof = { provedAt: Date; hasFactor: boolean }

export const sessionCookie = ({ sessionId, maxAgeSeconds, replacesPerson }: NewSession) => ({
  start: sessionId,
  maxAgeSeconds,
  replacesPerson,
})

const SESSION_ID_LENGTH = 43
const MAX_USER_AGENT_LENGTH = 400

/**
 * Always creates a new id, which prevents session fixation. Ends the previous session of the browser and marks the device
 * as known.
 */
export async function startSession(
  tx: Tx,
  { actor, now }: Pick<CommandContext, 'actor' | 'now'>,
  userId: number,
  by: Device,
  provider?: ProviderProof,
): Promise<NewSession> {
  const sessionId = randomSecret(SESSION_ID_LENGTH)
  const deviceHash = hashSecret(by.device)
  const former = actor.kind === 'user' ? actor.userId : await getLastPerson(tx, deviceHash)
  if (actor.kind === 'user' && actor.via.kind === 'session') await endSession(tx, actor.via.sessionHash)
  await tx
    .insertInto('session')
    .values({
      id_hash: hashSecret(sessionId),
      user_id: userId,
      device_hash: deviceHash,
      user_agent: by.userAgent.slice(0, MAX_USER_AGENT_LENGTH),
      created_at: now,
      last_seen_at: now,
      expires_at: sessionEnd(now),
      proved_at: provider?.provedAt ?? now,
      own_proved_at: provider ? null : now,
      has_provider_factor: provider?.hasFactor ?? false,
    })
    .execute()
  await tx
    .insertInto('known_device')
    .values({ device_hash: deviceHash, user_id: userId, created_at: now, last_used_at: now })
    .onConflict((conflict) => conflict.columns(['device_hash', 'user_id']).doUpdateSet({ last_used_at: now }))
    .execute()
  return { sessionId, maxAgeSeconds: SESSION_SECONDS, replacesPerson: former !== undefined && former !== userId }
}

/** Who used this browser last. */
async function getLastPerson(tx: Tx, deviceHash: Buffer): Promise<number | undefined> {
  const [row] = await tx
    .selectFrom('known_device')
    .select('user_id')
    .where('device_hash', '=', deviceHash)
    .orderBy('last_used_at', 'desc')
    .limit(1)
    .execute()
  return row?.user_id
}

async function endSession(tx: Tx, sessionHash: Buffer): Promise<void> {
  await tx.deleteFrom('session').where('id_hash', '=', sessionHash).execute()
}

export async function signOut({ db, actor }: CommandContext): Promise<void> {
  if (actor.kind !== 'user' || actor.via.kind !== 'session') return
  const { sessionHash } = actor.via
  await transact(db, (tx) => endSession(tx, sessionHash))
}

/** For a new password and for deactivation. `except`: the hash of a session that stays. */
export async function endSessionsOf(tx: Tx, userId: number, { except }: { except?: Buffer | undefined } = {}): Promise<number> {
  // Whoever has entered the former password must not go on with it.
  await tx.deleteFrom('pending_sign_in').where('user_id', '=', userId).execute()
  let sessions = tx.deleteFrom('session').where('user_id', '=', userId)
  if (except) sessions = sessions.where('id_hash', '!=', except)
  const { numDeletedRows } = await sessions.executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** False: the caller has no such session. */
export async function endOwnSession(context: CommandContext, key: string): Promise<boolean> {
  const userId = requirePerson(context)
  return transact(context.db, async (tx) => {
    const row = await tx
      .deleteFrom('session')
      .where('user_id', '=', userId)
      .where('id_hash', '=', Buffer.from(key, 'base64url'))
      .returning('user_id')
      .executeTakeFirst()
    if (row) await recordEnd(tx, context, userId, 1)
    return row !== undefined
  })
}

/** Returns the number of ended sessions. */
export async function endOtherSessions(context: CommandContext): Promise<number> {
  const userId = requirePerson(context)
  return transact(context.db, async (tx) => {
    const count = await endSessionsOf(tx, userId, { except: ownSession(context) })
    if (count) await recordEnd(tx, context, userId, count)
    return count
  })
}

const recordEnd = (tx: Tx, context: CommandContext, userId: number, count: number): Promise<number> =>
  record(tx, context, { kind: 'session.ended', subject: { kind: 'user', id: userId }, changes: { count } })

const ownSession = ({ actor }: CommandContext): Buffer | undefined =>
  actor.kind === 'user' && actor.via.kind === 'session' ? actor.via.sessionHash : undefined

/** Changing an account requires a session; tokens are not enough. */
export function requirePerson(context: CommandContext): number {
  if (context.actor.kind !== 'user' || !ownSession(context)) throw new Problem('permission_denied')
  return context.actor.userId
}

export async function deleteLinksOf(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('one_time_link').where('user_id', '=', userId).execute()
}

/** For the deletion of a person. */
export async function deleteDevicesOf(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('known_device').where('user_id', '=', userId).execute()
}

/** Only saves space: every query checks the times itself. */
export async function deleteExpiredRows(db: Kysely<DB>, now: Date): Promise<void> {
  await transact(db, async (tx) => {
    await tx
      .deleteFrom('session')
      .where((eb) => eb.or([eb('expires_at', '<=', now), eb('last_seen_at', '<=', idleThreshold(now))]))
      .execute()
    await tx.deleteFrom('sign_in_attempt').where('at', '<=', attemptWindowStart(now)).execute()
    await tx
      .deleteFrom('one_time_link')
      .where((eb) => eb.or([eb('expires_at', '<=', now), eb('used_at', 'is not', null)]))
      .execute()
    await tx.deleteFrom('known_device').where('last_used_at', '<=', deviceExpiryStart(now)).execute()
    await tx.deleteFrom('pending_sign_in').where('expires_at', '<=', now).execute()
  })
}
