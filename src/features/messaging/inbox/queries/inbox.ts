import { type RawBuilder, sql } from 'kysely'
import { shownTo } from '#features/events/events/access.ts'
import type { Notification } from '#features/messaging/notification-kinds/rules/kinds.ts'
import { kindsOf } from '#features/messaging/notifications/queries/kinds.ts'
import { findNotifications } from '#features/messaging/notifications/queries/notifications.ts'
import { userIdOf } from '#platform/auth/actor.ts'
import type { RequestContext, Site } from '#platform/auth/context.ts'
import { findPage, type Paged, type PagedRows, type PageRequest } from '#platform/db/paged.ts'

/** The bell shows “99+” above 99. */
const MAX_COUNTED = 100

/** The number of unread notifications as one value; those of modules that are off are not shown. */
export const unreadCount = (site: Pick<Site, 'added'>, userId: number): RawBuilder<unknown> => sql`(
  select count(*)::int from (
    select from notification where user_id = ${userId} and read_at is null
      and kind = any (${kindsOf(site).map(({ name }) => name)}::text[]) limit ${MAX_COUNTED}) unread)`

/** Newest first, without those about events that the user can no longer see. */
export async function findInbox(context: RequestContext, limit: number): Promise<Notification[]> {
  const { actor } = context
  if (actor.kind !== 'user') return []
  const notifications = await findNotifications(context, actor, { userId: actor.userId, limit })
  return notifications.filter(({ kind, event }) => !event || event.isShown || kind.showsHiddenEvents)
}

const shownAnyway = (context: RequestContext) =>
  kindsOf(context.site)
    .filter(({ showsHiddenEvents }) => showsHiddenEvents)
    .map(({ name }) => name)

/** Repeats the condition of `findInbox` on a notification `n`, without those about children: tokens know no guardians. */
const inInbox = (context: RequestContext): RawBuilder<unknown> =>
  sql`n.user_id = ${userIdOf(context.actor)} and n.about_id is null and (n.event_id is null or n.kind = any (${shownAnyway(context)}::text[])
    or exists (select from event e where e.id = n.event_id and ${shownTo(context.actor)}))`

/** For the API, newest first. */
export async function findInboxPage(context: RequestContext, page: PageRequest): Promise<PagedRows<Notification>> {
  const order = [{ column: sql`n.id`, type: 'bigint' as const, descending: true }]
  const listing = { columns: { id: sql`n.id` }, from: sql`from notification n`, where: inInbox(context), order }
  const { rows, ...rest } = await findPage(context, listing, page, (chosen) => sql<Paged<{ id: number }>>`${chosen}`)
  return { ...rest, rows: await inOrder(context, rows) }
}

export async function getInboxItem(context: RequestContext, id: number): Promise<Notification | undefined> {
  const { rows } = await sql<{ id: number }>`select n.id from notification n where n.id = ${id} and ${inInbox(context)}`.execute(
    context.db,
  )
  return (await inOrder(context, rows))[0]
}

async function inOrder(context: RequestContext, rows: readonly { id: number }[]): Promise<Notification[]> {
  if (!rows.length) return []
  const found = await findNotifications(context, context.actor, { ids: rows.map(({ id }) => id) })
  const byId = new Map(found.map((each) => [each.id, each]))
  return rows.flatMap(({ id }) => byId.get(id) ?? [])
}
