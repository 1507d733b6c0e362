import { notificationKind } from '#features/messaging/notification-kinds/points.ts'
import { requireKind as requireKindOf } from '#features/messaging/notifications/queries/kinds.ts'
import { ADDED } from '../../src/features.ts'

/** The kinds of notifications of all features. */
export const KINDS = ADDED(notificationKind)

export const requireKind = (name: string) => requireKindOf({ added: ADDED }, name)
