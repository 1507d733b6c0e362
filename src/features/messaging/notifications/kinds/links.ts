import { eventPath } from '#features/events/events/rules/slug.ts'
import { familyLinks, familyPath } from '#features/staffing/participations/rules/links.ts'
import type { Asked, NotificationDetails } from '../rules/details.ts'
import type { Link, Notification } from './kind.ts'

/** `federatedGuestId`: the instance by which a visitor signs in. `guestPath`: the personal link of a guest. */
type Reader = {
  isUser: boolean
  federatedGuestId: number | undefined
  guestPath: string | undefined
  /** The reader is a guardian of this person. */
  childId?: number | undefined
  /** The page on which the reader answers without signing in, for mails and push messages. */
  answerPath?: ((asked: Asked) => string) | undefined
}

/** A page that the reader can open. */
export function linkFor(notification: Notification, reader: Reader): Link | undefined {
  const { kind, event, inquiry, offer } = notification
  if (offer && reader.answerPath)
    return { path: reader.answerPath(offer), label: (words) => words.t('notification.place_offered.answer') }
  if (inquiry && reader.answerPath)
    return { path: reader.answerPath(inquiry), label: (words) => words.t('notification.inquiry.can') }
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
