import { eventPath } from '#features/events/events/rules/slug.ts'
import type { NotificationDetails } from '#features/messaging/notification-kinds/rules/details.ts'
import type { Link, Notification } from '#features/messaging/notification-kinds/rules/kinds.ts'
import { familyLinks, familyPath } from '#features/staffing/participations/rules/links.ts'
import type { Keyring } from '#platform/auth/secrets.ts'

/** `federatedGuestId`: the instance by which a visitor signs in. `guestPath`: the personal link of a guest. */
type Reader = {
  isUser: boolean
  federatedGuestId: number | undefined
  guestPath: string | undefined
  /** The reader is a guardian of this person. */
  childId?: number | undefined
  /** Signs links to answer without signing in, for mails and push messages. */
  keyring?: Keyring | undefined
}

/** A page that the reader can open. */
export function linkFor(notification: Notification, reader: Reader): Link | undefined {
  const { kind, event } = notification
  const answer = reader.keyring && kind.answer?.(notification, reader.keyring)
  if (answer) return answer.accept
  if (reader.childId !== undefined && !event)
    return { path: familyPath(reader.childId), label: (words) => words.t('notification.open_family') }
  const special =
    reader.isUser && reader.childId === undefined && (kind.hasNoEvent || event?.isShown) ? kind.link?.(notification) : undefined
  return special ?? linkToEvent(notification, reader)
}

export function linkToEvent(
  { event }: NotificationDetails,
  { isUser, federatedGuestId, guestPath, childId }: Reader,
): Link | undefined {
  if (!event) return undefined
  if (childId !== undefined)
    return event.isShown
      ? { path: familyLinks(childId).event(event.id, event.title), label: (words) => words.t('notification.open_event') }
      : { path: familyPath(childId), label: (words) => words.t('notification.open_family') }
  if (guestPath !== undefined)
    return event.isDeleted ? undefined : { path: guestPath, label: (words) => words.t('notification.open_event') }
  if (!isUser) {
    if (!event.isListed || federatedGuestId === undefined) return undefined
    return { path: `/events/shared/${event.id}/${federatedGuestId}/`, label: (words) => words.t('notification.open_event') }
  }
  if (!event.isShown) return { path: '/events/', label: (words) => words.t('notification.open_events') }
  return { path: eventPath(event.id, event.title), label: (words) => words.t('notification.open_event') }
}
