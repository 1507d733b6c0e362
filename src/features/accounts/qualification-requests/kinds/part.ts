import { sql } from 'kysely'
import { addPart } from '#features/messaging/notification-kinds/points.ts'

declare module '#features/messaging/notification-kinds/rules/details.ts' {
  interface NotificationParts {
    /** `expiresAt`: of the grant of the holder now; null: unlimited, or not held. */
    qualification?: { title: string; expiresAt: Date | null; holder: string; isOwn: boolean } | undefined
  }
}

type Stored = { title: string; expiresAt: string | null; holder: string | null; isOwn: boolean | null }

/** The qualification that the notification is about. */
export const qualificationPart = addPart({
  name: 'qualification',
  read: ({ personId }) => sql`(
    select json_build_object('title', q.title, 'expiresAt', g.expires_at, 'holder', u.display_name, 'isOwn', u.id = ${personId})
    from qualification q left join user_profile u on u.id = coalesce((n.data ->> 'holder_id')::bigint, ${personId})
      left join qualification_grant g on g.qualification_id = q.id and g.user_id = u.id
    where q.id = (n.data ->> 'qualification_id')::bigint)`,
  parse: ({ title, expiresAt, holder, isOwn }: Stored) => ({
    title,
    expiresAt: expiresAt === null ? null : new Date(expiresAt),
    holder: holder ?? '',
    isOwn: isOwn === true,
  }),
  names: ['holder'],
})
