import { type Kysely, sql } from 'kysely'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import type { GroupRights } from '../rules.ts'

export type GroupWithRights = GroupRights & {
  id: number
  name: string
  /** The group is responsible for events, now or by default of an event type, or may see the data of some people. */
  isResponsible: boolean
}

/** Ids of the groups for which a group as `g` may do something. */
export const grantTargets = (permission: 'publish_event_for_group' | 'decide_working_hours_for_group') =>
  sql`array(select t.target_group_id from group_grant t where t.group_id = g.id and t.permission = ${permission} order by 1)`

/** Everything that being in a group gives, besides the events that the group sees. */
export async function findGroupsWithRights(db: Kysely<DB>): Promise<GroupWithRights[]> {
  return rowsOf(db).all(sql<GroupWithRights>`
    select g.id, g.name,
      array(select p.permission from group_permission p where p.group_id = g.id order by 1) as permissions,
      ${grantTargets('publish_event_for_group')} as "publishFor", ${grantTargets('decide_working_hours_for_group')} as "decideHoursFor",
      exists (select from event_group_grant e where e.group_id = g.id and e.permission = 'change')
        or exists (select from event_type_default_group d where d.group_id = g.id and d.role = 'responsible')
        or exists (select from profile_group_grant v where v.group_id = g.id) as "isResponsible"
    from user_group g order by lower(g.name), g.id`)
}

/** A condition on `user_group` as `g`: the same as the rule `hasRights`. */
export const givesRights = sql<boolean>`(exists (select from group_permission p where p.group_id = g.id)
  or exists (select from group_grant t where t.group_id = g.id))`

/** A condition on `user_profile` as `u`: the person may do more than take part, by themselves or by a group. */
export const hasPowersOf = sql<boolean>`(u.is_staff or u.is_superuser
  or exists (select from user_permission o where o.user_id = u.id)
  or exists (select from user_group_member m join user_group g on g.id = m.group_id where m.user_id = u.id and ${givesRights}))`
