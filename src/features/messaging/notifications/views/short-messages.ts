import type { ChannelMessage } from '#features/messaging/channels/rules.ts'
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

type ShortMessageInput = {
  words: Words
  now: Date
  siteName: string
  notifications: readonly Notification[]
  parts: NameParts
  keyring: Keyring
}

/** A message about one notification or, if there are many, about all of them. */
type ShortMessage = {
  /** Of its notifications. */
  ids: readonly number[]
  title: string
  body: string
  tag: string
  /** Path of a page for people who are signed in. */
  path: string
  /** Pages on which the person answers without signing in; the first one accepts. */
  answers: readonly { label: string; path: string }[]
}

function makeShortMessages({ words, now, siteName, notifications, parts, keyring }: ShortMessageInput): ShortMessage[] {
  if (notifications.length > MAX_SEPARATE) {
    const ids = notifications.map(({ id }) => id)
    const body = words.t('push.many', { count: ids.length })
    return [{ ids, title: siteName, body, tag: `many-${ids[0]}`, path: INBOX_PATH, answers: [] }]
  }
  return notifications.map((each) => {
    const notification = withMailNames(each, parts)
    const { line } = describeNotification(words, notification, now)
    const { child, kind } = notification
    const title = notification.event?.title ?? siteName
    const answer = kind.answer?.(notification, keyring)
    const reader = { isUser: true, federatedGuestId: undefined, guestPath: undefined, childId: child?.userId }
    return {
      ids: [notification.id],
      title: shorten(child ? words.t('notification.subject_for', { subject: title, name: child.name }) : title),
      body: shorten(notification.message?.subject ?? line),
      tag: `notification-${notification.id}`,
      path: linkFor(notification, reader)?.path ?? INBOX_PATH,
      answers: [answer?.accept, answer?.decline].flatMap((link) => (link ? [{ label: link.label(words), path: link.path }] : [])),
    }
  })
}

export const makePushMessages = (input: ShortMessageInput): PushMessage[] =>
  makeShortMessages(input).map(({ title, body, tag, path, answers }) => ({ title, body, url: answers[0]?.path ?? path, tag }))

export const makeChannelMessages = (
  input: ShortMessageInput & { siteUrl: string },
): { ids: readonly number[]; message: ChannelMessage }[] =>
  makeShortMessages(input).map(({ ids, title, body, tag, path, answers }) => ({
    ids,
    message: {
      title,
      text: body,
      url: `${input.siteUrl}${path}`,
      answers: answers.map((answer) => ({ label: answer.label, url: `${input.siteUrl}${answer.path}` })),
      tag,
    },
  }))
