import type { Kysely } from 'kysely'
import { requirePerson } from '#features/sign-in/commands/sessions.ts'
import { lockPerson } from '#features/users/commands/locks.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import type { DB } from '#platform/db/tables.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import { hasPassword } from '../queries.ts'

/** People without a password keep their links: they could not sign in otherwise. */
export async function unlinkIdentity(context: CommandContext, identityId: number): Promise<'unlinked' | 'gone' | 'no_password'> {
  const userId = requirePerson(context)
  return transact(context.db, async (tx) => {
    await lockPerson(tx, userId)
    if (!(await hasPassword(tx, userId))) return 'no_password'
    const row = await tx
      .deleteFrom('external_identity')
      .where('id', '=', identityId)
      .where('user_id', '=', userId)
      .returning('identity_provider_id')
      .executeTakeFirst()
    if (!row) return 'gone'
    await record(tx, context, {
      kind: 'user.identity_unlinked',
      subject: { kind: 'user', id: userId },
      changes: { identity_provider_id: row.identity_provider_id },
    })
    return 'unlinked'
  })
}

/** For the deletion of a person. */
export async function deleteIdentitiesOf(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('external_identity').where('user_id', '=', userId).execute()
}

/** Only saves space: a sealed state expires by itself. */
export async function deleteExpiredStates(db: Kysely<DB>, now: Date): Promise<void> {
  await db.deleteFrom('used_sign_in_state').where('expires_at', '<=', now).execute()
}
