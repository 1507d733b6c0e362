import { sql } from 'kysely'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { checkRecentSignIn } from '#platform/http/access.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { erasePerson, record } from '#platform/journal/journal.ts'
import { isAddress } from '#platform/no-address.ts'
import { requirePermission } from '../access.ts'
import { accountHooks, endCredentials } from '../points.ts'
import { hasOtherAdministrator, type Person } from '../queries/person.ts'
import { type Editor, mayCloseAccount } from '../rules.ts'
import { deleteGuardianshipsOf } from './guardians.ts'
import { lockAdministration } from './locks.ts'
import { lockAndRequirePerson } from './people.ts'

export type AccountChange =
  | { ok: true; name: string }
  | { ok: false; reason: 'administrator' | 'self' | 'last_administrator' | 'inactive' | 'no_sign_in' }

type Locking = { lock?: typeof lockAdministration }

/**
 * Ends all sessions and frees the person's future places. Tokens are refused while the account is inactive and work again after
 * reactivation.
 */
export async function deactivatePerson(
  context: CommandContext,
  userId: number,
  { lock = lockAdministration }: Locking = {},
): Promise<AccountChange> {
  return transact(context.db, async (tx) => {
    await lock(tx)
    const outcome = await deactivateIn(tx, context, userId)
    if (outcome.ok && outcome.isChanged)
      await record(tx, context, { kind: 'user.deactivated', subject: { kind: 'user', id: userId } })
    return outcome
  })
}

type StateChange = { ok: true; name: string; isChanged: boolean } | Exclude<AccountChange, { ok: true }>

/** The caller holds the lock of administration and records the change. */
export async function deactivateIn(tx: Tx, context: CommandContext, userId: number): Promise<StateChange> {
  const editor = requirePermission(context.actor, 'change_user')
  const person = await lockAndRequirePerson(tx, context, userId)
  const refusal = await checkClosing(tx, editor, person)
  if (refusal) return refusal
  if (person.isActive) {
    await tx.updateTable('user_profile').set({ is_active: false }).where('id', '=', userId).execute()
    await accountHooks.of(context.site).endSessions(tx, userId)
    await accountHooks.of(context.site).giveUpPlaces(tx, context, userId, 'account_deactivated')
  }
  return { ok: true, name: person.name, isChanged: person.isActive }
}

export async function reactivatePerson(context: CommandContext, userId: number): Promise<AccountChange> {
  return transact(context.db, async (tx) => {
    const outcome = await reactivateIn(tx, context, userId)
    if (outcome.ok && outcome.isChanged)
      await record(tx, context, { kind: 'user.reactivated', subject: { kind: 'user', id: userId } })
    return outcome
  })
}

/** The caller records the change. */
export async function reactivateIn(tx: Tx, context: CommandContext, userId: number): Promise<StateChange> {
  const editor = requirePermission(context.actor, 'change_user')
  const person = await lockAndRequirePerson(tx, context, userId)
  if (!mayCloseAccount(editor, person)) return { ok: false, reason: 'administrator' }
  if (!person.isActive) await tx.updateTable('user_profile').set({ is_active: true }).where('id', '=', userId).execute()
  return { ok: true, name: person.name, isChanged: !person.isActive }
}

/** Revokes every credential: password, sessions, tokens, links in mails, calendar address. */
export async function revokePerson(context: CommandContext, userId: number): Promise<AccountChange> {
  const editor = requirePermission(context.actor, 'change_user')
  return transact(context.db, async (tx) => {
    const person = await lockAndRequirePerson(tx, context, userId)
    if (!mayCloseAccount(editor, person)) return { ok: false, reason: 'administrator' }
    if (editor.userId === userId) return { ok: false, reason: 'self' }
    await tx
      .updateTable('user_profile')
      .set({ password_hash: null, password_changed_at: context.now, calendar_token_hash: null, calendar_token_sealed: null })
      .where('id', '=', userId)
      .execute()
    await accountHooks.of(context.site).endSessions(tx, userId)
    await endCredentials(tx, context, userId)
    await record(tx, context, { kind: 'user.revoked', subject: { kind: 'user', id: userId } })
    return { ok: true, name: person.name }
  })
}

/** Always sent to the address of the account, so that the caller cannot use the link. */
export async function sendPasswordLink(context: CommandContext, userId: number): Promise<AccountChange> {
  requirePermission(context.actor, 'change_user')
  return transact(context.db, async (tx) => {
    const person = await lockAndRequirePerson(tx, context, userId)
    if (!person.isActive) return { ok: false, reason: 'inactive' }
    if (!isAddress(person.email) && !person.username) return { ok: false, reason: 'no_sign_in' }
    if (person.hasPassword) {
      await accountHooks
        .of(context.site)
        .sendResetMail(tx, context, isAddress(person.email) ? person.email : (person.username ?? person.email))
      await record(tx, context, { kind: 'user.reset_sent', subject: { kind: 'user', id: userId } })
    } else await accountHooks.of(context.site).sendWelcomeMail(tx, context, userId)
    return { ok: true, name: person.name }
  })
}

/**
 * Erases personal data, also in the journal, and frees the person's future places. Past participations and working hours stay under
 * a placeholder name.
 */
export async function deletePerson(
  context: CommandContext,
  userId: number,
  { lock = lockAdministration }: Locking = {},
): Promise<AccountChange> {
  const editor = requirePermission(context.actor, 'delete_user')
  checkRecentSignIn(context)
  return transact(context.db, async (tx) => {
    await lock(tx)
    const person = await lockAndRequirePerson(tx, context, userId)
    const refusal = await checkClosing(tx, editor, person)
    if (refusal) return refusal
    await eraseAccount(tx, context, userId)
    return { ok: true, name: person.name }
  })
}

/** The caller has checked that the account may be erased, and holds the locks of administration and of the person. */
export async function eraseAccount(tx: Tx, context: CommandContext, userId: number): Promise<void> {
  await accountHooks.of(context.site).endSessions(tx, userId)
  await endCredentials(tx, context, userId)
  await accountHooks.of(context.site).giveUpPlaces(tx, context, userId, 'account_deleted')
  await accountHooks.of(context.site).deletePersonalData(tx, context, userId)
  await anonymise(tx, context, userId)
  await erasePerson(tx, userId)
  await record(tx, context, { kind: 'user.deleted', subject: { kind: 'user', id: userId } })
}

async function checkClosing(tx: Tx, editor: Editor, person: Person): Promise<Exclude<AccountChange, { ok: true }> | undefined> {
  if (!mayCloseAccount(editor, person)) return { ok: false, reason: 'administrator' }
  if (person.isStaff && person.isActive && !(await hasOtherAdministrator(tx, person.userId)))
    return { ok: false, reason: 'last_administrator' }
  // Prevents people from locking themselves out by mistake.
  if (editor.userId === person.userId) return { ok: false, reason: 'self' }
  return undefined
}

/** Leaves a row without a name, to which participations, working hours and the log refer. */
export async function anonymise(tx: Tx, { now, site }: Pick<CommandContext, 'now' | 'site'>, userId: number): Promise<void> {
  const words = wordsFor(site.defaultLanguage ?? 'en', site.timeZone)
  await tx
    .updateTable('user_profile')
    .set({
      display_name: words.t('people.former_member', { id: String(userId) }),
      // RFC 2606 reserves `.invalid`, so the address cannot exist.
      email: `deleted-${userId}@deleted.invalid`,
      email_invalid: true,
      username: null,
      contact_email: null,
      date_of_birth: null,
      phone: null,
      shows_phone: false,
      emergency_name: null,
      emergency_phone: null,
      is_active: false,
      is_visible: false,
      is_staff: false,
      is_superuser: false,
      password_hash: null,
      password_changed_at: null,
      calendar_token_hash: null,
      calendar_token_sealed: null,
      disabled_notifications: sql`'[]'`,
      enabled_notifications: sql`'[]'`,
      reminder_hours: null,
      quiet_hours: null,
      preferred_language: sql`default`,
      last_sign_in_at: null,
      deleted_at: now,
    })
    .where('id', '=', userId)
    .execute()
  await tx.deleteFrom('email_failure').where('user_id', '=', userId).execute()
  await tx.deleteFrom('user_group_member').where('user_id', '=', userId).execute()
  await tx.deleteFrom('user_permission').where('user_id', '=', userId).execute()
  await deleteGuardianshipsOf(tx, userId)
  await tx.deleteFrom('qualification_grant').where('user_id', '=', userId).execute()
  await tx.deleteFrom('profile_group_grant').where('user_id', '=', userId).execute()
  await tx
    .deleteFrom('profile_user_grant')
    .where((eb) => eb.or([eb('user_id', '=', userId), eb('viewer_id', '=', userId)]))
    .execute()
}
