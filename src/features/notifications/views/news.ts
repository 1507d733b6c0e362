import { type Html, html } from '#platform/html/html.ts'
import { markdownView } from '#platform/html/markdown.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { linkButtonView, postButtonView } from '#platform/ui/form.ts'
import { type IconName, iconView } from '#platform/ui/icon.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import type { Kind } from '../rules/kinds.ts'
import type { Told } from '../rules/relevance.ts'
import { textOf } from './texts.ts'

export const NEWS = '/notifications/'
export const SETTINGS = '/settings/notifications/'

const ICONS: Record<Kind, IconName> = {
  participation_state: 'calendar-check',
  participation_times: 'clock',
  shift_moved: 'calendar-clock',
  event_called_off: 'calendar-x',
  reminder: 'bell',
  event_published: 'calendar-plus',
  event_message: 'mail',
  participation_request: 'hand-helping',
  participation_change: 'users',
  participation_decline: 'circle-x',
  participation_own_times: 'clock',
}

export type NewsData = {
  words: Words
  now: Date
  csrfToken: string
  news: readonly { told: Told; href: string | undefined; isUnread: boolean; isObsolete: boolean }[]
}

export function newsView({ words, now, csrfToken, news }: NewsData): Html {
  const settings = linkButtonView({ href: SETTINGS, label: words.t('notification.to_settings'), icon: 'settings' })
  const isAnyUnread = news.some(({ isUnread }) => isUnread)
  const markAll =
    isAnyUnread &&
    postButtonView({
      action: `${NEWS}read/`,
      csrfToken,
      fields: { up_to: Math.max(...news.map(({ told }) => told.id)) },
      label: words.t('notification.mark_read'),
      icon: 'check',
      kind: 'primary',
    })
  return html`${pageHeadView({ title: words.t('notification.title'), actions: [settings, markAll] })}
${
  news.length
    ? html`<ul class="news" role="list">${news.map((line) => lineView(words, now, line))}</ul>`
    : emptyView({ icon: 'bell', text: words.t('notification.none') })
}`
}

function lineView(words: Words, now: Date, { told, href, isUnread, isObsolete }: NewsData['news'][number]): Html {
  const { line } = textOf(words, told, now)
  const title = told.event?.title
  return html`<li class="news-line${isUnread && ' unread'}${isObsolete && ' obsolete'}"><span class="news-icon">${iconView(ICONS[told.kind])}</span>
<div class="news-body"><p class="news-head">${title && (href ? html`<a href="${href}">${title}</a>` : html`<b>${title}</b>`)}${isUnread && badgeView({ tone: 'info', text: words.t('notification.unread') })}${isObsolete && badgeView({ tone: 'quiet', text: words.t('notification.obsolete') })}</p>
<p>${line}</p>${told.comment && html`<p class="news-quote">“${told.comment}”</p>`}${told.message && html`<details class="news-message"><summary>${words.t('notification.read_message', { author: told.actor ?? words.t('notification.someone') })}</summary>${markdownView(told.message.text)}</details>`}</div>
<time class="news-time" datetime="${told.createdAt.toISOString()}" title="${words.dateTime(told.createdAt)}">${words.relative(told.createdAt, now)}</time></li>`
}
