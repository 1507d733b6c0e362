import { sql } from 'kysely'
import type { CommandContext } from '#platform/auth/context.ts'
import type { Tx } from '#platform/db/transaction.ts'
import type { Language } from '#platform/i18n/languages.ts'
import { erasePerson, record } from '#platform/journal/journal.ts'
import { accountHooks } from '../points.ts'

// Accounts of people who join by a link or register themselves. Access was checked there.

type JoinedAccount = {
  email: string
  name: string
  dateOfBirth: string
  language: Language
  passwordHash: string
  /** Waits for a decision: inactive, and hidden from lists. */
  isPending: boolean
  joinLinkId: number | null
}

/** Undefined: the email address is taken. */
export async function createJoinedPerson(tx: Tx, context: CommandContext, account: JoinedAccount): Promise<number | undefined> {
  const { email, name, dateOfBirth, language, passwordHash, isPending, joinLinkId } = account
  const row = await tx
    .insertInto('user_profile')
    .values({
      email,
      display_name: name,
      date_of_birth: dateOfBirth,
      preferred_language: language,
      password_hash: passwordHash,
      password_changed_at: context.now,
      is_active: !isPending,
      is_visible: !isPending,
      created_at: context.now,
    })
    .onConflict((conflict) => conflict.expression(sql`lower(email)`).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!row) return undefined
  await record(tx, context, {
    kind: 'user.registered',
    subject: { kind: 'user', id: row.id },
    changes: { is_pending: isPending, ...(joinLinkId === null ? {} : { join_link_id: joinLinkId }) },
    personal: { personId: row.id, values: { display_name: name, email, date_of_birth: dateOfBirth } },
  })
  return row.id
}

/** Ends the waiting. An account that is active already stays as it is. */
export async function openJoinedAccount(tx: Tx, userId: number): Promise<void> {
  await tx
    .updateTable('user_profile')
    .set({ is_active: true, is_visible: true })
    .where('id', '=', userId)
    .where('is_active', '=', false)
    .where('is_visible', '=', false)
    .where('deleted_at', 'is', null)
    .execute()
}

/** False: the group does not exist any more. Changes nothing for members. */
export async function addJoinedMember(
  tx: Tx,
  context: CommandContext,
  { groupId, userId }: { groupId: number; userId: number },
): Promise<boolean> {
  const group = await tx.selectFrom('user_group').select('id').where('id', '=', groupId).forKeyShare().executeTakeFirst()
  if (!group) return false
  const added = await tx
    .insertInto('user_group_member')
    .values({ group_id: groupId, user_id: userId })
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst()
  if (!added) return true
  await accountHooks.of(context.site).onMembershipsChanged(tx, { userIds: [userId], left: [], now: context.now })
  await record(tx, context, {
    kind: 'group.members_changed',
    subject: { kind: 'group', id: groupId },
    changes: { members: { added: [userId] } },
  })
  return true
}

/** For accounts that were never opened: nothing refers to them, so no anonymised row stays. */
export async function deleteUnopenedAccount(tx: Tx, context: CommandContext, userId: number): Promise<void> {
  await tx
    .deleteFrom('user_profile')
    .where('id', '=', userId)
    .where('is_active', '=', false)
    .where('is_visible', '=', false)
    .where('last_sign_in_at', 'is', null)
    .execute()
  await erasePerson(tx, userId)
  await record(tx, context, { kind: 'user.registration_deleted', subject: { kind: 'user', id: userId } })
}
