import { type Kysely, sql } from 'kysely'
import type { CommandContext } from '#platform/auth/context.ts'
import { hashSecret, randomSecret } from '#platform/auth/secrets.ts'
import type { DB } from '#platform/db/tables.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import { findResetRequests, getAccount } from '../queries.ts'
import { nextGuessAt, RESETS } from '../rules/guesses.ts'
import { type LinkPurpose, mailLinkEnd } from '../rules/sessions.ts'
import { ACCOUNT_MAIL_TASK, type AccountMail } from '../schema.ts'
import { GUARD, type Guard } from './sign-in.ts'

const TOKEN_LENGTH = 43

/** In the transaction of what it tells about. The job holds no link: whoever sends the mail makes it. */
export async function queueAccountMail(tx: Tx, mail: AccountMail): Promise<void> {
  await sql`select graphile_worker.add_job(${ACCOUNT_MAIL_TASK}, ${JSON.stringify(mail)}::json)`.execute(tx)
}

export type ResetRequested = { ok: true } | { ok: false; retryAt: Date }

/**
 * Known and unknown addresses get the same work and the same answer: whether somebody has the address is looked up by the
 * job, when nobody waits for an answer any more. The address is sealed, for it may belong to anybody.
 */
export async function requestReset(
  { db, now, site }: CommandContext,
  { email }: { email: string },
  { lockAccount }: Pick<Guard, 'lockAccount'> = GUARD,
): Promise<ResetRequested> {
  return transact(db, async (tx) => {
    const { lowerEmail } = await getAccount(tx, email)
    // Apart from the guesses of the same address: asking for links must lock nobody out.
    const addressHash = site.keyring.fingerprint(`reset\n${lowerEmail}`)
    await lockAccount(tx, addressHash)
    const retryAt = nextGuessAt(await findResetRequests(tx, addressHash, now), RESETS)
    if (retryAt) return { ok: false, retryAt }
    await tx.insertInto('sign_in_attempt').values({ account_hash: addressHash, at: now }).execute()
    await queueAccountMail(tx, { kind: 'reset_password', sealedEmail: site.keyring.seal(email), at: now.toISOString() })
    return { ok: true }
  })
}

/** Sends a new person the link to their first password. For whoever creates people. */
export async function queueWelcomeMail(tx: Tx, context: CommandContext, userId: number): Promise<void> {
  await record(tx, context, { kind: 'user.welcomed', subject: { kind: 'user', id: userId } })
  await queueAccountMail(tx, { kind: 'welcome', userId })
}

/** For whoever sends it. The token is returned once and never stored. */
export async function makeMailLink(
  db: Kysely<DB>,
  { purpose, userId, now }: { purpose: LinkPurpose; userId: number; now: Date },
): Promise<string> {
  const token = randomSecret(TOKEN_LENGTH)
  const row = { token_hash: hashSecret(token), purpose, user_id: userId, created_at: now, expires_at: mailLinkEnd(purpose, now) }
  await db.insertInto('one_time_link').values(row).execute()
  return token
}
