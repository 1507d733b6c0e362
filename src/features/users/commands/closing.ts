import { sql } from 'kysely'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { erasePerson, record } from '#platform/journal/journal.ts'
import { requirePermission } from '../access.ts'
import { hasOtherStaff, type Person } from '../queries/person.ts'
import { type Editor, mayCloseAccount } from '../rules.ts'
import { lockAdministration } from './locks.ts'
import { type AccountDuties, requireLocked } from './people.ts'

export type Closing =
  | { ok: true; name: string }
  | { ok: false; reason: 'administrator' | 'self' | 'last_administrator' | 'inactive' }

type Guarded = { lock?: typeof lockAdministration }

/** Sessions end; tokens are refused as long as the account is not active, and work again afterwards. */
export async function deactivatePerson(
  context: CommandContext,
  userId: number,
  { duties, lock = lockAdministration }: Guarded & { duties: Pick<AccountDuties, 'endSessions'> },
): Promise<Closing> {
  const editor = requirePermission(context.actor, 'change_user')
  return transact(context.db, async (tx) => {
    await lock(tx)
    const person = await requireLocked(tx, context, userId)
    const refusal = await judgeClosing(tx, editor, person)
    if (refusal) return refusal
    if (person.isActive) {
      await tx.updateTable('user_profile').set({ is_active: false }).where('id', '=', userId).execute()
      await duties.endSessions(tx, userId)
      await record(tx, context, { kind: 'user.deactivated', subject: { kind: 'user', id: userId } })
    }
    return { ok: true, name: person.name }
  })
}

export async function reactivatePerson(context: CommandContext, userId: number): Promise<Closing> {
  const editor = requirePermission(context.actor, 'change_user')
  return transact(context.db, async (tx) => {
    const person = await requireLocked(tx, context, userId)
    if (!mayCloseAccount(editor, person)) return { ok: false, reason: 'administrator' }
    if (!person.isActive) {
      await tx.updateTable('user_profile').set({ is_active: true }).where('id', '=', userId).execute()
      await record(tx, context, { kind: 'user.reactivated', subject: { kind: 'user', id: userId } })
    }
    return { ok: true, name: person.name }
  })
}

/** Nothing that anybody has in hand works any more: password, sessions, tokens, links in mails, calendar address. */
export async function revokePerson(
  context: CommandContext,
  userId: number,
  duties: Pick<AccountDuties, 'endSessions' | 'endCredentials'>,
): Promise<Closing> {
  const editor = requirePermission(context.actor, 'change_user')
  return transact(context.db, async (tx) => {
    const person = await requireLocked(tx, context, userId)
    if (!mayCloseAccount(editor, person)) return { ok: false, reason: 'administrator' }
    if (editor.userId === userId) return { ok: false, reason: 'self' }
    await tx
      .updateTable('user_profile')
      .set({ password_hash: null, password_changed_at: context.now, calendar_token_hash: null, calendar_token_sealed: null })
      .where('id', '=', userId)
      .execute()
    await duties.endSessions(tx, userId)
    await duties.endCredentials(tx, context, userId)
    await record(tx, context, { kind: 'user.revoked', subject: { kind: 'user', id: userId } })
    return { ok: true, name: person.name }
  })
}

/** The link goes to the address of the account, so that it helps nobody else. */
export async function sendPasswordMail(
  context: CommandContext,
  userId: number,
  duties: Pick<AccountDuties, 'welcome' | 'sendReset'>,
): Promise<Closing> {
  requirePermission(context.actor, 'change_user')
  return transact(context.db, async (tx) => {
    const person = await requireLocked(tx, context, userId)
    if (!person.isActive) return { ok: false, reason: 'inactive' }
    if (person.hasPassword) {
      await duties.sendReset(tx, context, person.email)
      await record(tx, context, { kind: 'user.reset_sent', subject: { kind: 'user', id: userId } })
    } else await duties.welcome(tx, context, userId)
    return { ok: true, name: person.name }
  })
}

/** What is personal goes, also from the journal; participations and hours stay, as somebody's who is not named any more. */
export async function deletePerson(
  context: CommandContext,
  userId: number,
  { duties, lock = lockAdministration }: Guarded & { duties: Pick<AccountDuties, 'endSessions' | 'endCredentials' | 'forget'> },
): Promise<Closing> {
  const editor = requirePermission(context.actor, 'delete_user')
  return transact(context.db, async (tx) => {
    await lock(tx)
    const person = await requireLocked(tx, context, userId)
    const refusal = await judgeClosing(tx, editor, person)
    if (refusal) return refusal
    await duties.endSessions(tx, userId)
    await duties.endCredentials(tx, context, userId)
    await duties.forget(tx, context, userId)
    await erase(tx, userId, context.now)
    await erasePerson(tx, userId)
    await record(tx, context, { kind: 'user.deleted', subject: { kind: 'user', id: userId } })
    return { ok: true, name: person.name }
  })
}

async function judgeClosing(tx: Tx, editor: Editor, person: Person): Promise<Exclude<Closing, { ok: true }> | undefined> {
  if (!mayCloseAccount(editor, person)) return { ok: false, reason: 'administrator' }
  if (person.isStaff && person.isActive && !(await hasOtherStaff(tx, person.userId)))
    return { ok: false, reason: 'last_administrator' }
  // Somebody else does that, so that nobody locks themselves out by a wrong click.
  if (editor.userId === person.userId) return { ok: false, reason: 'self' }
  return undefined
}

async function erase(tx: Tx, userId: number, now: Date): Promise<void> {
  await tx
    .updateTable('user_profile')
    .set({
      display_name: `Deleted person ${userId}`,
      // Nobody has such an address: the domain is reserved for that (RFC 2606).
      email: `deleted-${userId}@deleted.invalid`,
      email_invalid: true,
      date_of_birth: null,
      phone: null,
      is_active: false,
      is_visible: false,
      is_staff: false,
      is_superuser: false,
      password_hash: null,
      password_changed_at: null,
      calendar_token_hash: null,
      calendar_token_sealed: null,
      disabled_notifications: sql`'[]'`,
      last_sign_in_at: null,
      deleted_at: now,
    })
    .where('id', '=', userId)
    .execute()
  await tx.deleteFrom('user_group_member').where('user_id', '=', userId).execute()
  await tx.deleteFrom('user_permission').where('user_id', '=', userId).execute()
  await tx.deleteFrom('qualification_grant').where('user_id', '=', userId).execute()
  await tx.deleteFrom('profile_group_grant').where('user_id', '=', userId).execute()
  await tx
    .deleteFrom('profile_user_grant')
    .where((eb) => eb.or([eb('user_id', '=', userId), eb('viewer_id', '=', userId)]))
    .execute()
  // What the hours were for may tell about somebody; how many there were does not.
  await tx.updateTable('working_hours').set({ reason: '' }).where('user_id', '=', userId).execute()
}
