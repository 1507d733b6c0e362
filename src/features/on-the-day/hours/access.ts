import { type RawBuilder, sql } from 'kysely'
import { type Actor, hasPermission, isStaff } from '#platform/auth/actor.ts'
import type { Condition } from '#platform/db/conditions.ts'

const decidesAll = (actor: Actor): boolean => isStaff(actor) || hasPermission(actor, 'decide_working_hours_for_group')

/** The actor decides about the working hours of the user: as an administrator, or by a grant for one of the user's groups. */
export function decidesHoursOf(actor: Actor, userId: RawBuilder<unknown>): Condition {
  if (actor.kind !== 'user') return sql`false`
  if (decidesAll(actor)) return sql`true`
  return sql`exists (select from user_group_member m join group_grant g on g.target_group_id = m.group_id
    where m.user_id = ${userId} and g.permission = 'decide_working_hours_for_group'
      and g.group_id = any (${[...actor.groupIds]}::bigint[]))`
}

/** The actor decides about the working hours of anyone. */
export function decidesSomeHours(actor: Actor): Condition {
  if (actor.kind !== 'user') return sql`false`
  if (decidesAll(actor)) return sql`true`
  return sql`exists (select from group_grant g where g.permission = 'decide_working_hours_for_group'
    and g.group_id = any (${[...actor.groupIds]}::bigint[]))`
}

/** The actor sees the working hours of the user `u` in overviews: with the permission to view people, or by deciding about them. */
export const seesHoursOf = (actor: Actor): Condition =>
  hasPermission(actor, 'view_user') ? sql`u.is_visible` : sql`u.is_visible and ${decidesHoursOf(actor, sql`u.id`)}`
