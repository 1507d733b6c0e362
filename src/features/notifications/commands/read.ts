import type { Doing } from '#platform/auth/ask.ts'

/** What somebody has seen up to here; what comes meanwhile stays new. */
export async function markRead({ db, actor, now }: Doing, upTo: number): Promise<void> {
  if (actor.kind !== 'user') return
  await db
    .updateTable('notification')
    .set({ read_at: now })
    .where('user_id', '=', actor.userId)
    .where('id', '<=', upTo)
    .where('read_at', 'is', null)
    .execute()
}
