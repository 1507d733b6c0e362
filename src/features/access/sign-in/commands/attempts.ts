import { sql } from 'kysely'
import type { CommandContext } from '#platform/auth/context.ts'
import { checkDecoyPassword, checkPassword, type PasswordCheck } from '#platform/auth/passwords.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { type Account, findAttempts, findFactorAttempts, getAccount } from '../queries.ts'
import { nextAttemptAt } from '../rules/attempts.ts'

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

/** One counter for an account on all nodes. Counted and committed before the check, so that concurrent attempts cannot exceed the limit. */
export async function countFactorAttempt(
  { db, now, site }: CommandContext,
  userId: number,
  { lockAccount }: Pick<Guard, 'lockAccount'> = GUARD,
): Promise<{ retryAt: Date } | undefined> {
  const accountHash = factorHash(site, userId)
  return transact(db, async (tx) => {
    await lockAccount(tx, accountHash)
    const retryAt = nextAttemptAt(await findFactorAttempts(tx, accountHash, now))
    if (retryAt) return { retryAt }
    await tx.insertInto('sign_in_attempt').values({ account_hash: accountHash, at: now }).execute()
    return undefined
  })
}

const factorHash = (site: CommandContext['site'], userId: number): Buffer => site.keyring.fingerprint(`second factor\n${userId}`)

export async function clearFactorAttempts(tx: Tx, { site }: CommandContext, userId: number): Promise<void> {
  await tx.deleteFrom('sign_in_attempt').where('account_hash', '=', factorHash(site, userId)).execute()
}
