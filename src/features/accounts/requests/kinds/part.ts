import { sql } from 'kysely'
import { addPart } from '#features/messaging/notification-kinds/points.ts'

declare module '#features/messaging/notification-kinds/rules/details.ts' {
  interface NotificationParts {
    request?: { state: string; requester: string | null } | undefined
  }
}

/** The request that the notification is about, and the person whose it is. */
export const requestPart = addPart({
  name: 'request',
  read: () => sql`(
    select json_build_object('state', r.state, 'requester', u.display_name)
    from decision_request r left join user_profile u on u.id = r.user_id where r.id = (n.data ->> 'request_id')::bigint)`,
  parse: (request: { state: string; requester: string | null }) => request,
  names: ['requester'],
})
