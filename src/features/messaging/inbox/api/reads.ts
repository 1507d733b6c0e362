import type { Notification } from '#features/messaging/notification-kinds/rules/kinds.ts'
import { describeNotification } from '#features/messaging/notifications/views/description.ts'
import { linkFor } from '#features/messaging/notifications/views/links.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { scope } from '#platform/http/access.ts'
import { collectionEndpoints, type Endpoint } from '#platform/http/endpoint.ts'
import { wireDate } from '#platform/http/time-format.ts'
import { findInboxPage, getInboxItem } from '../queries/inbox.ts'
import { notificationRecord } from '../schema.ts'

/** A notification as it is listed in the inbox. The order of the keys is part of the contract. */
export function presentNotification(notification: Notification, { words, now, site }: RequestContext) {
  const { id, kind, event, shift, message, createdAt, readAt } = notification
  const link = linkFor(notification, { isUser: true, federatedGuestId: undefined, guestPath: undefined })
  return {
    id,
    kind: kind.name,
    text: describeNotification(words, notification, now).line,
    comment: notification.comment ?? null,
    message: message ? { subject: message.subject, text: message.text } : null,
    event: event ? { id: event.id, title: event.title } : null,
    shift: shift?.id ?? null,
    url: link ? `${site.url}${link.path}` : null,
    is_obsolete: kind.isObsolete(notification, now),
    created_at: wireDate(createdAt, site.timeZone),
    read_at: readAt && wireDate(readAt, site.timeZone),
  }
}

export const notificationsApi: Endpoint[] = collectionEndpoints({
  path: '/api/users/me/notifications/',
  access: scope('ME_READ'),
  name: 'Own Notification',
  tag: 'users',
  summary: "The caller's notifications, newest first",
  description: 'Without those about events that the caller can no longer see. Reading them here does not mark them as read.',
  recordSummary: "One of the caller's notifications",
  parameters: {},
  record: notificationRecord,
  find: (context, _query, page) => findInboxPage(context, page),
  get: (context, { id }) => getInboxItem(context, id),
  present: presentNotification,
})
