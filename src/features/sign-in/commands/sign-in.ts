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
import { type Account, findGuesses, getAccount } from '../queries.ts'
import { nextGuessAt } from '../rules/guesses.ts'
import { type Device, type NewSession, startSession } from './sessions.ts'

export type SignInInput = Device & { email: string; password: string }
export type SignedIn =
  | ({ ok: true; userId: number } & NewSession)
  | { ok: false; reason: 'wrong' }
  | { ok: false; reason: 'too_many_guesses'; retryAt: Date }

/** What keeps guesses few. A parameter, so that tests can count hashes and see what happens without the lock. */
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

const WRONG: SignedIn = { ok: false, reason: 'wrong' }

/**
 * Unknown, inactive and known accounts get the same work and the same answer. The guess is counted in a transaction of
 * its own, committed before the hash is computed: whatever happens then cannot take it back, and no connection waits
 * for a hash.
 */
export async function signIn(context: CommandContext, input: SignInInput, guard: Guard = GUARD): Promise<SignedIn> {
  if (input.password.length > MAX_PASSWORD_LENGTH) return WRONG
  const guess = await countGuess(context, input, guard)
  if ('retryAt' in guess) return { ok: false, reason: 'too_many_guesses', retryAt: guess.retryAt }
  const { userId, passwordHash } = guess.account
  const check = await (passwordHash
    ? guard.checkPassword(input.password, passwordHash)
    : guard.checkDecoyPassword(input.password))
  if (!check.ok || userId === null || !passwordHash) return WRONG
  const newHash = check.outdated ? await hashPassword(input.password) : passwordHash
  return transact(context.db, async (tx) => {
    // Only if the account is still as it was checked: it may have been deactivated, or the password changed, meanwhile.
    const entered = await recordSignIn(tx, { userId, at: context.now, checkedHash: passwordHash, newHash })
    if (!entered) return WRONG
    await clearFailedAttempts(tx, guess.accountHash, input.device)
    return { ok: true, userId, ...(await startSession(tx, context, userId, input)) }
  })
}

export type Guess = { account: Account; accountHash: Buffer } | { retryAt: Date }

/** Before the hash is computed, so that guesses of one moment cannot all be looked at. */
export async function countGuess(
  { db, now, site }: CommandContext,
  { email, device }: { email: string; device: string },
  guard: Guard,
): Promise<Guess> {
  const deviceHash = hashSecret(device)
  return transact(db, async (tx) => {
    const account = await getAccount(tx, email.trim())
    const accountHash = site.keyring.fingerprint(account.lowerEmail)
    // Guesses of one moment would each see a count without the others: one after another.
    await guard.lockAccount(tx, accountHash)
    const retryAt = nextGuessAt(await findGuesses(tx, { accountHash, deviceHash, userId: account.userId, now }))
    if (retryAt) return { retryAt }
    await tx.insertInto('sign_in_attempt').values({ account_hash: accountHash, device_hash: deviceHash, at: now }).execute()
    return { account, accountHash }
  })
}

/** Whoever knows the password was not guessing. */
export async function clearFailedAttempts(tx: Tx, accountHash: Buffer, device: string): Promise<void> {
  await tx
    .deleteFrom('sign_in_attempt')
    .where('account_hash', '=', accountHash)
    .where('device_hash', '=', hashSecret(device))
    .execute()
}
