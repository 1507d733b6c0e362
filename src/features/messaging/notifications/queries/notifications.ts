import { type RawBuilder, sql } from 'kysely'
import { findActorsOfChildren, type Reading } from '#features/accounts/users/queries/guardians.ts'
import { changeableBy, shownTo } from '#features/events/events/access.ts'
import { notificationPart } from '#features/messaging/notification-kinds/points.ts'
import type { NotificationParts } from '#features/messaging/notification-kinds/rules/details.ts'
import type { Notification } from '#features/messaging/notification-kinds/rules/kinds.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Site as WholeSite } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import { kindsOf, requireKind } from './kinds.ts'

type Site = Pick<WholeSite, 'timeZone' | 'added'>
type NotificationReading = Reading & { site: Site }

type Row = {
  id: number
  kind: string
  user_id: number | null
  about_id: number | null
  data: Record<string, unknown>
  created_at: Date
  read_at: Date | null
  event_id: number | null
  title: string | null
  location: string | null
  event_start: Date | null
  event_end: Date | null
  listed: boolean | null
  cancelled_at: Date | null
  cancellation_reason: string | null
  deleted_at: Date | null
  is_shown: boolean | null
  is_responsible: boolean | null
  shift_id: number | null
  label: string | null
  meeting_time: Date | null
  shift_start: Date | null
  shift_end: Date | null
  missing: number | null
  state: number | null
  start_time: Date | null
  end_time: Date | null
  individual_start_time: Date | null
  individual_end_time: Date | null
  is_lapsed: boolean | null
  participant: string | null
  actor_id: number | null
  actor: string | null
  comment: string | null
  parts: Record<string, unknown>
}

/** Only these include comments that participants must not see (`visible_for` 0). */
const responsibleKinds = (site: Site) =>
  kindsOf(site)
    .filter(({ role }) => role === 'responsible')
    .map(({ name }) => name)

/**
 * `actor`: the recipient; `isShown` and `isResponsible` are from their point of view. What guardians get about a child is from the point
 * of view of the child, and is left out if they may not act for it.
 */
export async function findNotifications(
  context: NotificationReading,
  actor: Actor,
  which: { ids: readonly number[] } | { userId: number; limit: number },
): Promise<Notification[]> {
  const rows = await readRows(context, actor, which)
  const toOne = (row: Row, child?: Notification['child']) => toNotification(context.site, row, child)
  const byChild = Map.groupBy(rows, ({ about_id }) => about_id)
  const childIds = [...byChild.keys()].filter((id) => id !== null)
  if (!childIds.length || actor.kind !== 'user') return rows.map((row) => toOne(row))
  const found = new Map((byChild.get(null) ?? []).map((row) => [row.id, toOne(row)]))
  for (const child of await findActorsOfChildren(context, actor, childIds)) {
    const ids = byChild.get(child.userId)!.map(({ id }) => id)
    for (const row of await readRows(context, child, { ids }))
      found.set(row.id, toOne(row, { userId: child.userId, name: child.displayName }))
  }
  return rows.flatMap(({ id }) => found.get(id) ?? [])
}

/** Whom a notification `n` is about: the recipient, or the child of the recipient. */
const personId = sql`coalesce(n.about_id, n.user_id)`

async function readRows(
  { db, site }: NotificationReading,
  actor: Actor,
  which: { ids: readonly number[] } | { userId: number; limit: number },
): Promise<Row[]> {
  const where: RawBuilder<unknown> =
    'ids' in which
      ? sql`n.id = any (${which.ids}::bigint[]) order by n.id`
      : sql`n.user_id = ${which.userId} order by n.id desc limit ${which.limit}`
  return rowsOf(db).all(sql<Row>`
    select n.id, n.kind, n.user_id, n.about_id, n.data, n.created_at, n.read_at, n.event_id,
      e.title, e.location, e.start_time as event_start, e.end_time as event_end, e.listed, e.cancelled_at, e.cancellation_reason, e.deleted_at,
      ${shownTo(actor)} as is_shown, ${changeableBy(actor)} as is_responsible,
      s.id as shift_id, s.label, s.meeting_time, s.start_time as shift_start, s.end_time as shift_end,
      greatest(s.missing, s.shortfall) as missing,
      p.state, p.start_time, p.end_time, p.individual_start_time, p.individual_end_time,
      exists (select from place_basis b where b.participation_id = p.id and b.lapse is not null) as is_lapsed,
      coalesce(u.display_name, v.display_name, g.display_name, p.placeholder_name) as participant,
      a.id as actor_id, a.display_name as actor, c.text as comment,
      ${partsOf(site, actor)} as parts
    from notification n
    left join event e on e.id = n.event_id
    left join participation p on p.id = n.participation_id
    left join shift s on s.id = coalesce(p.shift_id, (n.data ->> 'shift_id')::bigint)
    left join user_profile u on u.id = p.user_id left join visitor v on v.id = p.visitor_id left join guest g on g.id = p.guest_id
    left join user_profile a on a.id = n.actor_id
    left join participation_comment c on c.id = (n.data ->> 'comment_id')::bigint and c.participation_id = p.id
      and (c.visible_for >= 1 or n.kind = any (${responsibleKinds(site)}::text[]))
    where n.kind = any (${kindsOf(site).map(({ name }) => name)}::text[]) and ${where}`)
}

function toNotification(site: Site, row: Row, child?: Notification['child']): Notification {
  return {
    ...parseParts(site, row.parts),
    id: row.id,
    kind: requireKind(site, row.kind),
    data: row.data,
    createdAt: row.created_at,
    readAt: row.read_at,
    child,
    event: toEvent(row),
    shift:
      row.shift_id === null
        ? undefined
        : {
            id: row.shift_id,
            label: row.label!,
            meeting: row.meeting_time!,
            start: row.shift_start!,
            end: row.shift_end!,
            missing: row.missing!,
          },
    participation:
      row.state === null
        ? undefined
        : {
            state: row.state,
            start: row.start_time!,
            end: row.end_time!,
            individualStart: row.individual_start_time,
            individualEnd: row.individual_end_time,
            isLapsed: row.is_lapsed === true,
          },
    participant: row.participant ?? undefined,
    actorId: row.actor_id,
    actor: row.actor ?? undefined,
    comment: row.comment ?? undefined,
  }
}

/** One JSON object with what features add. */
const partsOf = (site: Site, actor: Actor) =>
  sql`json_build_object(${sql.join(site.added(notificationPart).flatMap(({ name, read }) => [sql.lit(String(name)), read({ actor, personId })]))})`

const parseParts = ({ added }: Site, stored: Row['parts']): NotificationParts =>
  Object.fromEntries(
    added(notificationPart).map(({ name, parse }) => [name, stored[name] === null ? undefined : parse(stored[name])]),
  )

function toEvent(row: Row): Notification['event'] {
  if (row.title === null) return undefined
  return {
    id: row.event_id!,
    title: row.title,
    location: row.location!,
    time: row.event_start && row.event_end ? { start: row.event_start, end: row.event_end } : undefined,
    isListed: row.listed!,
    isCancelled: row.cancelled_at !== null,
    isDeleted: row.deleted_at !== null,
    cancellationReason: row.cancellation_reason,
    isShown: row.is_shown!,
    isResponsible: row.is_responsible!,
  }
}
