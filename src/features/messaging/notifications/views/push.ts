import type { Notification } from '#features/messaging/notification-kinds/rules/kinds.ts'
import type { PushMessage } from '#features/messaging/push/rules.ts'
import type { Keyring } from '#platform/auth/secrets.ts'
import type { Words } from '#platform/i18n/words.ts'
import { describeNotification } from './description.ts'
import { linkFor } from './links.ts'
import { type NameParts, withMailNames } from './mail-names.ts'

const INBOX_PATH = '/notifications/'
/** More notifications of one bundle than this become one message. */
const MAX_SEPARATE = 3
/** Push services accept 4 kB, encrypted. */
const MAX_TEXT_LENGTH = 300

const shorten = (text: string): string => {
  const letters = [...text]
  return letters.length > MAX_TEXT_LENGTH ? `${letters.slice(0, MAX_TEXT_LENGTH - 1).join('')}…` : text
}

export function makePushMessages({
  words,
  now,
  siteName,
  notifications,
  parts,
  keyring,
}: {
  words: Words
  now: Date
  siteName: string
  notifications: readonly Notification[]
  parts: NameParts
  keyring: Keyring
}): PushMessage[] {
  if (notifications.length > MAX_SEPARATE) {
    const body = words.t('push.many', { count: notifications.length })
    return [{ title: siteName, body, url: INBOX_PATH, tag: `many-${notifications[0]!.id}` }]
  }
  return notifications.map((each) => {
    const notification = withMailNames(each, parts)
    const { line } = describeNotification(words, notification, now)
    const { child } = notification
    const title = notification.event?.title ?? siteName
    return {
      title: shorten(child ? words.t('notification.subject_for', { subject: title, name: child.name }) : title),
      body: shorten(notification.message?.subject ?? line),
      url:
        linkFor(notification, {
          isUser: true,
          federatedGuestId: undefined,
          guestPath: undefined,
          keyring,
          childId: child?.userId,
        })?.path ?? INBOX_PATH,
      tag: `notification-${notification.id}`,
    }
  })
}
