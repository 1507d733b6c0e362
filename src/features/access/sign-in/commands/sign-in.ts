import { acceptPassword } from '#features/accounts/users/commands/credentials.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { hashPassword, MAX_PASSWORD_LENGTH } from '#platform/auth/passwords.ts'
import { transact } from '#platform/db/transaction.ts'
import { clearFailedAttempts, countAttempt, GUARD, type Guard } from './attempts.ts'
import { enter, type PendingStep } from './second-step.ts'
import type { Device, NewSession } from './sessions.ts'

type SignInInput = Device & { email: string; password: string; next?: string }
type SignInOutcome =
  | ({ ok: true; userId: number } & NewSession)
  | { ok: false; reason: 'second_step'; step: PendingStep }
  | { ok: false; reason: 'wrong' }
  | { ok: false; reason: 'too_many_guesses'; retryAt: Date }

const WRONG: SignInOutcome = { ok: false, reason: 'wrong' }

/**
 * Unknown, inactive and known accounts cause the same work and the same response. The attempt is counted and committed
 * before the hash is computed, so that it counts in any case and no database connection waits for a hash.
 */
export async function signIn(context: CommandContext, input: SignInInput, guard: Guard = GUARD): Promise<SignInOutcome> {
  if (input.password.length > MAX_PASSWORD_LENGTH) return WRONG
  const attempt = await countAttempt(context, input, guard)
  if ('retryAt' in attempt) return { ok: false, reason: 'too_many_guesses', retryAt: attempt.retryAt }
  const { userId, passwordHash } = attempt.account
  const check = await (passwordHash
    ? guard.checkPassword(input.password, passwordHash)
    : guard.checkDecoyPassword(input.password))
  if (!check.ok || userId === null || !passwordHash) return WRONG
  const newHash = check.outdated ? await hashPassword(input.password) : passwordHash
  return transact(context.db, async (tx) => {
    // Fails if the account was deactivated or its password changed while the hash was computed.
    if (!(await acceptPassword(tx, { userId, checkedHash: passwordHash, newHash }))) return WRONG
    await clearFailedAttempts(tx, attempt.accountHash, input.device)
    const entry = await enter(tx, context, { userId, device: input, next: input.next ?? '/' })
    if (entry.kind === 'second_step') return { ok: false, reason: 'second_step', step: entry.step }
    return { ok: true, userId, ...entry.session }
  })
}
