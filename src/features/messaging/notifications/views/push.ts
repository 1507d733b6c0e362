import type { PushMessage } from '#features/messaging/push/rules.ts'
import type { Words } from '#platform/i18n/words.ts'
import { describeNotification } from '../kinds/description.ts'
import { linkFor } from '../kinds/links.ts'
import type { KnownNotification } from '../kinds/registry.ts'
import type { Asked } from '../rules/details.ts'
import { withMailNames } from './mail-names.ts'

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
  answerPath,
}: {
  words: Words
  now: Date
  siteName: string
  notifications: readonly KnownNotification[]
  answerPath: (asked: Asked) => string
}): PushMessage[] {
  if (notifications.length > MAX_SEPARATE) {
    const body = words.t('push.many', { count: notifications.length })
    return [{ title: siteName, body, url: INBOX_PATH, tag: `many-${notifications[0]!.id}` }]
  }
  return notifications.map(withMailNames).map((notification) => {
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
          answerPath,
          childId: child?.userId,
        })?.path ?? INBOX_PATH,
      tag: `notification-${notification.id}`,
    }
  })
}
