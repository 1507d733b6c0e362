import { groupPath } from '#features/accounts/people/views/groups.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { cardView, factListView } from '#platform/ui/card.ts'
import { copyView } from '#platform/ui/copy.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { buttonView, fieldRowView, linkButtonView, postButtonView } from '#platform/ui/form.ts'
import type { FormState } from '#platform/ui/form-values.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { qrView } from '#platform/ui/qr.ts'
import type { JoinLink } from '../queries.ts'
import { whyClosed } from '../rules.ts'
import { joinLinkForm } from '../schema.ts'

export const linksPath = (groupId: number, what = ''): string => `${groupPath(groupId, 'join-links')}${what && `${what}/`}`
export const linkPath = (groupId: number, id: number, what = ''): string =>
  linksPath(groupId, what ? `${id}/${what}` : String(id))
export const joinPath = (token: string): string => `/join/${token}/`

type LinksData = {
  words: Words
  now: Date
  csrfToken: string
  group: { id: number; name: string }
  links: readonly JoinLink[]
  state: FormState
}

export function joinLinksView({ words, now, csrfToken, group, links, state }: LinksData): Html {
  const form = joinLinkForm.view({
    words,
    csrfToken,
    action: linksPath(group.id),
    state,
    guard: false,
    submit: { label: words.t('joining.link_create'), icon: 'link' },
    layout: (field) => [fieldRowView(field('days'), field('max_uses')), field('approval'), field('note')],
  })
  const list = links.length
    ? html`<ul class="stack" role="list">${links.map((link) => html`<li>${linkCard(words, now, csrfToken, link)}</li>`)}</ul>`
    : emptyView({ icon: 'link', text: words.t('joining.no_links') })
  return html`${pageHeadView({ title: words.t('joining.links_of', { group: group.name }), facts: words.t('joining.links_intro') })}
<div class="stack">${cardView({ title: words.t('joining.link_new'), body: form })}
<section class="section-block"><header class="section-head"><h2>${words.t('joining.links')}</h2></header>${list}</section></div>`
}

function linkBadge(words: Words, now: Date, link: JoinLink): Html {
  const closed = whyClosed(link, now)
  return closed
    ? badgeView({ tone: 'quiet', text: words.t(`joining.closed_${closed}`) })
    : badgeView({ tone: 'good', text: words.t('joining.open') })
}

function linkFacts(words: Words, now: Date, link: JoinLink): Html {
  return factListView([
    { name: words.t('joining.uses'), value: words.t('joining.uses_of', { uses: link.uses, count: link.maxUses }) },
    { name: words.t('joining.until'), value: words.dateTime(link.expiresAt) },
    { name: words.t('joining.approval'), value: words.t(link.needsApproval ? 'joining.approval_yes' : 'joining.approval_no') },
    {
      name: words.t('joining.created'),
      value: link.createdBy
        ? words.t('joining.created_by', { name: link.createdBy, when: words.relative(link.createdAt, now) })
        : words.relative(link.createdAt, now),
    },
  ])
}

function linkCard(words: Words, now: Date, csrfToken: string, link: JoinLink): Html {
  const name = link.note || words.t('joining.link_number', { number: link.id })
  const isOpen = whyClosed(link, now) === undefined
  return cardView({
    title: name,
    aside: linkBadge(words, now, link),
    body: linkFacts(words, now, link),
    footer:
      isOpen &&
      html`<div class="button-row">${linkButtonView({ href: linkPath(link.groupId, link.id), label: words.t('joining.show'), icon: 'link', attributes: { 'aria-label': words.t('joining.show_named', { name }) } })}${revokeButton(words, csrfToken, link, name)}</div>`,
  })
}

const revokeButton = (words: Words, csrfToken: string, link: JoinLink, name: string): Html =>
  postButtonView({
    action: linkPath(link.groupId, link.id, 'revoke'),
    csrfToken,
    label: words.t('joining.revoke'),
    kind: 'quiet',
    icon: 'x',
    attributes: { 'aria-label': words.t('joining.revoke_named', { name }) },
  })

type LinkData = { words: Words; now: Date; csrfToken: string; group: { name: string }; link: JoinLink; url: string }

export function joinLinkView({ words, now, csrfToken, group, link, url }: LinkData): Html {
  const name = link.note || words.t('joining.link_number', { number: link.id })
  return html`${pageHeadView({ title: name, facts: words.t('joining.joins', { group: group.name }), badge: linkBadge(words, now, link) })}
<div class="stack">${cardView({
    body: html`<div class="invitation"><div>${copyView({ words, id: 'join-link', label: words.t('joining.link'), value: url, help: words.t(link.needsApproval ? 'joining.link_help_approval' : 'joining.link_help_open') })}${linkFacts(words, now, link)}</div>
<figure class="qr-figure">${qrView({ text: url, title: words.t('joining.qr') })}<figcaption>${words.t('joining.qr')}</figcaption></figure></div>`,
    footer: html`<div class="button-row">${linkButtonView({ href: linkPath(link.groupId, link.id, 'poster'), label: words.t('joining.poster'), kind: 'primary', icon: 'printer' })}${revokeButton(words, csrfToken, link, name)}</div>`,
  })}</div>`
}

type PosterData = { words: Words; siteName: string; group: { name: string }; url: string }

export function joinPosterView({ words, siteName, group, url }: PosterData): Html {
  return html`<div class="poster-bar"><p class="muted">${words.t('joining.poster_hint')}</p>${buttonView({
    label: words.t('joining.print'),
    kind: 'primary',
    icon: 'printer',
    attributes: { type: 'button', 'data-print': true, hidden: true },
  })}</div>
<article class="poster"><p class="poster-site">${siteName}</p><h1>${group.name}</h1>
<p class="poster-call">${words.t('joining.poster_call')}</p><div class="poster-code">${qrView({ text: url, title: words.t('joining.qr') })}</div>
<p>${words.t('joining.poster_text')}</p><p class="poster-url">${url.replace(/^https?:\/\//, '')}</p></article>`
}
