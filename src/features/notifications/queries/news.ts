import { type Kysely, sql } from 'kysely'
import type { RequestContext } from '#platform/auth/context.ts'
import type { DB } from '#platform/db/tables.ts'
import { linkOf } from '../rules/links.ts'
import { isObsolete, type Told } from '../rules/relevance.ts'
import { findTold } from './told.ts'

/** For the bell: beyond these nobody counts. */
const MOST_COUNTED = 100

export async function countUnread(db: Kysely<DB>, userId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from notification where user_id = ${userId} and read_at is null limit ${MOST_COUNTED}) unread`.execute(db)
  return rows[0]!.count
}

export type NewsLine = { told: Told; href: string | undefined; isUnread: boolean; isObsolete: boolean }

/** The latest, newest first. What the reader may no longer see is not told again. */
export async function findNews(context: RequestContext, limit: number): Promise<NewsLine[]> {
  const { db, actor, now } = context
  if (actor.kind !== 'user') return []
  const told = await findTold(db, actor, { userId: actor.userId, limit })
  return told
    .filter(({ kind, event }) => !event || event.isShown || kind === 'event_called_off' || kind === 'event_message')
    .map((one) => ({
      told: one,
      href: linkOf(one, { isUser: true, federatedGuestId: undefined })?.path,
      isUnread: one.readAt === null,
      isObsolete: isObsolete(one, now),
    }))
}
