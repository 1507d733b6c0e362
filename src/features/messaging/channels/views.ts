import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { cardView } from '#platform/ui/card.ts'
import { linkButtonView, postButtonView } from '#platform/ui/form.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import type { NotificationChannel } from './points.ts'
import type { ChannelLink } from './queries.ts'

type CardData = { words: Words; csrfToken: string; channel: NotificationChannel; link: ChannelLink | undefined }

export function channelCardView({ words, csrfToken, channel, link }: CardData): Html {
  const { path } = channel
  const buttons = link
    ? html`${postButtonView({ action: `${path}test/`, csrfToken, label: words.t('channels.test'), kind: 'secondary', icon: 'send' })} ${postButtonView({ action: `${path}unlink/`, csrfToken, label: words.t('channels.unlink'), kind: 'quiet', icon: 'x' })}`
    : linkButtonView({ href: path, label: words.t('channels.link'), kind: 'secondary' })
  return cardView({
    title: channel.label(words),
    body: html`<div id="${channel.name}"><p class="muted wrap">${link ? words.t('channels.linked_as', { label: link.label }) : words.t('channels.not_linked')}</p><div class="form-actions">${buttons}</div></div>`,
  })
}

/** What to send where. `guide`: by the service. */
type LinkData = {
  words: Words
  csrfToken: string
  channel: NotificationChannel
  code: string
  until: Date
  guide: { text: string; link?: { href: string; label: string } | undefined }
  back: string
}

export function linkChannelView({ words, csrfToken, channel, code, until, guide, back }: LinkData): Html {
  const sent = postButtonView({ action: `${channel.path}sent/`, csrfToken, label: words.t('channels.sent') })
  return html`${pageHeadView({ title: words.t('channels.link_title', { name: channel.label(words) }) })}${cardView({
    body: html`<p class="wrap">${guide.text}</p>${guide.link && html`<p>${linkButtonView({ ...guide.link, kind: 'secondary' })}</p>`}
<p>${words.t('channels.code')}: <strong><code class="wrap">${code}</code></strong></p><p class="muted">${words.t('channels.code_lasts', { until: words.dateTime(until) })}</p>
<div class="form-actions">${sent} ${linkButtonView({ href: back, label: words.t('ui.cancel'), kind: 'quiet' })}</div>`,
  })}`
}
