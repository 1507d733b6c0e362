import { type RawBuilder, sql } from 'kysely'
import type { RecipientQuery } from '#features/messaging/notification-kinds/rules/kinds.ts'

/** Ids of the people responsible for an event. */
export const responsibleIds = (eventId: RawBuilder<unknown> | number | null): RawBuilder<{ user_id: number }> => sql`
  select g.user_id from event_user_grant g where g.event_id = ${eventId} and g.permission = 'change'
  union select m.user_id from event_group_grant g join user_group_member m on m.group_id = g.group_id
    where g.event_id = ${eventId} and g.permission = 'change'`

/** Everybody responsible for the event. */
export const eventResponsibles: RecipientQuery = ({ eventId }) => sql`
  select u.id as user_id, null::bigint as guest_id, null::bigint as visitor_id, null::bigint as participation_id
  from user_profile u where u.id in (${responsibleIds(eventId)})`
