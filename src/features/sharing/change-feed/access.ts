import { seesAllEvents } from '#features/events/events/access.ts'
import { hasPermission, hasScope, isStaff, type UserActor } from '#platform/auth/actor.ts'
import type { Reader } from './rules/visibility.ts'

export const readerOf = (actor: UserActor): Reader => ({
  userId: actor.userId,
  groupIds: new Set(actor.groupIds),
  seesAllEvents: seesAllEvents(actor),
  changesAllEvents: hasPermission(actor, 'change_event'),
  viewsUsers: hasPermission(actor, 'view_user'),
  viewsGroups: hasPermission(actor, 'view_group'),
  decidesAllHours: isStaff(actor) || hasPermission(actor, 'decide_working_hours_for_group'),
  scopes: {
    public: hasScope(actor, 'PUBLIC_READ'),
    me: hasScope(actor, 'ME_READ'),
    confidential: hasScope(actor, 'CONFIDENTIAL_READ'),
  },
})
