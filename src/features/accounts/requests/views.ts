import { attrs, type Child, type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView, type Tone } from '#platform/ui/badge.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { textField } from '#platform/ui/fields.ts'
import type { Flash } from '#platform/ui/flash.ts'
import { buttonView, csrfField, inPlace } from '#platform/ui/form.ts'
import { type IconName, iconView } from '#platform/ui/icon.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { pagerView } from '#platform/ui/pager.ts'
import { tabsView } from '#platform/ui/tabs.ts'
import { canDecide, type RequestState } from './rules.ts'

export const REQUESTS = '/manage/requests/'
const decidePath = (id: number): string => `${REQUESTS}${id}/`

type Request = {
  id: number
  /** What the person asks for, in one line. */
  text: string
  /** What proves it. */
  link?: { href: string; label: string } | undefined
  icon: IconName
  userName: string
  state: RequestState
  comment: string
  createdAt: Date
  decidedAt: Date | null
  decidedBy: string | null
}
type RequestListData = {
  words: Words
  now: Date
  csrfToken: string
  requests: readonly Request[]
}
type RequestsData = RequestListData & {
  tab: 'waiting' | 'decided'
  waiting: number
  page: number
  pageSize: number
  total: number
}

const TONES: Record<RequestState, Tone> = { open: 'warn', granted: 'good', failed: 'bad', refused: 'bad', withdrawn: 'quiet' }

export const requestStateView = (words: Words, state: RequestState): Html =>
  badgeView({ tone: TONES[state], text: words.t(`requests.state_${state}`) })

export function requestsView(data: RequestsData): Html {
  const { words, tab, waiting, requests, page, pageSize, total } = data
  const tabs = tabsView({
    label: words.t('requests.title'),
    tabs: [
      { href: REQUESTS, label: words.t('requests.waiting'), count: waiting, current: tab === 'waiting' },
      { href: `${REQUESTS}?tab=decided`, label: words.t('requests.decided'), current: tab === 'decided' },
    ],
  })
  const list = requests.length
    ? requestListView(data)
    : emptyView({ icon: 'list-checks', text: words.t(tab === 'waiting' ? 'requests.none_waiting' : 'requests.none_decided') })
  const pager = pagerView({ words, page, pageSize, total, href: (to) => `${REQUESTS}?tab=decided&page=${to}` })
  return html`${pageHeadView({ title: words.t('requests.title'), facts: words.t('requests.intro') })}${tabs}${list}${tab === 'decided' && pager}`
}

/** Requests with buttons for those that can be decided. */
function requestListView(data: RequestListData): Html {
  return html`<ul class="requests" role="list">${data.requests.map((request) => html`<li class="request" id="request-${request.id}" data-row>${requestView(data, request)}</li>`)}</ul>`
}

function requestView(data: RequestListData, request: Request): Child {
  const { words, now } = data
  const decided =
    request.decidedAt &&
    html`<p class="muted">${
      request.decidedBy === null
        ? words.t('requests.decided_at', { when: words.dateTime(request.decidedAt) })
        : words.t('requests.decided_by', { name: request.decidedBy, when: words.dateTime(request.decidedAt) })
    }</p>`
  return html`<div class="request-about"><p class="request-who">${iconView(request.icon)}<b>${request.userName}</b>${request.state !== 'open' && requestStateView(words, request.state)}</p>
<p class="wrap">${request.text}</p>${request.link && proofLinkView(request.link)}${request.comment && html`<p class="muted wrap">${words.t('requests.comment_is', { comment: request.comment })}</p>`}
<p class="muted">${words.t('requests.asked', { when: words.relative(request.createdAt, now) })}</p>${decided}</div>${decisionView(data, request)}`
}

/** Opens in a new tab, so that a half-written comment stays. */
export const proofLinkView = ({ href, label }: { href: string; label: string }): Html =>
  html`<p><a class="wrap" href="${href}" target="_blank" rel="noopener">${iconView('file-text', { size: 18 })} ${label}</a></p>`

function decisionView({ words, csrfToken }: RequestListData, { id, state, userName }: Request): Html | false {
  if (!canDecide(state, 'grant')) return false
  const refuse =
    canDecide(state, 'refuse') &&
    buttonView({
      label: words.t('requests.refuse'),
      kind: 'secondary',
      icon: 'x',
      name: 'decision',
      value: 'refuse',
      attributes: { 'aria-label': words.t('requests.refuse_of', { name: userName }) },
    })
  const grant = buttonView({
    label: words.t('requests.grant'),
    icon: 'check',
    name: 'decision',
    value: 'grant',
    attributes: { 'aria-label': words.t('requests.grant_of', { name: userName }) },
  })
  const comment = textField({
    words,
    name: 'comment',
    id: `comment-${id}`,
    label: words.t('requests.comment'),
    value: '',
    attributes: { maxlength: 1000 },
  })
  return html`<form class="request-decision" method="post" action="${decidePath(id)}" ${attrs(inPlace(decidePath(id), `decide-${id}`))}>${csrfField(csrfToken)}${comment}<div class="cluster">${grant}${refuse}</div></form>`
}

/** What the person sees who withdrew a request; `done` if nobody had decided it. */
export const withdrawalFlash = (words: Words, { ok }: { ok: boolean }, done: string): Flash =>
  ok ? { kind: 'good', text: done } : { kind: 'bad', text: words.t('requests.not_decided_decided') }
