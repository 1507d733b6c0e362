import { type Kysely, type RawBuilder, sql } from 'kysely'
import { isNotOfAge, type Moment, type Reading } from '#features/accounts/users/queries/guardians.ts'
import { shownTo } from '#features/events/events/access.ts'
import type { Actor } from '#platform/auth/actor.ts'
import { hasPermission } from '#platform/auth/actor.ts'
import type { Permission } from '#platform/auth/permissions.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'

/**
 * `profile`: name, picture, address, birth date, phone, emergency contact, groups and qualifications. `child`: what guardians read.
 * `account`: name, address and groups. `lists`: the name where people are chosen. `name`: on shifts, with comments for everybody. `phone`:
 * on boards, rosters and check-in lists. `contact`: name, address, and the phone number if the person shows it, at events that the person
 * plans. `requests`: what the person asked for. `files`: the name at files that the person uploaded. `privacy/appearances.test.ts` opens all
 * pages as each of these readers.
 */
export const AREAS = [
  'profile',
  'child',
  'account',
  'lists',
  'name',
  'phone',
  'contact',
  'comments',
  'hours',
  'requests',
  'files',
  'log',
] as const
export type Area = (typeof AREAS)[number]
type ViewReason =
  | 'administrator'
  | 'permission'
  | 'group'
  | 'audience'
  | 'participants'
  | 'responsible'
  | 'granted'
  | 'guardian'
  | 'planner'
  | 'decider'

/** Queries with the columns `user_id`, `reason` and `group_id`: everybody with a global permission. */
const holders = (permission: Permission): RawBuilder<unknown> => sql`
  select u.id as user_id, 'administrator' as reason, null::bigint as group_id from user_profile u where u.is_superuser or u.is_staff
  union all select p.user_id, 'permission', null from user_permission p where p.permission = ${permission}
  union all select m.user_id, 'group', m.group_id from group_permission p join user_group_member m on m.group_id = p.group_id
    where p.permission = ${permission}`

/** Published events on whose pages the person is named as a contact: `findContacts` names a few of those who plan the event. */
const plannedBy = (userId: number): RawBuilder<unknown> => sql`(
  select e.id, e.audience_id from event e join user_profile me on me.id = ${userId} and me.is_active and me.is_visible
  where e.active and e.deleted_at is null and (
    exists (select from event_user_grant g where g.event_id = e.id and g.permission = 'change' and g.user_id = me.id)
    or exists (select from event_group_grant g join user_group_member m on m.group_id = g.group_id and m.user_id = me.id
      where g.event_id = e.id and g.permission = 'change')))`

/** Everybody who decides about the working hours of the person. */
const hoursDeciders = (userId: number): RawBuilder<unknown> => sql`
  ${holders('decide_working_hours_for_group')}
  union all select u.user_id, 'decider', g.group_id from group_grant g
    join user_group_member m on m.group_id = g.target_group_id and m.user_id = ${userId}
    join user_group_member u on u.group_id = g.group_id
    where g.permission = 'decide_working_hours_for_group'`

/** Everybody who decides about requests that the person made, by their kind. */
const requestDeciders = (userId: number): RawBuilder<unknown> => {
  const made = (condition: RawBuilder<unknown>) => sql`exists (
    select from decision_request r where r.user_id = ${userId} and r.state <> 'withdrawn' and ${condition})`
  const afterEvents = sql`select e.id from decision_request r join event e on e.id::text = r.data ->> 'event_id'
    where r.user_id = ${userId} and r.state <> 'withdrawn' and r.kind = 'qualification'`
  return sql`
    select h.user_id, h.reason, h.group_id from (${hoursDeciders(userId)}) h where ${made(sql`r.kind = 'working_hours'`)}
    union all select h.user_id, h.reason, h.group_id from (${holders('change_user')}) h
      where ${made(sql`r.kind in ('qualification', 'profile')`)}
    union all select h.user_id, h.reason, h.group_id from (${holders('change_group')}) h
      where ${made(sql`r.kind = 'joining' and r.data ->> 'group_id' is not null`)}
    union all select h.user_id, h.reason, h.group_id from (${holders('add_user')}) h
      where ${made(sql`r.kind = 'joining' and r.data ->> 'group_id' is null`)}
    union all select h.user_id, h.reason, h.group_id from (${holders('change_event')}) h where exists (${afterEvents})
    union all select g.user_id, 'responsible', null from event_user_grant g
      where g.permission = 'change' and g.event_id in (${afterEvents})
    union all select m.user_id, 'responsible', g.group_id from event_group_grant g
      join user_group_member m on m.group_id = g.group_id
      where g.permission = 'change' and g.event_id in (${afterEvents})`
}

/** Everybody to whom people are offered by name, for a place, for a responsibility or for a group: as `mayPlan` of people-times. */
const choosers = (userId: number, { now }: Moment): RawBuilder<unknown> => sql`
  select c.user_id, c.reason, c.group_id from (
    ${holders('add_event')} union all ${holders('change_event')} union all ${holders('change_group')}
    union all select g.user_id, 'planner', null from event_user_grant g join event e on e.id = g.event_id
      where g.permission = 'change' and e.listed and e.end_time >= ${now}
    union all select m.user_id, 'planner', g.group_id from event_group_grant g join event e on e.id = g.event_id
      join user_group_member m on m.group_id = g.group_id
      where g.permission = 'change' and e.listed and e.end_time >= ${now}
  ) c where exists (select from user_profile me where me.id = ${userId} and me.is_active and me.is_visible)`

/**
 * Who sees what about a person: rows of area, reason, group and user. The set-based form of the conditions in
 * `participations/access.ts` and of the global permissions; `privacy/access.test.ts` compares both.
 */
export const viewersOf = (userId: number, at: Moment): RawBuilder<unknown> => sql`
  with mine as (
    select distinct e.id, e.audience_id, t.show_participant_data as shown
    from participation p join event e on e.id = p.event_id join event_type t on t.id = e.type_id
    where p.user_id = ${userId} and e.active and e.deleted_at is null
  ),
  audiences as (
    select distinct g.group_id, m.shown in (0, 3) as open
    from (select distinct audience_id, shown from mine) m join audience a on a.id = m.audience_id
      cross join lateral unnest(a.group_ids) as g (group_id)
  ),
  personal as (
    select g.user_id, m.shown in (0, 3) as open from mine m join event_user_grant g on g.event_id = m.id
    union select p.user_id, m.shown in (0, 3) from mine m join participation p on p.event_id = m.id
      where p.user_id is not null and p.state <> 4
  ),
  seers as (
    select m.user_id from audiences a join user_group_member m on m.group_id = a.group_id
    union select user_id from personal
    union select h.user_id from (${holders('view_event')}) h
  ),
  planned as (
    select distinct e.id from participation p join event e on e.id = p.event_id
    where p.user_id = ${userId} and e.deleted_at is null
  ),
  responsible as (
    select g.user_id, null::bigint as group_id from planned m join event_user_grant g on g.event_id = m.id and g.permission = 'change'
    union select u.user_id, g.group_id from planned m join event_group_grant g on g.event_id = m.id and g.permission = 'change'
      join user_group_member u on u.group_id = g.group_id
  ),
  planners as (
    select r.user_id, 'responsible' as reason, r.group_id from responsible r
    union all select h.user_id, h.reason, h.group_id from (${holders('change_event')}) h
      where exists (select from planned)
  ),
  trusted as (
    select v.viewer_id as user_id, 'granted' as reason, null::bigint as group_id from profile_user_grant v
      where v.user_id = ${userId} and v.viewer_id in (select user_id from seers) and exists (select from mine)
    union all select m.user_id, 'granted', v.group_id from profile_group_grant v join user_group_member m on m.group_id = v.group_id
      where v.user_id = ${userId} and m.user_id in (select user_id from seers) and exists (select from mine)
    union all select h.user_id, h.reason, h.group_id from (${holders('view_user')}) h
      where h.user_id in (select user_id from seers) and exists (select from mine)
  ),
  found as (
    select 'profile' as area, h.user_id, h.reason, h.group_id from (${holders('view_user')}) h
    union all select 'child', g.guardian_id, 'guardian', null from guardianship g join user_profile c on c.id = g.child_id
      where g.child_id = ${userId} and ${isNotOfAge(at)}
    union all select 'account', h.user_id, h.reason, h.group_id from (${holders('change_user')}) h
    union all select 'lists', c.user_id, c.reason, c.group_id from (${choosers(userId, at)}) c
    union all select 'hours', h.user_id, h.reason, h.group_id from (${holders('view_user')} union all ${hoursDeciders(userId)}) h
    union all select 'requests', r.user_id, r.reason, r.group_id from (${requestDeciders(userId)}) r
    union all select 'log', h.user_id, h.reason, h.group_id from (${holders('view_journal')}) h
    union all select 'files', h.user_id, h.reason, h.group_id from (${holders('change_file')}) h
      where exists (select from attachment a where a.uploader_id = ${userId})
    union all select 'comments', p.user_id, p.reason, p.group_id from planners p
    union all select 'name', p.user_id, p.reason, p.group_id from planners p
    union all select 'name', m.user_id, 'audience', m.group_id from audiences a join user_group_member m on m.group_id = a.group_id where a.open
    union all select 'name', p.user_id, 'participants', null from personal p where p.open
    union all select 'name', h.user_id, h.reason, h.group_id from (${holders('view_event')}) h where exists (select from mine where shown in (0, 3))
    union all select 'name', p.user_id, 'participants', null from mine m join participation p on p.event_id = m.id
      where m.shown = 1 and p.state = 1 and p.user_id is not null
    union all select 'name', t.user_id, t.reason, t.group_id from trusted t
    union all select 'phone', p.user_id, p.reason, p.group_id from planners p
    union all select 'phone', t.user_id, t.reason, t.group_id from trusted t
    union all select 'contact', m.user_id, 'audience', m.group_id from ${plannedBy(userId)} e join audience a on a.id = e.audience_id
      cross join lateral unnest(a.group_ids) as g (group_id) join user_group_member m on m.group_id = g.group_id
    union all select 'contact', g.user_id, 'participants', null from ${plannedBy(userId)} e join event_user_grant g on g.event_id = e.id
    union all select 'contact', p.user_id, 'participants', null from ${plannedBy(userId)} e
      join participation p on p.event_id = e.id and p.user_id is not null and p.state <> 4
    union all select 'contact', h.user_id, h.reason, h.group_id from (${holders('view_event')}) h where exists (select from ${plannedBy(userId)} e)
  )
  select distinct f.area, f.user_id, f.reason, f.group_id from found f join user_profile u on u.id = f.user_id
  where u.id <> ${userId} and u.is_active and u.deleted_at is null and not u.is_service_account`

/** Larger groups are only counted. */
const MAX_NAMED = 10

type ViewerGroup = { area: Area; reason: ViewReason; group: string | null; count: number; names: string[] | null }
type ViewerTotal = { area: Area; count: number }

/**
 * One row per reason and group. Names only of small groups, and only of people whose name the person sees anyway: as a reader of
 * profiles, or because they are responsible for an event that the person sees.
 */
export async function findViewers(
  { db, now, site }: Reading,
  actor: Actor & { kind: 'user' },
): Promise<{ groups: ViewerGroup[]; totals: ViewerTotal[] }> {
  const isNamed = hasPermission(actor, 'view_user')
    ? sql`true`
    : sql`u.id in (select g.user_id from event_user_grant g join event e on e.id = g.event_id where g.permission = 'change' and ${shownTo(actor)})`
  const { rows } = await sql<ViewerGroup>`
    with viewers as materialized (${viewersOf(actor.userId, { now, site })})
    select v.area, v.reason, g.name as group, count(*)::int as count,
      case when count(*) <= ${MAX_NAMED} and bool_and(${isNamed}) then array_agg(u.display_name order by lower(u.display_name), u.id) end as names
    from viewers v join user_profile u on u.id = v.user_id left join user_group g on g.id = v.group_id
    group by v.area, v.reason, g.id, g.name order by v.area, count(*) desc, v.reason, g.name`.execute(db)
  // never null: area, count
  const { rows: totals } = await sql<ViewerTotal>`
    select area, count(distinct user_id)::int as count from (${viewersOf(actor.userId, { now, site })}) v group by area`.execute(
    db,
  )
  return { groups: rows, totals }
}

export type OutsideKind = 'application' | 'program' | 'partner' | 'partner_people' | 'partner_contact' | 'guests'
type OutsideViewer = { kind: OutsideKind; name: string; scopes: string[] }

/**
 * Applications that the person allowed, programs of the organisation that may read profiles, partners where they took part, people of partners who see them on shifts or as a contact, and
 * guests of events that show first names.
 */
export async function findOutsideViewers(db: Kysely<DB>, userId: number): Promise<OutsideViewer[]> {
  return rowsOf(db).all(sql<OutsideViewer>`
    select 'application' as kind, a.name, c.scopes from oauth_consent c join oauth_application a on a.id = c.application_id
      where c.user_id = ${userId}
    union all select 'program', u.display_name, s.scopes from service_account s join user_profile u on u.id = s.user_id and u.is_active
      where 'CONFIDENTIAL_READ' = any (s.scopes) and u.id in (select h.user_id from (${holders('view_user')}) h)
    union all select distinct 'partner', h.name, '{}'::text[] from participation_abroad p
      join partner_event e on e.id = p.partner_event_id join federated_host h on h.id = e.host_id where p.user_id = ${userId}
    union all select distinct 'partner_people', f.name, '{}'::text[] from participation p join event e on e.id = p.event_id
      join event_type t on t.id = e.type_id and t.show_participant_data = 3 join event_share s on s.event_id = e.id
      join federated_guest f on f.id = s.federated_guest_id where p.user_id = ${userId} and e.active and e.deleted_at is null
    union all select distinct 'partner_contact', f.name, '{}'::text[] from ${plannedBy(userId)} e
      join event_share s on s.event_id = e.id join federated_guest f on f.id = s.federated_guest_id
    union all select distinct 'guests', e.title, '{}'::text[] from participation p join event e on e.id = p.event_id
      join guest_share s on s.event_id = e.id
      where p.user_id = ${userId} and p.state = 1 and e.guests_see_names and e.active and e.deleted_at is null
    order by 1, 2`)
}
