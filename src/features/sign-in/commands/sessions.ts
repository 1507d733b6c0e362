import type { Kysely } from 'kysely'
import type { CommandContext } from '#platform/auth/context.ts'
import { hashSecret, randomSecret } from '#platform/auth/secrets.ts'
import type { DB } from '#platform/db/tables.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { Problem } from '#platform/http/problem.ts'
import { record } from '#platform/journal/journal.ts'
import { guessesCountSince } from '../rules/guesses.ts'
import { deviceForgottenSince, idleSince, SESSION_SECONDS, sessionEnd } from '../rules/sessions.ts'

/** The browser that somebody signs in with. */
export type Device = { device: string; userAgent: string }
export type NewSession = { sessionId: string; maxAgeSeconds: number }

const SESSION_ID_LENGTH = 43
const LONGEST_USER_AGENT = 400

/**
 * Always under a new id, never under one that the browser brought: somebody else could have planted it. The session that
 * the browser had ends. The device is known from now on.
 */
export async function startSession(tx: Tx, { actor, now }: CommandContext, userId: number, by: Device): Promise<NewSession> {
  const sessionId = randomSecret(SESSION_ID_LENGTH)
  const deviceHash = hashSecret(by.device)
  if (actor.kind === 'user' && actor.via.kind === 'session') await endSession(tx, actor.via.sessionHash)
  await tx
    .insertInto('session')
    .values({
      id_hash: hashSecret(sessionId),
      user_id: userId,
      device_hash: deviceHash,
      user_agent: by.userAgent.slice(0, LONGEST_USER_AGENT),
      created_at: now,
      last_seen_at: now,
      expires_at: sessionEnd(now),
    })
    .execute()
  await tx
    .insertInto('known_device')
    .values({ device_hash: deviceHash, user_id: userId, created_at: now, last_used_at: now })
    .onConflict((conflict) => conflict.columns(['device_hash', 'user_id']).doUpdateSet({ last_used_at: now }))
    .execute()
  return { sessionId, maxAgeSeconds: SESSION_SECONDS }
}

async function endSession(tx: Tx, sessionHash: Buffer): Promise<void> {
  await tx.deleteFrom('session').where('id_hash', '=', sessionHash).execute()
}

export async function signOut({ db, actor }: CommandContext): Promise<void> {
  if (actor.kind !== 'user' || actor.via.kind !== 'session') return
  const { sessionHash } = actor.via
  await transact(db, (tx) => endSession(tx, sessionHash))
}

/** For what ends sessions besides signing out: a new password, a deactivation. `except` is the hash of one that stays. */
export async function endSessionsOf(tx: Tx, userId: number, { except }: { except?: Buffer | undefined } = {}): Promise<number> {
  let sessions = tx.deleteFrom('session').where('user_id', '=', userId)
  if (except) sessions = sessions.where('id_hash', '!=', except)
  const { numDeletedRows } = await sessions.executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** Signs another device out, or this one. False: there is no such session of theirs any more. */
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

/** Signs all other devices out, and tells how many there were. */
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

/** Accounts are for people who are here themselves: a token changes nothing about them. */
export function requirePerson(context: CommandContext): number {
  if (context.actor.kind !== 'user' || !ownSession(context)) throw new Problem('permission_denied')
  return context.actor.userId
}

/** Links that were mailed to somebody work no longer. */
export async function deleteLinksOf(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('one_time_link').where('user_id', '=', userId).execute()
}

/** Somebody is deleted: no browser knows them any more. */
export async function deleteDevicesOf(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('known_device').where('user_id', '=', userId).execute()
}

/** Removes what counts for nothing any more. Nothing leans on it: every look-up checks the times itself. */
export async function deleteExpiredRows(db: Kysely<DB>, now: Date): Promise<void> {
  await transact(db, async (tx) => {
    await tx
      .deleteFrom('session')
      .where((eb) => eb.or([eb('expires_at', '<=', now), eb('last_seen_at', '<=', idleSince(now))]))
      .execute()
    await tx.deleteFrom('sign_in_attempt').where('at', '<=', guessesCountSince(now)).execute()
    await tx
      .deleteFrom('one_time_link')
      .where((eb) => eb.or([eb('expires_at', '<=', now), eb('used_at', 'is not', null)]))
      .execute()
    await tx.deleteFrom('known_device').where('last_used_at', '<=', deviceForgottenSince(now)).execute()
  })
}
