import { meetingOf } from '#features/messaging/notification-kinds/rules/details.ts'
import type { Link, Notification, NotificationKind } from '#features/messaging/notification-kinds/rules/kinds.ts'
import { familyPath } from '#features/staffing/participations/rules/links.ts'
import type { Keyring } from '#platform/auth/secrets.ts'
import { type MailData, mailBodies } from '#platform/html/mail-body.ts'
import { mailName } from '#platform/html/mail-name.ts'
import { type Words, wordsAboutChild } from '#platform/i18n/words.ts'
import { canSwitchOff } from '../rules/channels.ts'
import { describeNotification } from './description.ts'
import { linkFor, linkToEvent } from './links.ts'
import { type NameParts, withMailNames } from './mail-names.ts'

type NotificationMailData = {
  words: Words
  now: Date
  siteName: string
  siteUrl: string
  reader: {
    name: string
    /** Whom the mail is for, if others read the mailbox, too. */
    about?: string | undefined
    /** The reader is a guardian of this person. */
    childId?: number | undefined
    isUser: boolean
    federatedGuestId: number | undefined
    guestPath: string | undefined
    keyring?: Keyring | undefined
  }
  parts: NameParts
  /** At least one. */
  notifications: readonly Notification[]
  /** The notifications are of several bundles. */
  isDigest: boolean
  /** Undefined for guests and visitors, who have no settings. */
  unsubscribePath: ((kinds: readonly NotificationKind[]) => string) | undefined
}

export function renderNotificationMail(input: NotificationMailData): { subject: string; text: string; html: string } {
  const data = { ...input, notifications: input.notifications.map((notification) => withMailNames(notification, input.parts)) }
  const { words, siteName, siteUrl, reader, notifications } = data
  const { subject, ...content } = notifications.length === 1 ? makeSingleContent(data, notifications[0]!) : makeListContent(data)
  const about = reader.about === undefined ? undefined : mailName(reader.about)
  const named = about === undefined ? subject : words.t('notification.subject_for', { subject, name: about })
  return {
    subject: named,
    ...mailBodies({ words, siteName, name: reader.name, about, siteUrl, ...content, footer: makeFooter(data) }),
  }
}

type Content = Pick<MailData, 'paragraphs' | 'message' | 'card' | 'sections' | 'action' | 'otherAction'> & { subject: string }

/** Whom the texts name, in a mail to a guardian. */
const childOf = ({ childId, about }: NotificationMailData['reader']): string | undefined =>
  childId === undefined || about === undefined ? undefined : mailName(about)

const toAction = (words: Words, link: Link | undefined): MailData['action'] =>
  link && { path: link.path, label: link.label(words) }

/** A guardian reads about the child by name. */
function wordsFor({ words, reader }: NotificationMailData): Words {
  const child = childOf(reader)
  return child === undefined ? words : wordsAboutChild(words, child)
}

function makeSingleContent(data: NotificationMailData, notification: Notification): Content {
  const { now, reader } = data
  const words = wordsFor(data)
  const { kind, message, comment, actor } = notification
  const { subject, line } = describeNotification(words, notification, now)
  const action = toAction(words, linkFor(notification, reader))
  const card = makeCard(words, notification, now)
  if (message) {
    return { subject, ...messageContent({ words, now, author: actor, about: notification }), message: message.text, action }
  }
  const paragraphs = [line]
  if (comment) paragraphs.push(words.t('notification.comment', { author: commentAuthor(words, notification), text: comment }))
  if (kind.namesActor && actor !== undefined) paragraphs.push(words.t('notification.by', { actor }))
  const otherAction = reader.keyring && toAction(words, kind.answer?.(notification, reader.keyring)?.decline)
  return { subject, paragraphs, card, action, ...(otherAction ? { otherAction } : {}) }
}

/** What a mail adds to the text of a message. */
export function messageContent({
  words,
  now,
  author,
  about,
}: {
  words: Words
  now: Date
  author: string | undefined
  about: CardSubject
}): Pick<Content, 'paragraphs' | 'card'> {
  const from = { author: author ?? words.t('notification.someone'), event: about.event?.title ?? '' }
  return { paragraphs: [words.t('notification.event_message.from', from)], card: makeCard(words, about, now) }
}

function commentAuthor(words: Words, { kind, participant, actor }: Notification): string {
  const author = kind.commentAuthor === 'actor' ? actor : (participant ?? actor)
  return author ?? words.t('notification.someone')
}

type Times = { start: Date; end: Date }
type CardSubject = {
  event: { title: string; location: string; time: Times | undefined } | undefined
  shift?: (Times & { label: string; meeting: Date }) | undefined
  participation?: Times | undefined
}

/** Time first, then the place. */
function makeCard(words: Words, { event, shift, participation }: CardSubject, now: Date): MailData['card'] {
  if (!event) return undefined
  const time = participation ?? shift ?? event.time
  const lines: string[] = []
  if (time) lines.push(words.span(time.start, time.end, now))
  const meeting = shift && time && meetingOf(shift, time)
  if (meeting) {
    const isSameDay = words.sameDay(meeting, time.start)
    lines.push(words.t('notification.meet', { time: isSameDay ? words.time(meeting) : words.dateTime(meeting) }))
  }
  if (shift?.label) lines.push(shift.label)
  if (event.location) lines.push(event.location)
  return { title: event.title, lines }
}

function makeListContent(data: NotificationMailData): Content {
  const { now, siteName, notifications, reader, isDigest } = data
  const words = wordsFor(data)
  const count = notifications.length
  const events = Map.groupBy(notifications, ({ event }) => event?.id)
  const sections = [...events.values()].map((group) => ({
    title: group[0]!.event?.title ?? words.t('notification.your_account'),
    lines: group.map((notification) => describeNotification(words, notification, now).line),
  }))
  const onlyEvent = events.size === 1 ? notifications[0]!.event : undefined
  const eventAction = onlyEvent && toAction(words, linkToEvent(notifications[0]!, reader))
  const inboxAction =
    reader.childId !== undefined
      ? { path: familyPath(reader.childId), label: words.t('notification.open_family') }
      : reader.isUser
        ? { path: '/notifications/', label: words.t('notification.open_inbox') }
        : undefined
  return {
    subject: onlyEvent
      ? words.t('notification.subject_changes', { count, event: onlyEvent.title })
      : words.t('notification.subject_digest', { count, site: siteName }),
    paragraphs: [isDigest ? words.t('notification.intro_digest') : words.t('notification.intro_changes', { count })],
    sections,
    action: eventAction ?? inboxAction,
  }
}

function makeFooter({ words, reader, notifications, unsubscribePath }: NotificationMailData): MailData['footer'] {
  const { kind } = notifications[0]!
  if (kind.explainMail && !switchableKindsOf(notifications).length) return { text: kind.explainMail(words), links: [] }
  if (!unsubscribePath) return undefined
  const settings = { path: '/settings/notifications/', label: words.t('notification.choose') }
  const kinds = switchableKindsOf(notifications)
  const labels = kinds.map(({ name }) => words.t('notification.quote', { text: words.t(`notification.${name}.label`) }))
  return {
    text: words.t('notification.why', { kinds: words.list(labels), count: kinds.length }),
    // The settings are those of the person who signs in.
    links: [
      { path: unsubscribePath(kinds), label: words.t('notification.unsubscribe') },
      ...(reader.childId === undefined ? [settings] : []),
    ],
  }
}

/** The kinds in a mail that its link to unsubscribe switches off, each once. */
export const switchableKindsOf = (notifications: readonly Notification[]): NotificationKind[] =>
  [...new Set(notifications.map(({ kind }) => kind))].filter(canSwitchOff)
