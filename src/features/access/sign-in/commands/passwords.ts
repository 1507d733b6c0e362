import { forgetTrustedDevices } from '#features/access/second-factor/commands/factors.ts'
import { clearAddressFailure } from '#features/accounts/users/commands/address-state.ts'
import { setPassword } from '#features/accounts/users/commands/credentials.ts'
import { accountHooks } from '#features/accounts/users/points.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { hashPassword } from '#platform/auth/passwords.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import { getLinkOwner } from '../queries.ts'
import { checkPasswordRules, type PasswordRefusal } from '../rules/passwords.ts'
import type { LinkPurpose } from '../rules/sessions.ts'
import { getStrength, type Strength } from '../rules/strength.ts'
import { clearFailedAttempts, countAttempt, GUARD, type Guard } from './attempts.ts'
import { queueAccountMail } from './links.ts'
import { enter, type PendingStep } from './second-step.ts'
import { type Device, endSessionsOf, type NewSession, requirePerson, startSession } from './sessions.ts'

type PasswordInput = Device & { current: string; password: string }
export type NewPassword = { ok: true; userId: number; strength: Strength } & NewSession
export type PasswordChange =
  | NewPassword
  | { ok: false; reason: 'current_wrong' | 'password_same' | PasswordRefusal }
  | { ok: false; reason: 'too_many_guesses'; retryAt: Date }

/** Revokes all other credentials, because the old password may have been known to others. */
export async function changePassword(
  context: CommandContext,
  input: PasswordInput,
  { guard = GUARD }: { guard?: Guard } = {},
): Promise<PasswordChange> {
  const userId = requirePerson(context)
  const { displayName: name, email } = context.actor as { displayName: string; email: string }
  const weakness = checkPasswordRules(input.password, { name, email })
  if (weakness) return { ok: false, reason: weakness }
  if (input.password === input.current) return { ok: false, reason: 'password_same' }
  // Prevents guessing the password in an open session.
  const attempt = await countAttempt(context, { email, device: input.device }, guard)
  if ('retryAt' in attempt) return { ok: false, reason: 'too_many_guesses', retryAt: attempt.retryAt }
  const { passwordHash } = attempt.account
  const check = await (passwordHash ? guard.checkPassword(input.current, passwordHash) : guard.checkDecoyPassword(input.current))
  if (!check.ok || !passwordHash) return { ok: false, reason: 'current_wrong' }
  const newHash = await hashPassword(input.password)
  return transact(context.db, async (tx): Promise<PasswordChange> => {
    // Fails if a concurrent request has changed the password.
    const isSet = await setPassword(tx, { userId, at: context.now, checkedHash: passwordHash, newHash })
    if (!isSet) return { ok: false, reason: 'current_wrong' }
    await clearFailedAttempts(tx, attempt.accountHash, input.device)
    await endOthers(tx, context, { userId, by: 'password' })
    // The person has signed in with everything that is needed.
    const session = await startSession(tx, context, userId, input)
    return { ok: true, userId, strength: getStrength(input.password, { name, email }), ...session }
  })
}

/** Revokes all credentials besides the new password. */
async function endOthers(tx: Tx, context: CommandContext, { userId, by }: { userId: number; by: string }): Promise<void> {
  await endSessionsOf(tx, userId)
  await accountHooks.of(context.site).revokeTokens(tx, context, userId)
  await tx.deleteFrom('one_time_link').where('user_id', '=', userId).where('used_at', 'is', null).execute()
  await forgetTrustedDevices(tx, userId)
  await record(tx, context, { kind: 'user.password_changed', subject: { kind: 'user', id: userId }, changes: { by } })
  await queueAccountMail(tx, { kind: 'password_changed', userId, at: context.now.toISOString() })
}

export type LinkInput = Device & { token: string; purpose: LinkPurpose; password: string }
type LinkOutcome =
  | NewPassword
  /** The password is set, and the second factor is still needed. */
  | { ok: true; userId: number; strength: Strength; step: PendingStep }
  | { ok: false; isLinkInvalid: true }
  | { ok: false; isLinkInvalid: false; reason: PasswordRefusal }

const INVALID_LINK: LinkOutcome = { ok: false, isLinkInvalid: true }

/** Of concurrent requests only the first marks the row. Undefined: the link was used or has expired. */
export async function claimLink(tx: Tx, { token, purpose }: LinkInput, now: Date): Promise<number | undefined> {
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

/** Sets a first or a new password and signs the person in, or asks for the second factor. `claim` is a parameter, so that a test can show the race without it. */
export async function setPasswordByLink(
  context: CommandContext,
  input: LinkInput,
  { claim = claimLink }: { claim?: typeof claimLink } = {},
): Promise<LinkOutcome> {
  // Check the link first, so that requests without one cannot cause expensive hashing.
  const owner = await getLinkOwner(context.db, { ...input, now: context.now })
  if (!owner) return INVALID_LINK
  const weakness = checkPasswordRules(input.password, owner)
  if (weakness) return { ok: false, isLinkInvalid: false, reason: weakness }
  const newHash = await hashPassword(input.password)
  return transact(context.db, async (tx): Promise<LinkOutcome> => {
    const userId = await claim(tx, input, context.now)
    if (userId === undefined || !(await setPassword(tx, { userId, at: context.now, newHash }))) return INVALID_LINK
    // The link came by mail, so the address works. Invitations are passed on in other ways.
    if (input.purpose !== 'invitation') await clearAddressFailure(tx, context, userId)
    await endOthers(tx, context, { userId, by: input.purpose })
    const entry = await enter(tx, context, { userId, device: input, next: '/' })
    const result = { ok: true as const, userId, strength: getStrength(input.password, owner) }
    return entry.kind === 'session' ? { ...result, ...entry.session } : { ...result, step: entry.step }
  })
}
