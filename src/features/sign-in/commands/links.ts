import { type Kysely, sql } from 'kysely'
import type { CommandContext } from '#platform/auth/context.ts'
import { hashSecret, randomSecret } from '#platform/auth/secrets.ts'
import type { DB } from '#platform/db/tables.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import { findResetRequests, getAccount } from '../queries.ts'
import { MAX_RESET_MAILS, nextAttemptAt } from '../rules/attempts.ts'
import { type LinkPurpose, mailLinkEnd } from '../rules/sessions.ts'
import { ACCOUNT_MAIL_TASK, type AccountMail } from '../schema.ts'
import { GUARD, type Guard } from './sign-in.ts'

const TOKEN_LENGTH = 43

/** Call it in the transaction of the change. The job contains no link: it is created when the mail is sent. */
export async function queueAccountMail(tx: Tx, mail: AccountMail): Promise<void> {
  await sql`select graphile_worker.add_job(${ACCOUNT_MAIL_TASK}, ${JSON.stringify(mail)}::json)`.execute(tx)
}

type ResetOutcome = { ok: true } | { ok: false; retryAt: Date }

/**
 * Known and unknown addresses cause the same work and the same response, so that accounts cannot be probed. The job looks
 * up the address later. The payload contains it sealed, because it may belong to anyone.
 */
export async function requestReset(
  { db, now, site }: CommandContext,
  { email }: { email: string },
  { lockAccount }: Pick<Guard, 'lockAccount'> = GUARD,
): Promise<ResetOutcome> {
  return transact(db, async (tx) => {
    const { lowerEmail } = await getAccount(tx, email)
    // Counted separately from sign-in attempts: requests for links must not lock the account.
    const addressHash = site.keyring.fingerprint(`reset\n${lowerEmail}`)
    await lockAccount(tx, addressHash)
    const retryAt = nextAttemptAt(await findResetRequests(tx, addressHash, now), MAX_RESET_MAILS)
    if (retryAt) return { ok: false, retryAt }
    await tx.insertInto('sign_in_attempt').values({ account_hash: addressHash, at: now }).execute()
    await queueAccountMail(tx, { kind: 'reset_password', sealedEmail: site.keyring.seal(email), at: now.toISOString() })
    return { ok: true }
  })
}

export async function queueWelcomeMail(tx: Tx, context: CommandContext, userId: number): Promise<void> {
  await record(tx, context, { kind: 'user.welcomed', subject: { kind: 'user', id: userId } })
  await queueAccountMail(tx, { kind: 'welcome', userId })
}

/** The token is returned once and never stored. */
export async function createMailLink(
  db: Kysely<DB>,
  { purpose, userId, now }: { purpose: LinkPurpose; userId: number; now: Date },
): Promise<string> {
  const token = randomSecret(TOKEN_LENGTH)
  const row = { token_hash: hashSecret(token), purpose, user_id: userId, created_at: now, expires_at: mailLinkEnd(purpose, now) }
  await db.insertInto('one_time_link').values(row).execute()
  return token
}
