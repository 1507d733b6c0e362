import { type Kysely, sql } from 'kysely'
import { lockPerson } from '#features/accounts/users/commands/locks.ts'
import { changeOwnAddress } from '#features/accounts/users/commands/own-email.ts'
import { accountHooks, endCredentials } from '#features/accounts/users/points.ts'
import type { UserActor } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { hashSecret, randomSecret } from '#platform/auth/secrets.ts'
import type { DB } from '#platform/db/tables.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { claimMail, type MailRefusal } from '#platform/http/mail-limits.ts'
import { Problem } from '#platform/http/problem.ts'
import { record } from '#platform/journal/journal.ts'
import { getChangeToConfirm, getChangeToStop, getEmailChange } from '../queries.ts'
import { blockedUntil, canConfirm, whatStops } from '../rules.ts'
import { EMAIL_CHANGE_TASK, type EmailChangeMail } from '../schema.ts'

/** The own account requires a session; tokens are not enough. */
export function requireOwner({ actor }: CommandContext): UserActor {
  if (actor.kind !== 'user' || actor.via.kind !== 'session') throw new Problem('permission_denied')
  return actor
}

async function queueMail(tx: Tx, mail: EmailChangeMail): Promise<void> {
  await sql`select graphile_worker.add_job(${EMAIL_CHANGE_TASK}, ${JSON.stringify(mail)}::json, max_attempts := 8)`.execute(tx)
}

type RequestOutcome =
  | { ok: true }
  | { ok: false; reason: 'same' }
  | { ok: false; reason: 'blocked'; until: Date }
  | { ok: false; reason: 'mails'; refusal: MailRefusal }

/**
 * A person asks for another address. The same outcome whether or not the address has an account: the mail to it says so. The account keeps
 * its address until the new one is confirmed.
 */
export async function requestEmailChange(context: CommandContext, newEmail: string): Promise<RequestOutcome> {
  const { userId } = requireOwner(context)
  const { now } = context
  return transact(context.db, async (tx): Promise<RequestOutcome> => {
    await lockPerson(tx, userId)
    const person = await tx.selectFrom('user_profile').select('email').where('id', '=', userId).executeTakeFirstOrThrow()
    if (person.email === newEmail) return { ok: false, reason: 'same' }
    const last = await getEmailChange(tx, userId)
    const until = last && blockedUntil(last, now)
    if (until) return { ok: false, reason: 'blocked', until }
    const mail = await claimMail(tx, context, newEmail)
    if (!mail.ok) return { ok: false, reason: 'mails', refusal: mail }
    const values = {
      former_email: person.email,
      new_email: newEmail,
      confirm_hash: null,
      stop_hash: null,
      requested_at: now,
      confirmed_at: null,
      stopped_at: null,
    }
    await tx
      .insertInto('email_change')
      .values({ user_id: userId, ...values })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
      .execute()
    await record(tx, context, {
      kind: 'user.email_change_requested',
      subject: { kind: 'user', id: userId },
      personal: { personId: userId, values: { email: [person.email, newEmail] } },
    })
    const requestedAt = now.toISOString()
    await queueMail(tx, { kind: 'confirm', userId, requestedAt })
    await queueMail(tx, { kind: 'notice', userId, requestedAt })
    return { ok: true }
  })
}

/** The token is returned once and never stored. A mail of a request that was replaced gets none. */
export async function createChangeToken(
  db: Kysely<DB>,
  { userId, requestedAt }: EmailChangeMail,
  column: 'confirm_hash' | 'stop_hash',
): Promise<string | undefined> {
  const token = randomSecret(43)
  const row = await db
    .updateTable('email_change')
    .set({ [column]: hashSecret(token) })
    .where('user_id', '=', userId)
    .where('requested_at', '=', new Date(requestedAt))
    .where('stopped_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst()
  return row && token
}

type ConfirmOutcome = { ok: true; email: string } | { ok: false; reason: 'invalid' | 'taken' }

/** By the person who asked, in a session: the link alone is not enough, because the address may be mistyped and belong to others. */
export async function confirmEmailChange(
  context: CommandContext,
  token: string,
  /** A parameter, so that a test can show what happens without the check of the person. */
  find = getChangeToConfirm,
): Promise<ConfirmOutcome> {
  const { userId } = requireOwner(context)
  return transact(context.db, async (tx): Promise<ConfirmOutcome> => {
    // Confirming, stopping and asking again take turns.
    await lockPerson(tx, userId)
    const change = await find(tx, userId, token)
    if (!change || !canConfirm(change, context.now)) return { ok: false, reason: 'invalid' }
    const address = { userId: change.userId, from: change.formerEmail, to: change.newEmail, cause: 'confirmed' as const }
    if (!(await changeOwnAddress(tx, context, address))) return { ok: false, reason: 'taken' }
    await tx
      .updateTable('email_change')
      .set({ confirmed_at: context.now, confirm_hash: null })
      .where('user_id', '=', change.userId)
      .execute()
    return { ok: true, email: change.newEmail }
  })
}

type StopOutcome = { ok: true; what: 'stop' | 'revert' } | { ok: false; reason: 'invalid' | 'taken' }

/**
 * “This was not me”, from the mail to the former address. Ends every session and credential, because somebody else may have used one, and
 * sends a link to a new password there.
 */
export async function stopEmailChange(context: CommandContext, token: string): Promise<StopOutcome> {
  return transact(context.db, async (tx): Promise<StopOutcome> => {
    const found = await getChangeToStop(tx, token)
    if (!found) return { ok: false, reason: 'invalid' }
    const { userId } = found
    await lockPerson(tx, userId)
    const change = await getChangeToStop(tx, token)
    const what = change && whatStops(change, context.now)
    if (!change || !what) return { ok: false, reason: 'invalid' }
    if (what === 'revert') {
      const address = { userId, from: change.newEmail, to: change.formerEmail, cause: 'reverted' as const }
      if (!(await changeOwnAddress(tx, context, address))) return { ok: false, reason: 'taken' }
    }
    await tx
      .updateTable('email_change')
      .set({ stopped_at: context.now, confirm_hash: null, stop_hash: null })
      .where('user_id', '=', userId)
      .execute()
    await accountHooks.of(context.site).endSessions(tx, userId)
    await endCredentials(tx, context, userId)
    await accountHooks.of(context.site).sendResetMail(tx, context, change.formerEmail)
    await record(tx, context, { kind: 'user.email_change_stopped', subject: { kind: 'user', id: userId } })
    return { ok: true, what }
  })
}

/** The person withdraws a change that waits. False: there was none. */
export async function withdrawEmailChange(context: CommandContext): Promise<boolean> {
  const { userId } = requireOwner(context)
  return transact(context.db, async (tx) => {
    const row = await tx
      .deleteFrom('email_change')
      .where('user_id', '=', userId)
      .where('confirmed_at', 'is', null)
      .where('stopped_at', 'is', null)
      .returning('user_id')
      .executeTakeFirst()
    if (row) await record(tx, context, { kind: 'user.email_change_withdrawn', subject: { kind: 'user', id: userId } })
    return row !== undefined
  })
}
