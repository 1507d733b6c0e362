import { userIdOf } from '#platform/auth/actor.ts'
import { layoutPart } from '#platform/features/layout.ts'
import { unreadCount } from './queries/inbox.ts'

/** The number of unread notifications. */
export const bellPart = layoutPart({
  read: ({ actor, site }) => unreadCount(site, userIdOf(actor)),
  show: (count: number) => ({ bell: { href: '/notifications/', count } }),
})
