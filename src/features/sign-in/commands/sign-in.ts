import { sql } from 'kysely'
import { recordSignIn } from '#features/users/commands/credentials.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import {
  checkDecoyPassword,
  checkPassword,
  hashPassword,
  MAX_PASSWORD_LENGTH,
  type PasswordCheck,
} from '#platform/auth/passwords.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { type Account, findAttempts, getAccount } from '../queries.ts'
import { nextAttemptAt } from '../rules/attempts.ts'
import { type Device, type NewSession, startSession } from './sessions.ts'

type SignInInput = Device & { email: string; password: string }
type SignInOutcome =
  | ({ ok: true; userId: number } & NewSession)
  | { ok: false; reason: 'wrong' }
  | { ok: false; reason: 'too_many_guesses'; retryAt: Date }

/** Limits sign-in attempts. A parameter, so that tests can count hashes and show the race without the lock. */
export type Guard = {
  lockAccount: (tx: Tx, accountHash: Buffer) => Promise<void>
  checkPassword: (password: string, stored: string) => Promise<PasswordCheck>
  checkDecoyPassword: (password: string) => Promise<PasswordCheck>
}

export const GUARD: Guard = {
  lockAccount: async (tx, accountHash) => {
    await sql`select pg_advisory_xact_lock(${accountHash.readBigInt64BE()})`.execute(tx)
  },
  checkPassword,
  checkDecoyPassword,
}

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
    const entered = await recordSignIn(tx, { userId, at: context.now, checkedHash: passwordHash, newHash })
    if (!entered) return WRONG
    await clearFailedAttempts(tx, attempt.accountHash, input.device)
    return { ok: true, userId, ...(await startSession(tx, context, userId, input)) }
  })
}

type Attempt = { account: Account; accountHash: Buffer } | { retryAt: Date }

/** Call it before the hash is computed, so that concurrent attempts cannot exceed the limit. */
export async function countAttempt(
  { db, now, site }: CommandContext,
  { email, device }: { email: string; device: string },
  guard: Guard,
): Promise<Attempt> {
  const deviceHash = hashSecret(device)
  return transact(db, async (tx) => {
    const account = await getAccount(tx, email.trim())
    const accountHash = site.keyring.fingerprint(account.lowerEmail)
    // Without the lock, concurrent attempts would not see each other.
    await guard.lockAccount(tx, accountHash)
    const retryAt = nextAttemptAt(await findAttempts(tx, { accountHash, deviceHash, userId: account.userId, now }))
    if (retryAt) return { retryAt }
    await tx.insertInto('sign_in_attempt').values({ account_hash: accountHash, device_hash: deviceHash, at: now }).execute()
    return { account, accountHash }
  })
}

/** After a successful sign-in. */
export async function clearFailedAttempts(tx: Tx, accountHash: Buffer, device: string): Promise<void> {
  await tx
    .deleteFrom('sign_in_attempt')
    .where('account_hash', '=', accountHash)
    .where('device_hash', '=', hashSecret(device))
    .execute()
}
