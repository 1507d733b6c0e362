import { type RawBuilder, sql } from 'kysely'
import { changeableBy } from '#features/events/events/access.ts'
import { hasPermission, type UserActor } from '#platform/auth/actor.ts'
import type { Condition } from '#platform/db/conditions.ts'

export const PROFILE_REQUEST = 'profile'

export const isProfileDecidedBy = (actor: UserActor): Condition => sql`${hasPermission(actor, 'change_user')}::boolean`

/** A condition on a person `u`: the actor may see the picture. Oneself, who may view the profile, and who plans with the person. */
export const pictureShownTo = (actor: UserActor): RawBuilder<unknown> => sql`(
  u.id = ${actor.userId} or (u.is_visible and (
    ${hasPermission(actor, 'view_user')}::boolean
    or exists (select from profile_user_grant v where v.user_id = u.id and v.viewer_id = ${actor.userId})
    or exists (select from profile_group_grant v where v.user_id = u.id and v.group_id = any (${actor.groupIds}::bigint[]))
    or exists (select from participation p join event e on e.id = p.event_id
      where p.user_id = u.id and e.deleted_at is null and ${changeableBy(actor)}))))`
