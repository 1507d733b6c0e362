import type { ChildShift } from '#features/accounts/families/rules.ts'
import { childShiftRow } from '#features/accounts/families/views.ts'
import type { ShiftSummary } from '#features/events/browse/rules/summaries.ts'
import { contactPath, partnerNotes, shiftPath, shiftTitle } from '#features/events/browse/views/list-items.ts'
import { eventListView } from '#features/events/events/views/event-row.ts'
import { standInPath, swapPath } from '#features/staffing/exchanges/rules/links.ts'
import type { SearchProgress } from '#features/staffing/exchanges/rules/waves.ts'
import { progressText, stopSearchView } from '#features/staffing/exchanges/views/search.ts'
import { MEMBER_LINKS } from '#features/staffing/participations/rules/links.ts'
import type { Reason, ReasonContext } from '#features/staffing/staffing/rules/model.ts'
import { reasonsView } from '#features/staffing/staffing/views/reasons.ts'
import { leavePath } from '#features/staffing/waiting-list/rules/links.ts'
import { attrs, type Html, html } from '#platform/html/html.ts'
import { badgeView, type Tone } from '#platform/ui/badge.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { linkButtonView, postButtonView } from '#platform/ui/form.ts'
import { type IconName, iconView } from '#platform/ui/icon.ts'
import { tabsView } from '#platform/ui/tabs.ts'
import { overlapOf } from '../rules.ts'
import { MY_SHIFTS } from './hours.ts'

/** What the person can do about their place. */
export type OwnPlace = ShiftSummary & {
  canDecline: boolean
  canCustomize: boolean
  /** Why the place cannot be given up. */
  reasons: readonly Reason[]
  /** Others whom the person brings: they leave too, so a page asks first. */
  companions: number
}
/** A swap or a search for a stand-in; `isAsked`: the reader has to answer. */
type OwnExchange = ShiftSummary & {
  text: string
  path: string
  isAsked: boolean
  isOwnShift: boolean
  /** The own search for a stand-in. */
  search: SearchProgress | undefined
}
export type OwnWaitingList = ShiftSummary & { text: string; offer: string | undefined }

export type OwnShiftsData = ReasonContext & {
  csrfToken: string
  confirmed: readonly OwnPlace[]
  requested: readonly OwnPlace[]
  lines: readonly OwnWaitingList[]
  exchanges: readonly OwnExchange[]
  /** Whom the reader is a guardian of. */
  children: readonly { userId: number; name: string }[]
  childShifts: readonly ChildShift[]
  /** `me`, the id of a child, or else everybody. */
  who: string
  /** More than the first ones. */
  isAll: boolean
  /** People can look for a stand-in or swap. */
  hasExchanges: boolean
}

const FIRST = 4

export function ownShiftsView(data: OwnShiftsData): Html {
  const { words, now, children, childShifts, who } = data
  const child = children.find(({ userId }) => String(userId) === who)
  const shownChildren = child ? childShifts.filter(({ child: { userId } }) => userId === child.userId) : childShifts
  const hasOwn = child === undefined
  const filter =
    children.length > 0 &&
    tabsView({
      label: words.t('hours.who'),
      tabs: [
        { href: MY_SHIFTS, label: words.t('hours.who_all'), current: !child && who !== 'me' },
        { href: `${MY_SHIFTS}?who=me`, label: words.t('hours.who_me'), current: who === 'me' },
        ...children.map(({ userId, name }) => ({
          href: `${MY_SHIFTS}?who=${userId}`,
          label: name,
          current: child?.userId === userId,
        })),
      ],
    })
  const family =
    who !== 'me' &&
    children.length > 0 &&
    html`<section class="section-block"><header class="section-head"><h2>${words.t('families.shifts')}</h2></header>${
      shownChildren.length
        ? eventListView({ words, now, events: shownChildren.map((shift) => childShiftRow(words, shift)) })
        : html`<p class="muted">${child ? words.t('hours.none_of', { name: child.name }) : words.t('families.no_shifts')}</p>`
    }</section>`
  return html`${filter}${hasOwn && html`${comingView(data)}${openView(data)}`}${family}`
}

function comingView(data: OwnShiftsData): Html {
  const { words, confirmed, isAll, who } = data
  const shown = isAll ? confirmed : confirmed.slice(0, FIRST)
  const rest = confirmed.length - shown.length
  const body = shown.length
    ? html`<ul class="own-shifts" role="list">${shown.map((shift, index) => placeView(data, shift, index === 0))}</ul>`
    : emptyView({
        icon: 'calendar-check',
        text: words.t('hours.none_coming'),
        action: linkButtonView({ href: '/events/', label: words.t('hours.find_shift') }),
      })
  const more = new URLSearchParams({ ...(who && { who }), all: '1' })
  return html`<section class="section-block"><header class="section-head"><h2>${words.t('hours.coming')}${confirmed.length > 0 && html` <span class="tab-count">${confirmed.length}</span>`}</h2></header>${body}${rest > 0 && html`<p><a class="section-more" href="${MY_SHIFTS}?${more.toString()}">${words.t('hours.more_shifts', { count: rest })}${iconView('arrow-right', { size: 18 })}</a></p>`}</section>`
}

/** What is not decided: requests, places on waiting lists, and what others ask. */
function openView(data: OwnShiftsData): Html | false {
  const { words, requested, lines, exchanges } = data
  const asked = exchanges.filter(({ isAsked, isOwnShift }) => isAsked && !isOwnShift)
  const rows = [
    ...asked.map((shift) => ({
      start: shift.start,
      view: rowView(data, {
        id: `asked-${shift.id}`,
        shift,
        badges: [{ tone: 'warn', text: shift.text }],
        actions: linkButtonView({ href: shift.path, label: words.t('hours.answer'), kind: 'primary', small: true }),
      }),
    })),
    ...requested.map((shift) => ({ start: shift.start, view: requestView(data, shift) })),
    ...lines.map((shift) => ({ start: shift.start, view: lineView(data, shift) })),
  ].sort((a, b) => a.start.getTime() - b.start.getTime())
  if (!rows.length) return false
  return html`<section class="section-block" id="open"><header class="section-head"><h2>${words.t('hours.open')} <span class="tab-count">${rows.length}</span></h2></header><ul class="own-shifts" role="list">${rows.map(({ view }) => view)}</ul></section>`
}

type Row = {
  id: string
  shift: ShiftSummary
  badges: readonly { tone: Tone; text: string; icon?: IconName; href?: string }[]
  /** A sentence about the state. */
  note?: Html | false | undefined
  actions?: Html | false | undefined
  /** Stands at the end of the first line. */
  menu?: Html | false | undefined
}

function rowView({ words, now }: OwnShiftsData, { id, shift, badges, note, actions, menu }: Row): Html {
  const { start, end, location } = shift
  return html`<li class="own-shift" ${attrs({ id })} data-row><div class="own-shift-head"><div><a class="own-shift-title" href="${shiftPath(shift)}">${shiftTitle(shift)}</a><p class="own-shift-when"><b>${words.day(start, now)}</b> <span class="hours">${words.hours(start, end, now)}</span>${location && html` <span class="muted">· ${location}</span>`}</p></div>${menu}</div>
${note}<div class="own-shift-foot"><p class="own-shift-state">${badges.map(({ href, ...badge }) => (href ? html`<a href="${href}">${badgeView(badge)}</a>` : badgeView(badge)))}</p>${actions && html`<div class="shift-actions">${actions}</div>`}</div></li>`
}

const nameOf = ({ words }: OwnShiftsData, shift: ShiftSummary): string =>
  `${shiftTitle(shift)}, ${words.span(shift.start, shift.end)}`

type Action = { href: string; label: string; icon: IconName }

function placeActions({ words, now, exchanges, hasExchanges }: OwnShiftsData, shift: OwnPlace): Action[] {
  if (shift.partner?.givingUp && shift.start > now)
    return [{ href: shift.partner.givingUp, label: words.t('signup.cant_come'), icon: 'calendar-x' }]
  if (shift.partner || shift.cancellationReason !== null) return []
  const isAhead = shift.start > now
  const isSought = exchanges.some(({ id, search }) => search && id === shift.id)
  return [
    ...(shift.canDecline
      ? [
          {
            href: `${MEMBER_LINKS.decline(shift.id)}?from=my-shifts`,
            label: words.t('signup.cant_come'),
            icon: 'calendar-x' as const,
          },
        ]
      : []),
    ...(isAhead && hasExchanges
      ? [
          ...(isSought ? [] : [{ href: standInPath(shift.id), label: words.t('hours.stand_in'), icon: 'users' as const }]),
          { href: swapPath(shift.id), label: words.t('swap.link'), icon: 'repeat' as const },
        ]
      : []),
    ...(shift.canCustomize
      ? [{ href: MEMBER_LINKS.signup(shift.id), label: words.t('signup.change_times'), icon: 'clock' as const }]
      : []),
  ]
}

/** The next shift shows its actions; those of the others are behind a button. */
function placeView(data: OwnShiftsData, shift: OwnPlace, isFirst: boolean): Html {
  const { words } = data
  const named = (action: string) => ({ 'aria-label': words.t('signup.for_shift', { action, shift: nameOf(data, shift) }) })
  const actions = placeActions(data, shift)
  const reasons =
    shift.cancellationReason === null &&
    shift.reasons.length > 0 &&
    reasonsView({ ...data, links: MEMBER_LINKS, contactHref: contactPath(shift) }, shift.reasons)
  const menu =
    !isFirst &&
    actions.length > 0 &&
    html`<details class="menu row-menu"><summary class="button quiet icon-only">${iconView('ellipsis')}<span class="sr-only">${words.t('hours.actions_of', { shift: nameOf(data, shift) })}</span></summary><div class="menu-list">${actions.map(({ href, label, icon }) => html`<a class="menu-item" href="${href}">${iconView(icon, { size: 18 })}<span>${label}</span></a>`)}${reasons}</div></details>`
  const exchanges = data.exchanges.filter(({ id, isOwnShift }) => isOwnShift && id === shift.id)
  return rowView(data, {
    id: `own-${shift.id}`,
    shift,
    badges: [
      shift.cancellationReason === null
        ? { tone: 'good', text: words.t('hours.confirmed'), icon: 'check' }
        : { tone: 'bad', text: words.t('event.cancelled') },
      ...exchanges.map(({ text, path, isAsked }) => ({
        tone: isAsked ? ('warn' as const) : ('info' as const),
        text,
        href: path,
      })),
      ...partnerNotes(words, shift.partner),
    ],
    note: html`${shift.cancellationReason}${isFirst && reasons}${exchanges.map(({ search }) => search && searchView(data, shift, search))}`,
    actions:
      isFirst &&
      actions.length > 0 &&
      html`${actions.map(({ href, label, icon }) => linkButtonView({ href, label, icon, small: true, attributes: named(label) }))}`,
    menu,
  })
}

/** How far the search for a stand-in is, and the way to stop it. */
function searchView(data: OwnShiftsData, shift: OwnPlace, search: SearchProgress): Html {
  const { words, now, csrfToken } = data
  const text = search.state === 'found' ? words.t('stand_in.found_title') : progressText(words, now, search)
  const stop = stopSearchView(words, { csrfToken, shiftId: shift.id, from: 'my-shifts', shift: nameOf(data, shift) })
  return html`<div class="own-shift-search"><span>${text}</span>${stop}</div>`
}

/** A request that overlaps a confirmed shift is marked; withdrawing a request takes one tap. */
function requestView(data: OwnShiftsData, shift: OwnPlace): Html {
  const { words, csrfToken, confirmed } = data
  const overlap = overlapOf(
    shift,
    confirmed.filter(({ cancellationReason }) => cancellationReason === null),
  )
  const label = words.t('hours.withdraw')
  const attributes = { 'aria-label': words.t('signup.for_shift', { action: label, shift: nameOf(data, shift) }) }
  const decline = MEMBER_LINKS.decline(shift.id)
  const withdraw = shift.partner?.givingUp
    ? linkButtonView({ href: shift.partner.givingUp, label, small: true, attributes })
    : shift.canDecline &&
      (shift.companions > 0
        ? linkButtonView({ href: `${decline}?from=my-shifts`, label, small: true, attributes })
        : postButtonView({
            action: decline,
            csrfToken,
            label,
            kind: 'secondary',
            small: true,
            fields: { from: 'my-shifts' },
            attributes,
            id: `withdraw-place-${shift.id}`,
          }))
  return rowView(data, {
    id: `request-of-${shift.id}`,
    shift,
    badges: [
      { tone: 'warn', text: words.t('hours.requested') },
      ...(overlap ? [{ tone: 'bad' as const, text: words.t('hours.overlaps', { shift: shiftTitle(overlap) }) }] : []),
      ...partnerNotes(words, shift.partner),
    ],
    actions: withdraw,
  })
}

function lineView(data: OwnShiftsData, shift: OwnWaitingList): Html {
  const { words, csrfToken } = data
  const label = words.t('offers.leave')
  return rowView(data, {
    id: `line-of-${shift.id}`,
    shift,
    badges: [{ tone: shift.offer === undefined ? 'info' : 'warn', text: shift.text }],
    actions:
      shift.offer === undefined
        ? postButtonView({
            action: leavePath(shift.id),
            csrfToken,
            label,
            kind: 'secondary',
            small: true,
            fields: { from: 'my-shifts' },
            attributes: { 'aria-label': words.t('signup.for_shift', { action: label, shift: nameOf(data, shift) }) },
            id: `leave-${shift.id}`,
          })
        : linkButtonView({ href: shift.offer, label: words.t('hours.answer'), kind: 'primary', small: true }),
  })
}
