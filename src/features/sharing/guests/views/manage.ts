import { getAgeOn } from '#features/accounts/users/rules.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView, type Tone } from '#platform/ui/badge.ts'
import { cardView } from '#platform/ui/card.ts'
import { copyView } from '#platform/ui/copy.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { buttonView, csrfField, linkButtonView, postButtonView } from '#platform/ui/form.ts'
import { iconView } from '#platform/ui/icon.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { qrView } from '#platform/ui/qr.ts'
import { type Declared, type DeclaredState, guestsPath, type ManagedEvent, type ManagedGuest } from '../rules.ts'

type ManageData = {
  words: Words
  now: Date
  today: string
  csrfToken: string
  event: ManagedEvent
  /** Undefined: the event never had a link. */
  link: { url: string; isActive: boolean } | undefined
  guests: readonly (ManagedGuest & { personalLink: string | undefined })[]
}

export function manageView(data: ManageData): Html {
  const { words, guests, link } = data
  return html`${pageHeadView({ title: words.t('guests.title'), facts: words.t('guests.manage_facts') })}
${linkView(data)}
<section class="section-block"><header class="section-head"><h2>${words.t('guests.list')}${guests.length > 0 && html` <span class="tab-count">${guests.length}</span>`}</h2></header>
${
  guests.length
    ? html`<ul class="guest-list" role="list">${guests.map((guest) => html`<li id="guest-${guest.id}">${guestView(data, guest)}</li>`)}</ul>`
    : emptyView({ icon: 'users', text: words.t(link?.isActive ? 'guests.none_share' : 'guests.none') })
}</section>`
}

function linkView({ words, csrfToken, event, link }: ManageData): Html {
  const path = guestsPath(event.id)
  const toggle = (active: 'on' | 'off') =>
    postButtonView({
      action: `${path}switch/`,
      csrfToken,
      fields: { active },
      label: words.t(active === 'on' ? 'guests.activate' : 'guests.deactivate'),
      kind: active === 'on' ? 'primary' : 'secondary',
    })
  if (!link)
    return cardView({ title: words.t('guests.link'), body: html`<p>${words.t('guests.link_none')}</p>`, footer: toggle('on') })
  const badge = link.isActive
    ? badgeView({ tone: 'good', text: words.t('guests.link_on') })
    : badgeView({ tone: 'quiet', text: words.t('guests.link_off') })
  const renew = linkButtonView({ href: `${path}renew/`, label: words.t('guests.renew'), kind: 'quiet', icon: 'refresh-cw' })
  if (!link.isActive)
    return cardView({
      title: words.t('guests.link'),
      aside: badge,
      body: html`<p>${words.t('guests.link_off_text')}</p>`,
      footer: html`<div class="button-row">${toggle('on')}${renew}</div>`,
    })
  return cardView({
    title: words.t('guests.link'),
    aside: badge,
    body: html`<div class="guest-share"><div class="guest-share-text">${!event.isPublished && html`<p class="side-note">${iconView('info', { size: 16 })}<span>${words.t('guests.link_draft')}</span></p>`}${copyView({ words, id: 'guest-link', label: words.t('guests.link'), value: link.url, help: words.t('guests.link_help') })}</div><figure class="qr-figure">${qrView({ text: link.url, title: words.t('guests.qr') })}</figure></div>`,
    footer: html`<div class="button-row">${linkButtonView({ href: `${path}poster/`, label: words.t('guests.poster'), kind: 'primary', icon: 'printer' })}${toggle('off')}${renew}</div>`,
  })
}

function guestView(data: ManageData, guest: ManageData['guests'][number]): Html {
  const { words, now, today, csrfToken, event } = data
  const { id, name, email, phone, birthDate, registeredAt, isProved, mailFailure, requested, confirmed, declared, personalLink } =
    guest
  const path = `${guestsPath(event.id)}${id}/`
  const places = [
    ...(confirmed ? [words.t('ui.confirmed_count', { count: confirmed })] : []),
    ...(requested ? [words.t('ui.requested_count', { count: requested })] : []),
  ]
  return html`<article class="card guest-card"><div class="card-body">
<header class="guest-head"><h3>${name}</h3>${!isProved && badgeView({ tone: 'warn', text: words.t('guests.not_proved') })}${mailFailure !== null && badgeView({ tone: 'bad', text: words.t('guests.mail_failed') })}</header>
<p class="guest-facts"><span>${words.t('guests.age', { count: getAgeOn(birthDate, today) })}</span><a href="mailto:${email}">${email}</a>${phone && html`<a href="tel:${phone.replaceAll(/[^+\d]/g, '')}">${phone}</a>`}</p>
${mailFailure !== null && html`<p class="side-note">${iconView('triangle-alert', { size: 16 })}<span>${words.t('guests.mail_failed_text', { reason: mailFailure })}</span></p>`}
<p class="guest-facts"><span>${places.length ? places.join(' · ') : words.t('guests.no_places')}</span><span>${words.t('guests.registered_at', { when: words.relative(registeredAt, now) })}</span></p>
${declared.length > 0 && html`<ul class="declared" role="list">${declared.map((each) => html`<li>${declaredView({ words, csrfToken, action: `${path}qualification/`, name, declared: each })}</li>`)}</ul>`}
${personalLink && html`<details class="guest-link"><summary>${words.t('guests.personal_link', { name })}</summary>${copyView({ words, id: `link-${id}`, label: words.t('guests.personal_link', { name }), value: personalLink, help: words.t('guests.personal_link_help') })}</details>`}</div>
<footer class="card-foot"><div class="button-row">${!personalLink && postButtonView({ action: `${path}send-link/`, csrfToken, label: words.t('guests.send_link'), kind: 'quiet', icon: 'send', small: true, attributes: { 'aria-label': words.t('guests.send_link_named', { name }) } })}${linkButtonView({ href: `${path}remove/`, label: words.t('guests.remove'), kind: 'quiet', icon: 'user-x', small: true, attributes: { 'aria-label': words.t('guests.remove_named', { name }) } })}</div></footer></article>`
}

const TONES: Record<DeclaredState, Tone> = { waiting: 'warn', verified: 'good', rejected: 'quiet' }

type DeclaredData = { words: Words; csrfToken: string; action: string; name: string; declared: Declared }

function declaredView({ words, csrfToken, action, name, declared }: DeclaredData): Html {
  const { id, title: qualification, state } = declared
  const texts = {
    waiting: words.t('guests.waiting'),
    verified: words.t('guests.verified'),
    rejected: words.t('guests.rejected'),
  }
  const verdict = (value: 'confirm' | 'reject' | 'reopen', kind: 'secondary' | 'quiet') =>
    buttonView({
      label: words.t(`guests.${value}`),
      kind,
      small: true,
      name: 'verdict',
      value,
      attributes: { 'aria-label': words.t(`guests.${value}_named`, { qualification, name }) },
    })
  return html`<form class="declared-line" method="post" action="${action}">${csrfField(csrfToken)}<input type="hidden" name="qualification" value="${id}"><span class="declared-title">${qualification}</span>${badgeView({ tone: TONES[state], text: texts[state] })}<span class="declared-actions">${state === 'waiting' ? html`${verdict('confirm', 'secondary')}${verdict('reject', 'quiet')}` : verdict('reopen', 'quiet')}</span></form>`
}

type PosterData = { words: Words; now: Date; event: ManagedEvent; url: string; siteName: string }

/** An A4 page for a notice board. */
export function posterView({ words, now, event, url, siteName }: PosterData): Html {
  const { title, location, start, end } = event
  return html`<div class="poster-bar"><p class="muted">${words.t('guests.poster_hint')}</p>${buttonView({
    label: words.t('guests.print'),
    kind: 'primary',
    icon: 'printer',
    attributes: { type: 'button', 'data-print': true, hidden: true },
  })}</div>
<article class="poster"><p class="poster-site">${siteName}</p><h1>${title}</h1>
${start && end && html`<p class="poster-when">${words.span(start, end, now)}</p>`}${location && html`<p class="poster-where">${location}</p>`}
<p class="poster-call">${words.t('guests.poster_call')}</p><div class="poster-code">${qrView({ text: url, title: words.t('guests.qr') })}</div>
<p>${words.t('guests.poster_text')}</p><p class="poster-url">${url.replace(/^https?:\/\//, '')}</p></article>`
}
