import type { CommandContext } from '#platform/auth/context.ts'
import type { Tx } from '#platform/db/transaction.ts'

/** What somebody has seen up to here; what comes meanwhile stays new. */
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

/** With the person goes what they were told. */
export async function forgetNewsOf(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('notification').where('user_id', '=', userId).execute()
}
