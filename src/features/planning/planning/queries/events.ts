import { type Kysely, sql } from 'kysely'
import { changeableBy, openTo, publishableBy } from '#features/events/events/access.ts'
import { refuseEvent } from '#features/events/events/queries/refusals.ts'
import { eventValueColumns } from '#features/events/events/queries/shift-columns.ts'
import type { EventInput } from '#features/events/events/rules/event-fields.ts'
import type { Actor } from '#platform/auth/actor.ts'
import { hasPermission, userIdOf, userIdOrNull } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { andAll, searchNames } from '#platform/db/conditions.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import { journalKind } from '#platform/journal/entries.ts'

export type PlannedEvent = EventInput & {
  id: number
  active: boolean
  cancelledAt: Date | null
  cancellationReason: string | null
  start: Date | null
}

const columns = sql`
  e.id, ${sql.join(Object.values(eventValueColumns))}, e.type_id as "typeId", e.active, e.cancelled_at as "cancelledAt",
  e.cancellation_reason as "cancellationReason", e.start_time as start,
  array(select g.group_id from event_group_grant g where g.event_id = e.id and g.permission = 'view' order by 1) as groups,
  array(select g.group_id from event_group_grant g where g.event_id = e.id and g.permission = 'change' order by 1) as "responsibleGroups",
  array(select g.user_id from event_user_grant g where g.event_id = e.id and g.permission = 'change' order by 1) as "responsibleUsers"`

/** An event that the caller may change and that is not in the bin. */
export async function getPlannedEvent(db: Kysely<DB>, actor: Actor, id: number): Promise<PlannedEvent | undefined> {
  return rowsOf(db).first(sql<PlannedEvent>`
    select ${columns} from event e where e.id = ${id} and e.deleted_at is null and ${changeableBy(actor)}`)
}

/** 403 for events that the caller only sees, 404 for others. */
export async function requirePlannedEvent({ db, actor }: { db: Kysely<DB>; actor: Actor }, id: number): Promise<PlannedEvent> {
  const event = await getPlannedEvent(db, actor, id)
  if (!event) throw await refuseEvent(db, actor, id)
  return event
}

/** Those of the events that the caller may change and that are not in the bin. */
export async function findPlannedEvents(db: Kysely<DB>, actor: Actor, ids: readonly number[]): Promise<PlannedEvent[]> {
  return rowsOf(db).all(sql<PlannedEvent>`
    select ${columns} from event e
    where e.id = any (${ids}::bigint[]) and e.deleted_at is null and ${changeableBy(actor)} order by e.start_time, e.id`)
}

/** An event that the caller may copy; view access is enough. */
export async function getCopiedEvent(db: Kysely<DB>, actor: Actor, id: number): Promise<PlannedEvent | undefined> {
  return rowsOf(db).first(sql<PlannedEvent>`select ${columns} from event e where e.id = ${id} and ${openTo(actor)}`)
}

export type TypeChoice = { id: number; title: string; color: string }

/** Types that are not archived, plus the current one. */
export async function findTypeChoices({ db }: Pick<RequestContext, 'db'>, current?: number): Promise<TypeChoice[]> {
  return rowsOf(db).all(sql<TypeChoice>`
    select t.id, t.title, t.color from event_type t where t.archived_at is null or t.id = ${current ?? 0}
    order by lower(t.title), t.id`)
}

type TypeDefaults = TypeChoice & {
  description: string | null
  groups: number[]
  responsibleGroups: number[]
  responsibleUsers: number[]
}

/** Defaults of a new event. Groups: those of the type that the caller may publish for, otherwise all of the caller's. */
export async function getTypeDefaults(
  context: Pick<RequestContext, 'db' | 'actor'>,
  typeId: number,
): Promise<TypeDefaults | undefined> {
  const { db, actor } = context
  const userId = userIdOf(actor)
  const found = await rowsOf(db).first(sql<TypeDefaults>`
    select t.id, t.title, t.color, t.default_description as description,
      array(
        select g.id from user_group g where ${publishableBy(actor)} and not t.visible_for_all_groups
          and g.id in (select d.group_id from event_type_default_group d where d.event_type_id = t.id and d.role = 'audience') order by g.id
      ) as groups,
      array(select d.group_id from event_type_default_group d where d.event_type_id = t.id and d.role = 'responsible' order by 1) as "responsibleGroups",
      array(select d.user_id from event_type_default_user d where d.event_type_id = t.id union select ${userId}::bigint order by 1) as "responsibleUsers"
    from event_type t where t.id = ${typeId} and t.archived_at is null`)
  if (!found || found.groups.length) return found
  return { ...found, groups: (await findGroupChoices(context)).filter(({ isPublishable }) => isPublishable).map(({ id }) => id) }
}

export type GroupChoice = { id: number; name: string; members: number; isPublishable: boolean }

export async function findGroupChoices({ db, actor }: Pick<RequestContext, 'db' | 'actor'>): Promise<GroupChoice[]> {
  return rowsOf(db).all(sql<GroupChoice>`
    with uncounted as (
      select m.group_id, count(*)::int as people from user_profile u join user_group_member m on m.user_id = u.id
      where not u.is_active or u.is_service_account group by 1
    )
    select g.id, g.name, ${publishableBy(actor)} as "isPublishable",
      (select count(*)::int from user_group_member m where m.group_id = g.id) - coalesce(uncounted.people, 0) as members
    from user_group g left join uncounted on uncounted.group_id = g.id order by lower(g.name), g.id`)
}

type PersonChoice = { id: number; name: string; email: string }

/** Organisations with more people get only those whose name was typed: a page must not contain everybody. */
const MOST_PEOPLE_OFFERED = 200

/** People who can be made responsible; hidden accounts only if already chosen. `typed`: a part of a name. */
export async function findPersonChoices(
  { db }: Pick<RequestContext, 'db'>,
  chosen: readonly number[],
  typed = '',
): Promise<PersonChoice[]> {
  const columns = sql`u.id, u.display_name as name, case when u.email like '%@no-address.invalid' then coalesce(u.username, '') else u.email end as email`
  // The index of names has no deleted people.
  const offered = sql`u.deleted_at is null and u.is_active and u.is_visible`
  const { rows } = await sql<PersonChoice>`
    select ${columns} from user_profile u where u.id = any (${chosen}::bigint[])
    union
    (select ${columns} from user_profile u where ${offered} order by lower(u.display_name), u.id limit ${MOST_PEOPLE_OFFERED + 1})
    order by 2, 1`.execute(db)
  const byName = (people: readonly PersonChoice[]) => people.toSorted((a, b) => a.name.localeCompare(b.name) || a.id - b.id)
  if (rows.filter(({ id }) => !chosen.includes(id)).length <= MOST_PEOPLE_OFFERED) return byName(rows)
  // The label of a person with a common name ends with the address.
  const name = typed.trim().replace(/\s*\([^()]*\)$/, '')
  const named = name ? sql`${offered}${andAll(searchNames(name.split(/\s+/).slice(0, 8), [sql`u.display_name`]))}` : sql`false`
  const { rows: found } = await sql<PersonChoice>`
    select ${columns} from user_profile u where u.id = any (${chosen}::bigint[])
    union
    (select ${columns} from user_profile u where ${named} order by lower(u.display_name), u.id limit ${MOST_PEOPLE_OFFERED})`.execute(
    db,
  )
  return byName(found)
}

/** Number of distinct people who would see the event. */
export async function countReaders(
  { db }: Pick<RequestContext, 'db'>,
  groups: readonly number[],
  users: readonly number[],
): Promise<number> {
  const { count } = await rowsOf(db).one(sql<{ count: number }>`
    select count(*)::int as count from user_profile u where u.is_active and u.is_visible and (
      u.id = any (${users}::bigint[])
      or exists (select from user_group_member m where m.user_id = u.id and m.group_id = any (${groups}::bigint[]))
    )`)
  return count
}

type DraftLine = { id: number; title: string; createdAt: Date; creator: string | null; isOwn: boolean; shifts: number }

/** The caller's drafts first; drafts of others only with `change_event`. */
export async function findDrafts({ db, actor }: RequestContext): Promise<DraftLine[]> {
  const userId = userIdOf(actor)
  const others = hasPermission(actor, 'change_event') ? sql`true` : sql`e.created_by_id = ${userId}`
  return rowsOf(db).all(sql<DraftLine>`
    select e.id, e.title, e.created_at as "createdAt", u.display_name as creator,
      e.created_by_id is not distinct from ${userId}::bigint as "isOwn", e.shift_count as shifts
    from event e left join user_profile u on u.id = e.created_by_id
    where not e.active and e.deleted_at is null and ${others} and ${openTo(actor)}
    order by "isOwn" desc, e.created_at desc, e.id desc limit 50`)
}

type BinLine = { id: number; title: string; start: Date | null; deletedAt: Date; shifts: number; participations: number }

/** Deleted events that the caller may restore. */
export async function findBin({ db, actor }: RequestContext): Promise<BinLine[]> {
  if (!hasPermission(actor, 'delete_event')) return []
  // never null: deletedAt (only deleted events are selected)
  return rowsOf(db).all(sql<BinLine>`
    select e.id, e.title, e.start_time as start, e.deleted_at as "deletedAt", e.shift_count as shifts,
      (select count(*)::int from participation p where p.event_id = e.id and p.state in (0, 1)) as participations
    from event e where e.deleted_at is not null and ${changeableBy(actor)} order by e.deleted_at desc, e.id desc limit 200`)
}

/** Number of people affected if the event is cancelled or deleted. */
export async function countAffected(
  { db }: Pick<RequestContext, 'db'>,
  eventId: number,
): Promise<{ confirmed: number; requested: number }> {
  return rowsOf(db).one(sql<{ confirmed: number; requested: number }>`
    select count(distinct coalesce('u' || p.user_id, 'v' || p.visitor_id, 'g' || p.guest_id, p.placeholder_name)) filter (where p.state = 1)::int as confirmed,
      count(distinct coalesce('u' || p.user_id, 'v' || p.visitor_id, 'g' || p.guest_id, p.placeholder_name)) filter (where p.state = 0)::int as requested
    from participation p where p.event_id = ${eventId}`)
}

/** People who are notified if the time of a shift or the place of an event changes, except the caller. Drafts notify nobody. */
export async function countNotified(
  db: Kysely<DB>,
  actor: Actor,
  where: { shiftId: number } | { eventId: number },
): Promise<number> {
  const matches = 'shiftId' in where ? sql`p.shift_id = ${where.shiftId}` : sql`p.event_id = ${where.eventId}`
  const { count } = await rowsOf(db).one(sql<{ count: number }>`
    select count(distinct (p.user_id, p.visitor_id, p.guest_id))::int as count
    from participation p join event e on e.id = p.event_id left join user_profile u on u.id = p.user_id
    where ${matches} and p.state in (0, 1) and p.kind <> 'placeholder' and e.listed and (u.id is null or u.is_active)
      and p.user_id is distinct from ${userIdOrNull(actor)}`)
  return count
}

/** How many people a change of several shifts notifies; everybody counts once. */
export async function countNotifiedOf(db: Kysely<DB>, actor: Actor, shiftIds: readonly number[]): Promise<number> {
  const { count } = await rowsOf(db).one(sql<{ count: number }>`
    select count(distinct (p.user_id, p.visitor_id, p.guest_id))::int as count
    from participation p join event e on e.id = p.event_id left join user_profile u on u.id = p.user_id
    where p.shift_id = any (${shiftIds}::bigint[]) and p.state in (0, 1) and p.kind <> 'placeholder' and e.listed
      and (u.id is null or u.is_active) and p.user_id is distinct from ${userIdOrNull(actor)}`)
  return count
}

/** Name of the user who last changed the event or one of its shifts. */
export async function getLastEditor({ db }: Pick<RequestContext, 'db'>, eventId: number): Promise<string | undefined> {
  const row = await rowsOf(db).first(sql<{ name: string }>`
    select u.display_name as name from journal j join user_profile u on u.id = j.actor_id
    where j.event_id = ${eventId} and j.actor_kind = 'user' and j.kind in (${journalKind('event.changed', 'shift.changed')}) order by j.id desc limit 1`)
  return row?.name
}
