import type { Links, Origin } from '#features/staffing/participations/rules/links.ts'
import {
  type SignupData,
  signupAlertsView,
  signupButtons,
  signupReasonsView,
} from '#features/staffing/participations/views/signup.ts'
import type { ReasonContext } from '#features/staffing/staffing/rules/model.ts'
import { noteView } from '#features/staffing/staffing/views/reasons.ts'
import type { OwnWaitingList } from '#features/staffing/waiting-list/rules/waiting-list.ts'
import {
  joinView,
  leaveView,
  waitingListAlertsView,
  waitingListNotesView,
} from '#features/staffing/waiting-list/views/waiting-list.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { Day } from '#platform/i18n/days.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { linkButtonView } from '#platform/ui/form.ts'
import { iconView } from '#platform/ui/icon.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import type { PartnerEvent } from '../queries/partner-events.ts'
import type { ShiftSummary } from '../rules/summaries.ts'
import { type FilterChoice, filterPath, filtersView, isNarrowed } from './event-filters.ts'
import { restView } from './event-shift.ts'
import { contactPath, openedText, partnerNotes, shiftPath, shiftTitle } from './list-items.ts'
import { pillsOf, shiftCardView, whenView } from './shift-card.ts'

type FoundShift = ShiftSummary & { signup: SignupData; waitingList: OwnWaitingList }
type Item = { shift: FoundShift; event?: undefined } | { shift?: undefined; event: PartnerEvent }

type FindData = ReasonContext & {
  links: Links
  csrfToken: string
  /** This list with its filters, to which buttons lead back. */
  from: Origin
  choice: FilterChoice
  types: readonly { id: number; title: string }[]
  hasPartners: boolean
  shown: number
  items: readonly Item[]
  hasMore: boolean
  /** The search stopped at a limit; it continues from this day. */
  continueFrom: Day | undefined
}

const PATH = '/shifts/'
const EVENTS = '/events/'
export const FIRST_SHOWN = 7
const MORE_SHOWN = 12
/** Later shifts are found by their date. */
export const MOST_SHOWN = FIRST_SHOWN + 12 * MORE_SHOWN

export const findPath = (choice: FilterChoice, shown = FIRST_SHOWN): string =>
  filterPath({ path: PATH, more: { shown: shown > FIRST_SHOWN ? shown : undefined } }, choice)

const rowOf = ({ shift, event }: Item): string => (shift ? `find-${shift.id}` : `partner-${event.id}`)

export function findView(data: FindData): Html {
  const { words, choice, types, hasPartners, items } = data
  return html`${pageHeadView({ title: words.t('find.title') })}
${filtersView({ words, choice, types, hasPartners, list: { path: PATH }, toggles: ['needs', 'all'], states: [], hasDates: true })}
${items.length ? html`<ul class="shift-list brief" role="list">${items.map((item) => (item.shift ? shiftView(data, item) : partnerView(data, item)))}</ul>` : noneView(data)}
${moreView(data)}
<p class="list-foot">${linkButtonView({ href: EVENTS, label: words.t('home.all_events'), kind: 'quiet', icon: 'calendar-check', small: true })}</p>`
}

function shiftView(data: FindData, item: Item & { shift: FoundShift }): Html {
  const { words, now, csrfToken, from } = data
  const { shift } = item
  const { signup, waitingList, start, end, label, location } = shift
  const name = `${shiftTitle(shift)}, ${words.span(shift.start, shift.end)}`
  const buttons = signupButtons(data, signup, name)
  const ofLine = { words, csrfToken, shift: name, from }
  const join = joinView(ofLine, waitingList)
  const [first, ...others] = signup.eligibility.canSignUp ? buttons : [join, ...buttons]
  const rest = [...others, leaveView(ofLine, waitingList)].filter((button) => button !== false && button !== undefined)
  const own = signup.state === undefined ? undefined : { state: signup.state }
  return shiftCardView({
    words,
    row: rowOf(item),
    isTop: true,
    title: html`<a href="${shiftPath(shift)}">${shift.eventTitle}</a>`,
    when: whenView({ words, now }, { start, end }, { hasDay: true, more: label || location }),
    notes: html`${signupAlertsView(data, signup)}${waitingListAlertsView(words, waitingList)}`,
    pills: pillsOf({ words, now, isPlanner: false, isCancelled: false }, { ...shift, own }),
    primary: first,
    name,
    fold: html`${restView(rest)}${label && location && noteView('map-pin', html`${location}`)}${signupReasonsView({ ...data, contactHref: contactPath(shift) }, signup)}${waitingListNotesView(words, waitingList)}`,
  })
}

/** Partners tell nothing about places: people sign up on their pages. */
function partnerView({ words, now }: FindData, item: Item & { event: PartnerEvent }): Html {
  const { event } = item
  const { partner, title } = event
  const opened = openedText(words, partner)
  return shiftCardView({
    words,
    row: rowOf(item),
    isTop: true,
    title: html`<a href="${partner.href}">${title}</a>`,
    when: whenView({ words, now }, event, { hasDay: true, more: event.location }),
    pills: partnerNotes(words, partner),
    primary: linkButtonView({
      href: partner.href,
      label: words.t('find.at_partner'),
      attributes: { 'aria-label': words.t('find.at_partner_named', { event: title, host: partner.host }) },
    }),
    name: title,
    fold: opened && noteView('info', html`${opened}`),
  })
}

/** The longer list begins where this one ends. */
function moreView({ words, choice, shown, items, hasMore, continueFrom }: FindData): Html | false {
  const last = items.at(-1)
  if (hasMore && last && shown < MOST_SHOWN)
    return html`<div class="show-more">${linkButtonView({ href: `${findPath(choice, shown + MORE_SHOWN)}#${rowOf(last)}`, label: words.t('find.show_more'), icon: 'chevron-down' })}</div>`
  if (continueFrom === undefined) return false
  const day = words.date(new Date(`${continueFrom}T12:00:00Z`))
  return html`<p class="look-on">${iconView('info', { size: 18 })}<span>${words.t('find.searched_until', { day })}</span> <a href="${findPath({ ...choice, from: continueFrom })}">${words.t('find.search_on')}</a></p>`
}

function noneView({ words, choice }: FindData): Html {
  const isFiltered = isNarrowed({ ...choice, all: false })
  const href = isFiltered ? PATH : findPath({ ...choice, all: true })
  const label = words.t(isFiltered ? 'find.clear' : 'find.show_all')
  return emptyView({
    icon: 'search-x',
    text: words.t(isFiltered || choice.all ? 'find.none_found' : 'find.none_fit'),
    action: (isFiltered || !choice.all) && linkButtonView({ href, label }),
  })
}
