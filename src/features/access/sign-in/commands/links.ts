import { type Kysely, sql } from 'kysely'
import { requirePermission } from '#features/accounts/users/access.ts'
import { lockAndRequirePerson } from '#features/accounts/users/commands/people.ts'
import { canSignIn, isUnreachable, mayChangeEmail } from '#features/accounts/users/rules.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { hashSecret, randomSecret } from '#platform/auth/secrets.ts'
import type { DB } from '#platform/db/tables.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { claimMail, lockCounts, type MailVerdict, type ReadCounts } from '#platform/http/mail-limits.ts'
import { record } from '#platform/journal/journal.ts'
import { getAccount } from '../queries.ts'
import { type LinkPurpose, mailLinkEnd } from '../rules/sessions.ts'
import { ACCOUNT_MAIL_TASK, type AccountMail } from '../schema.ts'

const TOKEN_LENGTH = 43

/** Call it in the transaction of the change. The job contains no link: it is created when the mail is sent. */
export async function queueAccountMail(tx: Tx, mail: AccountMail): Promise<void> {
  await sql`select graphile_worker.add_job(${ACCOUNT_MAIL_TASK}, ${JSON.stringify(mail)}::json)`.execute(tx)
}

type QueuedMail = { id: string; payload: { userId?: number; sealedEmail?: string } }

/** For the erasure of a person: mails to them that wait in the queue. */
export async function deleteAccountMailsOf(tx: Tx, { site }: Pick<CommandContext, 'site'>, userId: number): Promise<void> {
  // never null: id, payload (columns of the queue)
  const { rows: queued } = await sql<QueuedMail>`
    select j.id::text as id, j.payload from graphile_worker._private_jobs j
      join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier = ${ACCOUNT_MAIL_TASK} and j.locked_at is null`.execute(tx)
  if (!queued.length) return
  const person = await tx.selectFrom('user_profile').select(['email', 'username']).where('id', '=', userId).executeTakeFirst()
  const names = [person?.email, person?.username].map((name) => name?.toLowerCase())
  const isTo = (sealed: string) => names.includes(site.keyring.unseal(sealed).toLowerCase())
  const ids = queued
    .filter(({ payload }) => payload.userId === userId || (payload.sealedEmail !== undefined && isTo(payload.sealedEmail)))
    .map(({ id }) => id)
  await sql`select graphile_worker.complete_jobs(${ids}::bigint[])`.execute(tx)
}

/**
 * Known and unknown addresses cause the same work and the same response, so that accounts cannot be probed. The job looks
 * up the address later. The payload contains it sealed, because it may belong to anyone.
 */
export async function requestReset(
  context: CommandContext,
  { email }: { email: string },
  readCounts: ReadCounts = lockCounts,
): Promise<MailVerdict> {
  const { db, now, site } = context
  return transact(db, async (tx) => {
    const { lowerEmail } = await getAccount(tx, email)
    const mail = await claimMail(tx, context, lowerEmail, readCounts)
    if (mail.ok)
      await queueAccountMail(tx, { kind: 'reset_password', sealedEmail: site.keyring.seal(email), at: now.toISOString() })
    return mail
  })
}

export async function queueWelcomeMail(tx: Tx, context: CommandContext, userId: number): Promise<void> {
  await record(tx, context, { kind: 'user.welcomed', subject: { kind: 'user', id: userId } })
  await queueAccountMail(tx, { kind: 'welcome', userId })
}

/** Queues welcome mails of many people, with one journal entry. */
export async function queueWelcomeMails(tx: Tx, context: CommandContext, userIds: readonly number[]): Promise<void> {
  if (!userIds.length) return
  await record(tx, context, { kind: 'user.many_welcomed', subject: { kind: 'user', id: null }, changes: { users: userIds } })
  const mails: AccountMail[] = userIds.map((userId) => ({ kind: 'welcome', userId }))
  await sql`
    select graphile_worker.add_jobs(array(
      select row(${ACCOUNT_MAIL_TASK}::text, mail, null, null, null, null, null, null)::graphile_worker.job_spec
      from json_array_elements(${JSON.stringify(mails)}::json) as mail))`.execute(tx)
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

type InvitationOutcome =
  | { ok: true; token: string; expiresAt: Date }
  | { ok: false; reason: 'signed_in_before' | 'inactive' | 'locked' | 'no_sign_in' }

/**
 * A link to the first password, for a person who has never signed in, or to a new one where no mails are sent or for a person without any
 * address. The caller passes it on, so the caller must already have every right
 * of that account, as for a change of its address. A new link replaces the former one.
 */
export async function createInvitation(context: CommandContext, userId: number): Promise<InvitationOutcome> {
  const editor = requirePermission(context.actor, 'change_user')
  return transact(context.db, async (tx): Promise<InvitationOutcome> => {
    const person = await lockAndRequirePerson(tx, context, userId)
    if (!person.isActive) return { ok: false, reason: 'inactive' }
    if (!canSignIn(person)) return { ok: false, reason: 'no_sign_in' }
    const isUsed = person.hasPassword || person.lastSeenAt !== null
    // Without mails there is no other way to a new password.
    if (isUsed && !context.site.isMailOff && !isUnreachable(person)) return { ok: false, reason: 'signed_in_before' }
    if (!mayChangeEmail(editor, person)) return { ok: false, reason: 'locked' }
    await deleteInvitations(tx, userId)
    const token = await createMailLink(tx, { purpose: 'invitation', userId, now: context.now })
    await record(tx, context, { kind: 'user.invitation_created', subject: { kind: 'user', id: userId } })
    return { ok: true, token, expiresAt: mailLinkEnd('invitation', context.now) }
  })
}

/** False: there was none. */
export async function revokeInvitation(context: CommandContext, userId: number): Promise<boolean> {
  requirePermission(context.actor, 'change_user')
  return transact(context.db, async (tx) => {
    await lockAndRequirePerson(tx, context, userId)
    const isDeleted = await deleteInvitations(tx, userId)
    if (isDeleted) await record(tx, context, { kind: 'user.invitation_revoked', subject: { kind: 'user', id: userId } })
    return isDeleted
  })
}

async function deleteInvitations(tx: Tx, userId: number): Promise<boolean> {
  const rows = await tx
    .deleteFrom('one_time_link')
    .where('user_id', '=', userId)
    .where('purpose', '=', 'invitation')
    .where('used_at', 'is', null)
    .returning('user_id')
    .execute()
  return rows.length > 0
}
