import { sql } from 'kysely'
import type { CommandContext } from '#platform/auth/context.ts'
import { BUNDLES } from '#platform/auth/permissions.ts'
import { rowsOf } from '#platform/db/rows.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { type Language, sourceLanguageOf } from '#platform/i18n/languages.ts'
import { record } from '#platform/journal/journal.ts'
import { ADMINISTRATORS } from '../rules.ts'

export type NewAdministrator = {
  name: string
  email: string
  language?: Language
  /** Null: the person chooses a password with a link. */
  passwordHash: string | null
  by: 'command_line' | 'first_administrator_link'
}

/** Undefined: the e-mail address is taken. */
export async function addAdministrator(tx: Tx, context: CommandContext, person: NewAdministrator): Promise<number | undefined> {
  const { name, email, language = 'en', passwordHash, by } = person
  const user = await tx
    .insertInto('user_profile')
    .values({
      display_name: name,
      email,
      preferred_language: language,
      is_staff: true,
      password_hash: passwordHash,
      password_changed_at: passwordHash === null ? null : context.now,
      // The link signs the person in.
      last_sign_in_at: by === 'first_administrator_link' ? context.now : null,
      created_at: context.now,
    })
    .onConflict((conflict) => conflict.expression(sql`lower(email)`).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!user) return undefined
  const groupId =
    (await findAdministratorsGroup(tx)) ?? (await addAdministratorsGroup(tx, ADMINISTRATORS[sourceLanguageOf(language)]))
  await tx.insertInto('user_group_member').values({ group_id: groupId, user_id: user.id }).execute()
  await record(tx, context, {
    kind: 'administrator.created',
    subject: { kind: 'user', id: user.id },
    changes: { by, group_id: groupId },
    personal: { personId: user.id, values: { display_name: name, email } },
  })
  return user.id
}

/** Only a group that already has the permissions: existing members must not gain any. */
async function findAdministratorsGroup(tx: Tx): Promise<number | undefined> {
  const group = await tx
    .selectFrom('user_group')
    .innerJoin('group_permission', 'group_permission.group_id', 'user_group.id')
    .select('user_group.id')
    .where('user_group.name', 'in', Object.values(ADMINISTRATORS))
    .where('group_permission.permission', 'in', BUNDLES.management)
    .groupBy('user_group.id')
    .orderBy('user_group.id')
    .having((eb) => eb.fn.countAll<number>(), '=', BUNDLES.management.length)
    .executeTakeFirst()
  return group?.id
}

async function addAdministratorsGroup(tx: Tx, name: string): Promise<number> {
  for (let n = 1; ; n++) {
    const group = await tx
      .insertInto('user_group')
      .values({ name: n === 1 ? name : `${name} ${n}` })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!group) continue
    await tx
      .insertInto('group_permission')
      .values(BUNDLES.management.map((permission) => ({ group_id: group.id, permission })))
      .execute()
    return group.id
  }
}

/** False: the account is inactive. The caller is going to start a session. */
export async function recordSignIn(tx: Tx, userId: number, at: Date): Promise<boolean> {
  const row = await tx
    .updateTable('user_profile')
    .set({ last_sign_in_at: at })
    .where('id', '=', userId)
    .where('is_active', '=', true)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Locks the account, so that it stays active until the transaction ends. */
export async function lockActiveAccount(tx: Tx, userId: number): Promise<boolean> {
  return rowsOf(tx).exists(sql`select id from user_profile where id = ${userId} and is_active for no key update`)
}

type CheckedPassword = { userId: number; checkedHash: string; newHash: string }

/** Stores the hash of a password that was checked; false: the account has changed since. */
export async function acceptPassword(tx: Tx, { userId, checkedHash, newHash }: CheckedPassword): Promise<boolean> {
  const row = await tx
    .updateTable('user_profile')
    .set({ password_hash: newHash })
    .where('id', '=', userId)
    .where('is_active', '=', true)
    .where('password_hash', '=', checkedHash)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export type NewPassword = {
  userId: number
  at: Date
  newHash: string
  /** The hash that the current password was checked against; absent if a link replaces the password. */
  checkedHash?: string
}

/** False: the account is inactive or has changed since the password was checked. */
export async function setPassword(tx: Tx, { userId, at, newHash, checkedHash }: NewPassword): Promise<boolean> {
  let update = tx
    .updateTable('user_profile')
    .set({ password_hash: newHash, password_changed_at: at })
    .where('id', '=', userId)
    .where('is_active', '=', true)
  if (checkedHash !== undefined) update = update.where('password_hash', '=', checkedHash)
  return (await update.returning('id').executeTakeFirst()) !== undefined
}

/** For the caller's own account. */
export async function changeLanguage(context: CommandContext, language: Language): Promise<void> {
  const { actor } = context
  if (actor.kind !== 'user' || actor.language === language) return
  await transact(context.db, async (tx) => {
    await tx.updateTable('user_profile').set({ preferred_language: language }).where('id', '=', actor.userId).execute()
    await record(tx, context, {
      kind: 'user.language_changed',
      subject: { kind: 'user', id: actor.userId },
      changes: { preferred_language: [actor.language, language] },
    })
  })
}
