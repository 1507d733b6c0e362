import { type RawBuilder, sql } from 'kysely'
import type { RecipientQuery } from '#features/messaging/notification-kinds/rules/kinds.ts'
import type { Permission } from '#platform/auth/permissions.ts'

/** Users whom the entry names. */
export const listedUsers =
  (ids: readonly number[]): RecipientQuery =>
  () =>
    sql`
  select u.id as user_id, null::bigint as guest_id, null::bigint as visitor_id, null::bigint as participation_id
  from user_profile u where u.id = any (${Array.isArray(ids) ? ids : []}::bigint[])`

/** Ids of people with a global permission. */
export const holdersOf = (permission: Permission): RawBuilder<{ user_id: number }> => sql`
  select a.id as user_id from user_profile a where a.is_visible and a.is_active and (a.is_staff or a.is_superuser
    or exists (select from user_permission p where p.user_id = a.id and p.permission = ${permission})
    or exists (select from user_group_member m join group_permission p on p.group_id = m.group_id
      where m.user_id = a.id and p.permission = ${permission}))`

/** Ids of people who may edit all others. */
export const editorsOfPeople = holdersOf('change_user')

/** The user whom the entry is about. */
export const subjectUser: RecipientQuery = ({ subjectId }) => sql`
  select u.id as user_id, null::bigint as guest_id, null::bigint as visitor_id, null::bigint as participation_id
  from user_profile u where u.id = ${subjectId}`
