import { layoutPart } from '#platform/features/layout.ts'
import { unreadCount } from './queries/inbox.ts'

/** The number of unread notifications. */
export const bellPart = layoutPart({
  read: ({ actor, site }) => unreadCount(site, actor.kind === 'user' ? actor.userId : 0),
  show: (count: number) => ({ bell: { href: '/notifications/', count } }),
})
