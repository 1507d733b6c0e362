import { type Html, html } from '#platform/html/html.ts'
import type { MessageKey } from '#platform/i18n/catalogue.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView, type Tone } from '#platform/ui/badge.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { linkButtonView, postButtonView } from '#platform/ui/form.ts'
import { type IconName, iconView } from '#platform/ui/icon.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { tableView } from '#platform/ui/table.ts'
import type { OpenInvite } from '../queries/invites.ts'
import type { GuestLink, HostLink } from '../queries/links.ts'
import { getHealth, type Health } from '../rules/contact.ts'

export const FEDERATION = '/manage/federation/'
export const JOIN = `${FEDERATION}join/`
export const INVITE = `${FEDERATION}invite/`
export const invitePath = (id: number, what = ''): string => `${FEDERATION}invites/${id}/${what && `${what}/`}`
export const guestPath = (id: number, what = ''): string => `${FEDERATION}guests/${id}/${what && `${what}/`}`
export const hostPath = (id: number, what = ''): string => `${FEDERATION}hosts/${id}/${what && `${what}/`}`
/** An imported address may be none; the page shows it as it is. */
export const hostOf = (url: string): string => URL.parse(url)?.host ?? url

export type GuestLine = Pick<GuestLink, 'id' | 'name' | 'url' | 'lastContactAt' | 'events' | 'visitors'>

export type HostLine = Pick<
  HostLink,
  'id' | 'name' | 'url' | 'paused' | 'lastSuccessAt' | 'endedByPartnerAt' | 'failuresInRow' | 'events'
>

type LinksData = {
  words: Words
  now: Date
  csrfToken: string
  guests: readonly GuestLine[]
  hosts: readonly HostLine[]
  invites: readonly OpenInvite[]
}

const BADGES: Record<Health, { tone: Tone; icon: IconName; text: MessageKey }> = {
  well: { tone: 'good', icon: 'check', text: 'federation.health_well' },
  waiting: { tone: 'info', icon: 'hourglass', text: 'federation.health_waiting' },
  failing: { tone: 'bad', icon: 'triangle-alert', text: 'federation.health_failing' },
  paused: { tone: 'quiet', icon: 'clock', text: 'federation.health_paused' },
  ended: { tone: 'bad', icon: 'circle-x', text: 'federation.health_ended' },
}

export function healthView(words: Words, host: Parameters<typeof getHealth>[0]): Html {
  const { tone, icon, text } = BADGES[getHealth(host)]
  return badgeView({ tone, icon, text: words.t(text as 'federation.health_well') })
}

export const noticeView = (tone: 'bad' | 'warn' | 'info', icon: IconName, title: string, text?: Html | string): Html =>
  html`<div class="notice tone-${tone}">${iconView(icon)}<div><p class="notice-title">${title}</p>${text && html`<p>${text}</p>`}</div></div>`

/** Warns administrators of links that the partner ended. */
function endedView(words: Words, names: readonly string[]): Html | false {
  if (!names.length) return false
  return noticeView(
    'bad',
    'triangle-alert',
    words.t('federation.warn_ended_names', { names: words.list(names) }),
    html`<a href="${FEDERATION}">${words.t('federation.warn_look')}</a>`,
  )
}

export function linksView(data: LinksData): Html {
  const { words, guests, hosts, invites } = data
  const invite = linkButtonView({ href: INVITE, label: words.t('federation.invite'), kind: 'primary', icon: 'plus' })
  const join = linkButtonView({ href: JOIN, label: words.t('federation.join'), icon: 'key-round' })
  const head = { title: words.t('federation.place'), facts: words.t('federation.intro') }
  if (!guests.length && !hosts.length && !invites.length)
    return html`${pageHeadView(head)}${emptyView({ icon: 'globe', text: words.t('federation.empty'), action: html`<div class="button-row">${invite}${join}</div>` })}`
  return html`${pageHeadView({ ...head, actions: [join, invite] })}
${hosts.some(({ endedByPartnerAt }) => endedByPartnerAt) && endedView(words, namesOf(hosts))}
${invites.length > 0 && sectionView(words.t('federation.invites'), invitesView(data))}
${sectionView(words.t('federation.guests'), guests.length ? guestsView(data) : html`<p class="muted">${words.t('federation.guests_none')}</p>`)}
${sectionView(words.t('federation.hosts'), hosts.length ? hostsView(data) : html`<p class="muted">${words.t('federation.hosts_none')}</p>`)}`
}

const namesOf = (hosts: readonly HostLine[]): string[] =>
  hosts.filter(({ endedByPartnerAt }) => endedByPartnerAt).map(({ name }) => name)

const sectionView = (title: string, body: Html): Html =>
  html`<section class="section-block"><header class="section-head"><h2>${title}</h2></header>${body}</section>`

function invitesView({ words, now, csrfToken, invites }: LinksData): Html {
  return tableView<OpenInvite>({
    caption: words.t('federation.invites'),
    rows: invites,
    columns: [
      { label: words.t('federation.address'), cell: ({ id, url }) => html`<a href="${invitePath(id)}">${hostOf(url)}</a>` },
      {
        label: words.t('federation.expires'),
        cell: ({ expiresAt: at }) => words.t('federation.expires_in', { at: words.dateTime(at), when: words.relative(at, now) }),
      },
      { label: words.t('federation.invited_by'), cell: ({ by }) => by ?? '–' },
      {
        label: words.t('federation.actions'),
        actions: true,
        cell: ({ id }) =>
          html`<div class="link-actions">${linkButtonView({ href: invitePath(id), label: words.t('federation.show'), small: true })}${postButtonView({ action: invitePath(id, 'withdraw'), csrfToken, label: words.t('federation.withdraw'), kind: 'quiet', small: true })}</div>`,
      },
    ],
  })
}

const nameCell = (href: string, name: string, url: string): Html =>
  html`<a href="${href}">${name}</a>${name !== hostOf(url) && html`<small class="link-host">${hostOf(url)}</small>`}`

function guestsView({ words, now, guests }: LinksData): Html {
  return tableView<GuestLine>({
    caption: words.t('federation.guests'),
    rows: guests,
    columns: [
      { label: words.t('federation.name'), cell: ({ id, name, url }) => nameCell(guestPath(id), name, url) },
      { label: words.t('federation.shared_coming'), cell: ({ events }) => words.number(events), numeric: true },
      { label: words.t('federation.visitors'), cell: ({ visitors }) => words.number(visitors), numeric: true },
      {
        label: words.t('federation.last_contact'),
        cell: ({ lastContactAt: at }) => (at ? words.relative(at, now) : words.t('federation.never')),
        numeric: true,
      },
    ],
  })
}

function hostsView({ words, now, hosts }: LinksData): Html {
  return tableView<HostLine>({
    caption: words.t('federation.hosts'),
    rows: hosts,
    columns: [
      { label: words.t('federation.name'), cell: ({ id, name, url }) => nameCell(hostPath(id), name, url) },
      { label: words.t('federation.state'), cell: (host) => healthView(words, host) },
      { label: words.t('federation.events'), cell: ({ events }) => words.number(events), numeric: true },
      {
        label: words.t('federation.last_success'),
        cell: ({ lastSuccessAt: at }) => (at ? words.relative(at, now) : words.t('federation.never')),
        numeric: true,
      },
    ],
  })
}
