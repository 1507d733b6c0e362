import type { CommandContext } from '#platform/auth/context.ts'
import type { Tx } from '#platform/db/transaction.ts'

/** Up to the last one on the page, so that notifications created meanwhile stay unread. */
export async function markRead({ db, actor, now }: CommandContext, upTo: number): Promise<void> {
  if (actor.kind !== 'user') return
  await db
    .updateTable('notification')
    .set({ read_at: now })
    .where('user_id', '=', actor.userId)
    .where('id', '<=', upTo)
    .where('read_at', 'is', null)
    .execute()
}

/** Part of the deletion of a user. */
export async function deleteNotificationsOf(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('notification').where('user_id', '=', userId).execute()
}
