import { type Kysely, sql } from 'kysely'
import type { RequestContext } from '#platform/auth/context.ts'
import type { DB } from '#platform/db/tables.ts'
import type { KnownNotification } from '../kinds/registry.ts'
import { findNotifications } from './notifications.ts'

/** The bell shows “99+” above 99. */
const MAX_COUNTED = 100

export async function countUnread(db: Kysely<DB>, userId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from notification where user_id = ${userId} and read_at is null limit ${MAX_COUNTED}) unread`.execute(db)
  return rows[0]!.count
}

/** Newest first, without those about events that the user can no longer see. */
export async function findInbox({ db, actor }: RequestContext, limit: number): Promise<KnownNotification[]> {
  if (actor.kind !== 'user') return []
  const notifications = await findNotifications(db, actor, { userId: actor.userId, limit })
  return notifications.filter(({ kind, event }) => !event || event.isShown || kind.showsHiddenEvents)
}
