import { setPassword } from '#features/users/commands/credentials.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { hashPassword } from '#platform/auth/passwords.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import { getLinkOwner } from '../queries.ts'
import { judgePassword, type PasswordRefusal } from '../rules/passwords.ts'
import type { LinkPurpose } from '../rules/sessions.ts'
import { type Strength, strengthOf } from '../rules/strength.ts'
import { queueAccountMail } from './links.ts'
import { type Device, endSessionsOf, type NewSession, requirePerson, startSession } from './sessions.ts'
import { clearFailedAttempts, countGuess, GUARD, type Guard } from './sign-in.ts'

/** Tokens of all kinds: other features keep them, and the plan of the house hands in what ends them. */
export type EndCredentials = (tx: Tx, context: CommandContext, userId: number) => Promise<void>

export type PasswordWish = Device & { current: string; password: string }
export type NewPassword = { ok: true; userId: number; strength: Strength } & NewSession
export type Changed =
  | NewPassword
  | { ok: false; reason: 'current_wrong' | 'password_same' | PasswordRefusal }
  | { ok: false; reason: 'too_many_guesses'; retryAt: Date }

/** Ends whatever else could act for the person: who changes a password may do so because somebody else knows it. */
export async function changePassword(
  context: CommandContext,
  wish: PasswordWish,
  { endCredentials, guard = GUARD }: { endCredentials: EndCredentials; guard?: Guard },
): Promise<Changed> {
  const userId = requirePerson(context)
  const { displayName: name, email } = context.actor as { displayName: string; email: string }
  const weakness = judgePassword(wish.password, { name, email })
  if (weakness) return { ok: false, reason: weakness }
  if (wish.password === wish.current) return { ok: false, reason: 'password_same' }
  // A session that was left open must not become a place to guess passwords at.
  const guess = await countGuess(context, { email, device: wish.device }, guard)
  if ('retryAt' in guess) return { ok: false, reason: 'too_many_guesses', retryAt: guess.retryAt }
  const { passwordHash } = guess.account
  const check = await (passwordHash ? guard.checkPassword(wish.current, passwordHash) : guard.checkDecoyPassword(wish.current))
  if (!check.ok || !passwordHash) return { ok: false, reason: 'current_wrong' }
  const newHash = await hashPassword(wish.password)
  return transact(context.db, async (tx): Promise<Changed> => {
    // Of two changes at once the later one is checked against a password that is no longer there.
    const isSet = await setPassword(tx, { userId, at: context.now, checkedHash: passwordHash, newHash })
    if (!isSet) return { ok: false, reason: 'current_wrong' }
    await clearFailedAttempts(tx, guess.accountHash, wish.device)
    const session = await startAnew(tx, context, { userId, by: 'password', device: wish, endCredentials })
    return { ok: true, userId, strength: strengthOf(wish.password, { name, email }), ...session }
  })
}

/** Everything that acted for the person ends, and this browser goes on under a new id. */
async function startAnew(
  tx: Tx,
  context: CommandContext,
  { userId, by, device, endCredentials }: { userId: number; by: string; device: Device; endCredentials: EndCredentials },
): Promise<NewSession> {
  await endSessionsOf(tx, userId)
  await endCredentials(tx, context, userId)
  await tx.deleteFrom('one_time_link').where('user_id', '=', userId).where('used_at', 'is', null).execute()
  const session = await startSession(tx, context, userId, device)
  await record(tx, context, { kind: 'user.password_changed', subject: { kind: 'user', id: userId }, changes: { by } })
  await queueAccountMail(tx, { kind: 'password_changed', userId, at: context.now.toISOString() })
  return session
}

export type LinkWish = Device & { token: string; purpose: LinkPurpose; password: string }
export type SetByLink = NewPassword | { ok: false; isLinkDead: true } | { ok: false; isLinkDead: false; reason: PasswordRefusal }

const DEAD_LINK: SetByLink = { ok: false, isLinkDead: true }

/** Of uses at one moment the first marks the row, and the others find it marked. Undefined: it was used, or is too old. */
export async function claimLink(tx: Tx, { token, purpose }: LinkWish, now: Date): Promise<number | undefined> {
  const row = await tx
    .updateTable('one_time_link')
    .set({ used_at: now })
    .where('token_hash', '=', hashSecret(token))
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('user_id')
    .executeTakeFirst()
  return row?.user_id ?? undefined
}

/** A first password, or a new one for somebody who forgot theirs; signs them in. The claim is a parameter for its twin test. */
export async function setPasswordByLink(
  context: CommandContext,
  wish: LinkWish,
  { endCredentials, claim = claimLink }: { endCredentials: EndCredentials; claim?: typeof claimLink },
): Promise<SetByLink> {
  // First: nobody without a link makes us compute a hash.
  const owner = await getLinkOwner(context.db, { ...wish, now: context.now })
  if (!owner) return DEAD_LINK
  const weakness = judgePassword(wish.password, owner)
  if (weakness) return { ok: false, isLinkDead: false, reason: weakness }
  const newHash = await hashPassword(wish.password)
  return transact(context.db, async (tx): Promise<SetByLink> => {
    const userId = await claim(tx, wish, context.now)
    if (userId === undefined || !(await setPassword(tx, { userId, at: context.now, newHash, entered: true }))) return DEAD_LINK
    const session = await startAnew(tx, context, { userId, by: wish.purpose, device: wish, endCredentials })
    return { ok: true, userId, strength: strengthOf(wish.password, owner), ...session }
  })
}
