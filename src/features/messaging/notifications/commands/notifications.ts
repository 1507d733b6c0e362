import { sql } from 'kysely'
import type { CommandContext } from '#platform/auth/context.ts'
import type { Tx } from '#platform/db/transaction.ts'

/** Up to the last one on the page, so that notifications created meanwhile stay unread; all of them if undefined. */
export async function markRead({ db, actor, now }: CommandContext, upTo: number | undefined): Promise<void> {
  if (actor.kind !== 'user') return
  await db
    .updateTable('notification')
    .set({ read_at: now })
    .where('user_id', '=', actor.userId)
    .where('read_at', 'is', null)
    .$if(upTo !== undefined, (query) => query.where('id', '<=', upTo!))
    .execute()
}

export async function markOneRead({ db, actor, now }: CommandContext, id: number): Promise<void> {
  if (actor.kind !== 'user') return
  await db
    .updateTable('notification')
    .set({ read_at: now })
    .where('user_id', '=', actor.userId)
    .where('id', '=', id)
    .where('read_at', 'is', null)
    .execute()
}

/** Part of the deletion of a user. */
export async function deleteNotificationsOf(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('notification').where('user_id', '=', userId).execute()
}

/** For the erasure of a person: notifications of others and failed mails lose what identifies them. */
export async function redactNotifications(tx: Tx, pattern: string, replacement: string): Promise<void> {
  await sql`update notification set data = regexp_replace(data::text, ${pattern}, ${replacement}, 'g')::jsonb,
      mail_reason = regexp_replace(mail_reason, ${pattern}, ${replacement}, 'g')
    where data::text ~ ${pattern} or mail_reason ~ ${pattern}`.execute(tx)
}
