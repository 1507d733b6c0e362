import { type Kysely, sql } from 'kysely'
import { isOneOf } from '#platform/db/conditions.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import type { EventPeople, ProfileViewers } from '../rules/rows.ts'

/** People of events as far as the groups of the event do not tell. */
export async function findEventPeople(db: Kysely<DB>, ids: number[]): Promise<EventPeople[]> {
  if (!ids.length) return []
  return rowsOf(db).all(sql<EventPeople>`
    select e.id, e.audience_id, e.listed, t.show_participant_data,
      array(
        select own.user_id from (
          select g.user_id from event_user_grant g where g.event_id = e.id
          union select p.user_id from participation p where p.event_id = e.id and p.user_id is not null and p.state <> 4
        ) own
        where not exists (
          select from user_group_member m where m.user_id = own.user_id and m.group_id = any (a.group_ids))
        order by own.user_id
      ) as users,
      array(select g.user_id from event_user_grant g where g.event_id = e.id and g.permission = 'change' order by 1) as responsible_users,
      array(select g.group_id from event_group_grant g where g.event_id = e.id and g.permission = 'change' order by 1) as responsible_groups,
      case when t.show_participant_data = 1 then array(
        select distinct p.user_id from participation p where p.event_id = e.id and p.user_id is not null and p.state = 1 order by 1)
      else '{}' end as confirmed,
      array(select distinct coalesce(p.user_id, 0) from participation p where p.event_id = e.id) as participants
    from event e join event_type t on t.id = e.type_id join audience a on a.id = e.audience_id
    where ${isOneOf(sql`e.id`, ids)}`)
}

/** Groups by audience. */
export async function findAudiences(db: Kysely<DB>, ids: number[]): Promise<Map<number, number[]>> {
  if (!ids.length) return new Map()
  const { rows } = await sql<{ id: number; group_ids: number[] }>`
    select a.id, a.group_ids from audience a where ${isOneOf(sql`a.id`, ids)}`.execute(db)
  return new Map(rows.map(({ id, group_ids }) => [id, group_ids]))
}

/** Which of the users are in a group of the audience, by event. */
export async function findMembers(db: Kysely<DB>, eventIds: number[], userIds: number[]): Promise<Map<number, Set<number>>> {
  if (!eventIds.length) return new Map()
  const { rows } = await sql<{ event_id: number; user_ids: number[] }>`
    select e.id as event_id, array_agg(distinct m.user_id) as user_ids
    from event e join audience a on a.id = e.audience_id join user_group_member m on m.group_id = any (a.group_ids)
    where ${isOneOf(sql`e.id`, eventIds)} and ${isOneOf(sql`m.user_id`, userIds)} group by e.id`.execute(db)
  return new Map(rows.map(({ event_id, user_ids }) => [event_id, new Set(user_ids)]))
}

export async function findShiftIds(db: Kysely<DB>, eventIds: number[]): Promise<Map<number, number[]>> {
  if (!eventIds.length) return new Map()
  const { rows } = await sql<{ event_id: number; ids: number[] }>`
    select s.event_id, array_agg(s.id order by s.id) as ids from shift s
    where ${isOneOf(sql`s.event_id`, eventIds)} group by s.event_id`.execute(db)
  return new Map(rows.map(({ event_id, ids }) => [event_id, ids]))
}

/** Who may view the profiles of these people, or decides about their working hours, because of a grant. */
export async function findProfileViewers(db: Kysely<DB>, userIds: number[]): Promise<Map<number, ProfileViewers>> {
  if (!userIds.length) return new Map()
  const { rows } = await sql<ProfileViewers & { user_id: number }>`
    select u.id as user_id, u.is_visible as "isVisible",
      array(select v.viewer_id from profile_user_grant v where v.user_id = u.id order by 1) as users,
      array(select v.group_id from profile_group_grant v where v.user_id = u.id order by 1) as groups,
      array(select distinct g.group_id from group_grant g join user_group_member m on m.group_id = g.target_group_id
        where m.user_id = u.id and g.permission = 'decide_working_hours_for_group' order by 1) as "hoursGroups"
    from user_profile u where ${isOneOf(sql`u.id`, userIds)}`.execute(db)
  return new Map(rows.map((row) => [row.user_id, row]))
}

type Cause = { id: number; kind: string; subject_kind: string; subject_id: number | null; at: Date }

/** Journal entries by id. */
export async function findCauses(db: Kysely<DB>, ids: number[]): Promise<Map<number, Cause>> {
  if (!ids.length) return new Map()
  const rows = await db
    .selectFrom('journal')
    .select(['id', 'kind', 'subject_kind', 'subject_id', 'at'])
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}
