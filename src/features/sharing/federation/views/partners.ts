import { attrs, type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { cardView, factListView } from '#platform/ui/card.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { hiddenField, textField } from '#platform/ui/fields.ts'
import { filterFormView, formView, linkButtonView, postButtonView } from '#platform/ui/form.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { pagerView } from '#platform/ui/pager.ts'
import type { HostLink } from '../queries/links.ts'
import type { ShareableEvent } from '../queries/shareable.ts'
import { getHealth } from '../rules/contact.ts'
import { failureText } from './failures.ts'
import { type GuestLine, guestPath, healthView, hostPath, noticeView } from './links.ts'

type Here = { words: Words; now: Date; csrfToken: string }

export function hostView({ words, now, csrfToken, host }: Here & { host: HostLink }): Html {
  const { id, name, url, paused } = host
  const post = (what: string, label: string, kind: 'primary' | 'secondary' = 'secondary') =>
    postButtonView({ action: hostPath(id, what), csrfToken, label, kind, icon: what === 'sync' ? 'refresh-cw' : undefined })
  return html`${pageHeadView({ title: name, badge: healthView(words, host), facts: html`<a href="${url}">${url}</a>`, actions: [post('sync', words.t('federation.sync'), 'primary')] })}
${stateNoticeView(words, now, host)}
${cardView({ title: words.t('federation.host_facts'), body: factsView(words, now, host) })}
<div class="button-row link-actions">${post(paused ? 'resume' : 'pause', words.t(paused ? 'federation.resume' : 'federation.pause'))}${linkButtonView({ href: hostPath(id, 'end'), label: words.t('federation.end'), kind: 'danger' })}</div>`
}

function stateNoticeView(words: Words, now: Date, host: HostLink): Html | false {
  const { name, endedByPartnerAt: ended, lastSuccessAt: last } = host
  switch (getHealth(host)) {
    case 'ended':
      return noticeView(
        ...(['bad', 'circle-x', words.t('federation.ended_title', { name })] as const),
        words.t('federation.ended_text', { at: words.dateTime(ended!) }),
      )
    case 'failing':
      return noticeView(
        ...(['bad', 'triangle-alert', words.t('federation.failing_title', { name })] as const),
        last ? words.t('federation.failing_text', { when: words.relative(last, now) }) : words.t('federation.failing_text_never'),
      )
    case 'paused':
      return noticeView('info', 'clock', words.t('federation.paused_title'), words.t('federation.paused_text'))
    default:
      return false
  }
}

function factsView(words: Words, now: Date, host: HostLink): Html {
  const { latencyMs, lastError, failuresInRow, speaksTurnout, externalSignups, paused } = host
  const at = (moment: Date | null) =>
    moment
      ? words.t('federation.expires_in', { at: words.dateTime(moment), when: words.relative(moment, now) })
      : words.t('federation.never')
  return factListView([
    { name: words.t('federation.copies'), value: words.number(host.events) },
    {
      name: words.t('federation.own_signups'),
      value: speaksTurnout
        ? words.t('federation.own_signups_count', { count: externalSignups })
        : words.t('federation.own_signups_unknown'),
    },
    { name: words.t('federation.last_success'), value: at(host.lastSuccessAt) },
    ...(latencyMs === null
      ? []
      : [{ name: words.t('federation.latency'), value: words.t('federation.latency_ms', { count: latencyMs }) }]),
    ...(failuresInRow > 0
      ? [
          { name: words.t('federation.last_attempt'), value: at(host.lastAttemptAt) },
          { name: words.t('federation.failures'), value: words.number(failuresInRow) },
          {
            name: words.t('federation.last_error'),
            value: html`<span class="wrap">${lastError === null ? '–' : failureText(words, lastError)}</span>`,
          },
        ]
      : []),
    ...(paused ? [] : [{ name: words.t('federation.next_attempt'), value: at(host.nextAttemptAt) }]),
    { name: words.t('federation.since'), value: words.date(host.createdAt) },
  ])
}
type GuestData = Here & {
  guest: GuestLine
  q: string
  page: number
  pageSize: number
  count: number
  events: readonly ShareableEvent[]
}

export const guestListPath = (id: number, q: string, page = 1): string => {
  const query = new URLSearchParams({ ...(q ? { q } : {}), ...(page > 1 ? { page: String(page) } : {}) })
  return query.size ? `${guestPath(id)}?${query}` : guestPath(id)
}

export function guestView(data: GuestData): Html {
  const { words, now, guest, q, page, pageSize, count } = data
  const { id, name, url, visitors, lastContactAt } = guest
  const contact = lastContactAt ? words.relative(lastContactAt, now) : words.t('federation.never')
  const facts = html`<a href="${url}">${url}</a> · ${words.t('federation.visitors')}: ${visitors} · ${words.t('federation.last_contact')}: ${contact}`
  const reset = q ? { href: guestPath(id), label: words.t('federation.search_all') } : undefined
  const search = filterFormView({
    action: guestPath(id),
    submit: words.t('federation.search_submit'),
    reset,
    fields: textField({
      words,
      name: 'q',
      type: 'search',
      value: q,
      label: words.t('federation.search'),
      attributes: { placeholder: words.t('federation.search_hint'), maxlength: 200 },
    }),
  })
  return html`${pageHeadView({ title: words.t('federation.share_title', { name }), facts })}
<p class="share-intro">${words.t('federation.share_intro', { name })}</p>
${(count > 0 || q) && search}
${count > 0 ? sharesView(data) : emptyView({ icon: 'calendar-off', text: words.t(q ? 'federation.share_none_found' : 'federation.share_none') })}
${pagerView({ words, page, pageSize, total: count, href: (to) => guestListPath(id, q, to) })}
<div class="button-row link-actions">${linkButtonView({ href: guestPath(id, 'end'), label: words.t('federation.end'), kind: 'danger' })}</div>`
}

function sharesView({ words, now, csrfToken, guest, q, page, events }: GuestData): Html {
  const rows = events.map(
    ({ id, title, location, start, end, isDraft, isShared }) =>
      html`<li>${hiddenField('shown', id)}<label class="choice" for="share-${id}"><input ${attrs({ type: 'checkbox', id: `share-${id}`, name: 'chosen', value: id, checked: isShared })}><span>${title}${isDraft && html` ${badgeView({ tone: 'quiet', text: words.t('federation.share_draft') })}`}<small>${words.span(start, end, now)}${location && html` · ${location}`}</small></span></label></li>`,
  )
  return formView({
    words,
    csrfToken,
    action: guestListPath(guest.id, q, page),
    submit: words.t('federation.share_submit'),
    fields: html`<fieldset class="field group"><legend>${words.t('federation.share_legend')}</legend><ul class="ticks" role="list">${rows}</ul></fieldset>`,
  })
}
