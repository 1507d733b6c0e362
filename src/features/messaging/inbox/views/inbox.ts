import type { Notification } from '#features/messaging/notification-kinds/rules/kinds.ts'
import { describeNotification } from '#features/messaging/notifications/views/description.ts'
import { linkFor } from '#features/messaging/notifications/views/links.ts'
import { type Html, html } from '#platform/html/html.ts'
import { markdownView } from '#platform/html/markdown.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { postButtonView } from '#platform/ui/form.ts'
import { iconView } from '#platform/ui/icon.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'

export const INBOX_PATH = '/notifications/'
export const SETTINGS_PATH = '/settings/notifications/'

type InboxData = {
  words: Words
  now: Date
  csrfToken: string
  notifications: readonly Notification[]
}

export function inboxView({ words, now, csrfToken, notifications }: InboxData): Html {
  const settings = html`<a href="${SETTINGS_PATH}">${words.t('notification.to_settings')}</a>`
  const hasUnread = notifications.some(({ readAt }) => readAt === null)
  const markAllRead =
    hasUnread &&
    postButtonView({
      action: `${INBOX_PATH}read/`,
      csrfToken,
      fields: { up_to: Math.max(...notifications.map(({ id }) => id)) },
      label: words.t('notification.mark_read'),
      icon: 'check',
      kind: 'primary',
    })
  return html`${pageHeadView({ title: words.t('notification.title'), facts: settings, actions: [markAllRead] })}
${
  notifications.length
    ? html`<ul class="inbox" role="list">${notifications.map((notification) => itemView(words, now, notification))}</ul>`
    : emptyView({ icon: 'bell', text: words.t('notification.none') })
}`
}

function itemView(words: Words, now: Date, notification: Notification): Html {
  const { kind, event, comment, message, createdAt } = notification
  const { line } = describeNotification(words, notification, now)
  const { child } = notification
  const link = linkFor(notification, { isUser: true, federatedGuestId: undefined, guestPath: undefined, childId: child?.userId })
  const isUnread = notification.readAt === null
  const isObsolete = kind.isObsolete(notification, now)
  const heading = event?.title ?? (kind.hasNoEvent ? words.t(`notification.${kind.name}.label`) : undefined)
  const title = heading && (link ? html`<a href="${link.path}">${heading}</a>` : html`<b>${heading}</b>`)
  const author = notification.actor ?? words.t('notification.someone')
  return html`<li class="inbox-item${isUnread && ' unread'}${isObsolete && ' obsolete'}"><span class="inbox-icon">${iconView(kind.icon)}</span>
<div class="inbox-body"><p class="inbox-head">${title}${child && badgeView({ tone: 'quiet', icon: 'users', text: words.t('notification.for_child', { name: child.name }) })}${isUnread && badgeView({ tone: 'info', text: words.t('notification.unread') })}${isObsolete && badgeView({ tone: 'quiet', text: words.t('notification.obsolete') })}</p>
<p>${line}</p>${comment && html`<p class="inbox-quote">${words.t('notification.quote', { text: comment })}</p>`}${message && html`<details class="inbox-message"><summary>${words.t('notification.event_message.read', { author })}</summary>${markdownView(message.text, { firstLevel: 2 })}</details>`}</div>
<time class="inbox-time" datetime="${createdAt.toISOString()}" title="${words.dateTime(createdAt)}">${words.relative(createdAt, now)}</time></li>`
}
