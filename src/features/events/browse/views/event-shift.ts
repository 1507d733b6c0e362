import type { Shift } from '#features/events/events/rules/shifts.ts'
import { findShiftFacts } from '#features/events/events/views/facts.ts'
import { shiftResourcesView } from '#features/events/resources/views.ts'
import type { OwnSwap } from '#features/staffing/exchanges/rules/swap.ts'
import { standInLinkView } from '#features/staffing/exchanges/views/stand-in.ts'
import { swapAnswerLinkView, swapBriefView, swapLinkView, swapNotesView } from '#features/staffing/exchanges/views/swap.ts'
import type { Links, Origin } from '#features/staffing/participations/rules/links.ts'
import {
  type SignupData,
  signupActionsView,
  signupAlertsView,
  signupButtons,
  signupNotesView,
  signupReasonsView,
} from '#features/staffing/participations/views/signup.ts'
import type { Shortage } from '#features/staffing/staffing/rules/coverage.ts'
import { isIn, type ReasonContext, STATE, type State } from '#features/staffing/staffing/rules/model.ts'
import { sumStats } from '#features/staffing/staffing/rules/statistics.ts'
import { shortagesView } from '#features/staffing/staffing/views/explanations.ts'
import { needsView, type ShiftNeeds } from '#features/staffing/staffing/views/needs.ts'
import { noteView } from '#features/staffing/staffing/views/reasons.ts'
import { staffingState, staffingView } from '#features/staffing/staffing/views/staffing.ts'
import { shortStateBadge, toStaffing } from '#features/staffing/staffing/views/state.ts'
import type { OwnWaitingList } from '#features/staffing/waiting-list/rules/waiting-list.ts'
import {
  joinView,
  leaveView,
  waitingListAlertsView,
  waitingListNotesView,
} from '#features/staffing/waiting-list/views/waiting-list.ts'
import { attrs, type Html, html } from '#platform/html/html.ts'
import { type Words, wordsAboutChild } from '#platform/i18n/words.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { linkButtonView } from '#platform/ui/form.ts'
import { type IconName, iconView } from '#platform/ui/icon.ts'
import { isShiftOpen, pillsOf, shiftCardView, whenView } from './shift-card.ts'
import { countPeople, peopleView, type ShiftPeople } from './shift-people.ts'

export type PageLink = { href: string; label: string; icon: IconName }

export type EventShiftData = Shift & {
  own: { state: State; start: Date; end: Date; hasOwnTimes: boolean } | undefined
  needs: ShiftNeeds
  people: ShiftPeople
  /** Periods in which people are missing. */
  shortages: readonly Shortage[]
  /** Undefined for callers who cannot take part at all. */
  signup: SignupData | undefined
  /** Shared: another shift uses it at the same time. */
  resources: readonly { title: string; isShared: boolean }[]
  /** To pages about the shift, the main one first. `isMain`: what the shift needs most. */
  links: readonly (PageLink & { isMain: boolean })[]
  /** Undefined for people without an account. */
  waitingList: OwnWaitingList | undefined
  /** People can look for a stand-in or swap. */
  hasExchanges: boolean
  /** Open proposals about the reader's place. */
  swaps: readonly OwnSwap[]
  /** The children of the reader who see the event. */
  children: readonly { name: string; links: Links; signup: SignupData }[]
}

export type ShiftContext = ReasonContext & {
  links: Links
  csrfToken: string
  /** The page to which buttons lead back. */
  from: Origin
  contactHref: string | undefined
  isCancelled: boolean
  /** Has an account here, so that stand-ins and swaps are possible. */
  isMember: boolean
  /** Reads staffing and names of all, and changes the plan. */
  isPlanner: boolean
  /** Why names are hidden; undefined if none are. */
  namesHiddenBy: 1 | 2 | 'partner' | undefined
  /** Its year is not repeated: the head of the page names it. */
  begins: Date
}

export const isOwn = ({ own }: EventShiftData): boolean => own !== undefined && isIn(own.state)

export const nameOf = (words: Words, { label, start, end }: EventShiftData): string =>
  label ? `${label}, ${words.span(start, end)}` : words.span(start, end)

type Part = {
  /** Of the row that keeps its place after its button was pressed. */
  row: string
  /** Names the day, which else stands above the shifts of a day. */
  hasDay: boolean
}

/** A shift with one button, and all else behind “…”. */
export function shiftView(context: ShiftContext, shift: EventShiftData, { row, hasDay }: Part): Html {
  const { words, isPlanner } = context
  const { primary, rest } = actionsOf(context, shift)
  const isOpen = isShiftOpen(context, shift)
  const { start, end, meeting } = shift
  // Over midnight, both would not fit into one line.
  const meets = words.sameDay(start, end) || meeting >= start ? '' : words.t('ui.meet', { time: words.time(meeting) })
  return shiftCardView({
    words,
    row,
    id: `shift-${shift.id}`,
    isPlanned: isPlanner,
    title: shift.label,
    when: whenView({ words, now: context.begins }, meets ? { start, end } : shift, { hasDay }),
    notes: html`${isPlanner && html`${isOpen && staffingView({ words, staffing: toStaffing(shift) })}${namesView(context, shift, true)}`}${alertsView(context, shift)}`,
    brief: html`${meets && noteView('clock', html`${meets}`)}${isOpen && html`${ownTimesView(context, shift)}${swapBriefView(words, shift.swaps)}`}`,
    pills: pillsOf(context, shift),
    primary,
    name: nameOf(words, shift),
    fold: html`${isOpen && swapNotesView(words, shift.id, shift.swaps)}${restView(rest)}${detailsView(context, shift)}${!isPlanner && namesView(context, shift, false)}`,
    below: childrenView(context, shift),
  })
}

/** A line of a long list, which unfolds to what can be done. Beside it is the button of a shift that the reader can take as it is. */
export function shiftRowView(context: ShiftContext, shift: EventShiftData, { row, hasDay }: Part): Html {
  const { words, isPlanner } = context
  const { primary, rest } = actionsOf(context, shift)
  const isOpen = isShiftOpen(context, shift)
  const isOffer =
    !isPlanner && isOpen && shift.signup?.eligibility.canSignUp === true && !shift.signup.eligibility.warnings.length
  const notes = html`${isOpen && html`${ownTimesView(context, shift)}${swapNotesView(words, shift.id, shift.swaps)}`}${alertsView(context, shift)}`
  return html`<li id="${row}" data-row><details class="shift-row${isPlanner && ' planned'}${isOffer && ' offer'}" id="shift-${shift.id}"><summary><span class="shift-row-text">${shift.label && html`<b class="shift-title">${shift.label}</b>`}<span class="shift-row-line">${whenView(context, shift, { hasDay })}${pillsOf(context, shift).map((pill) => badgeView(pill))}</span></span>${iconView('chevron-down', { size: 18 })}</summary>
<div class="shift-fold">${notes}${restView(isOffer ? rest : [primary, ...rest])}${isPlanner && isOpen && staffingView({ words, staffing: toStaffing(shift) })}${detailsView(context, shift)}${namesView(context, shift, false)}${childrenView(context, shift)}</div></details>${isOffer && html`<div class="shift-actions">${primary}</div>`}</li>`
}

export const restView = (rest: readonly Html[]): Html | false => rest.length > 0 && html`<div class="shift-actions">${rest}</div>`

/** What the reader has to know before anything else. */
function alertsView(context: ShiftContext, shift: EventShiftData): Html | false {
  const { words } = context
  const { signup, waitingList } = shift
  if (!isShiftOpen(context, shift)) return false
  return html`${signup && signupAlertsView(context, signup)}${waitingList && waitingListAlertsView(words, waitingList)}`
}

const ownTimesView = ({ words }: ShiftContext, { own }: EventShiftData): Html | false =>
  own?.hasOwnTimes === true &&
  noteView('clock', html`${words.t('event.own_times', { times: words.hours(own.start, own.end, own.start) })}`)

/** More names are folded on the cards of planners. */
const MAX_NAMES_SHOWN = 6

function namesView(context: ShiftContext, shift: EventShiftData, isFolded: boolean): Html | false {
  const { words, isPlanner, namesHiddenBy } = context
  const { people } = shift
  const count = countPeople(people)
  // The staffing above says the same.
  if (isPlanner && isShiftOpen(context, shift) && count === 0 && !people.teams.length && !people.units.length) return false
  const names = peopleView({ words, isOpen: isShiftOpen(context, shift), isPlanner }, people)
  if (isFolded && count > MAX_NAMES_SHOWN)
    return html`<details class="fold"><summary>${iconView('users', { size: 18 })}<span>${words.t('event.hidden', { count })}</span>${iconView('chevron-down', { size: 18 })}</summary><div class="shift-fold">${names}</div></details>`
  const hidden =
    namesHiddenBy &&
    count > 0 &&
    html`<p class="side-note">${iconView('eye-off', { size: 16 })}<span>${words.t(`event.why_hidden.${namesHiddenBy}`)}</span></p>`
  return html`${names}${hidden}`
}

function detailsView(context: ShiftContext, shift: EventShiftData): Html {
  const { words, isPlanner } = context
  const { needs, people, shortages, signup, waitingList } = shift
  const isOpen = isShiftOpen(context, shift)
  const resources = isPlanner ? shift.resources : shift.resources.map(({ title }) => ({ title, isShared: false }))
  // The units are listed with their people.
  return html`${isOpen && signup && html`${signupReasonsView(context, signup)}${waitingList && waitingListNotesView(words, waitingList)}`}${findShiftFacts(words, shift, 'card').map((fact) => html`<p class="needs">${fact}</p>`)}${shiftResourcesView(words, resources)}${isOpen && needsView(words, people.units.length ? { ...needs, units: [] } : needs)}${isPlanner && isOpen && shortagesView(context, shortages)}`
}

/** A line for each child: their state, or why they cannot sign up, and what the reader can do for them. */
function childrenView(context: ShiftContext, shift: EventShiftData): Html | false {
  const { words } = context
  const isOpen = isShiftOpen(context, shift)
  const shown = shift.children.filter(({ signup }) => isOpen || signup.state !== undefined)
  if (!shown.length) return false
  return html`<section class="shift-family"><p class="shift-family-head">${words.t('find.children')}</p><ul role="list">${shown.map(
    ({ name, links, signup }) => {
      const badge = signup.state !== undefined && shortStateBadge(words, signup.state, !isOpen)
      const own = { ...context, words: wordsAboutChild(words, name), links }
      return html`<li id="row${links.signup(shift.id).replaceAll(/\W+/g, '-')}" data-row><p class="shift-child">${iconView('user', { size: 16 })}<b>${name}</b>${badge && badgeView({ ...badge, icon: badge.tone === 'good' ? 'check' : undefined })}</p>
${isOpen && signupNotesView(own, signup)}${isOpen && html`<div class="shift-actions">${signupActionsView(own, signup, words.t('find.for_child', { name, shift: nameOf(words, shift) }))}</div>`}</li>`
    },
  )}</ul></section>`
}

/** One button; the rest is folded. For planners it is what the shift needs, and their own sign-up is folded. */
function actionsOf(context: ShiftContext, shift: EventShiftData): { primary: Html; rest: Html[] } {
  const { words, now, isMember, isPlanner, csrfToken, from } = context
  const { signup, waitingList } = shift
  const name = nameOf(words, shift)
  const isOpen = isShiftOpen(context, shift)
  const buttons = isOpen && signup ? signupButtons(context, signup, name) : []
  const isFirst = isOwn(shift) || signup?.eligibility.canSignUp === true
  const ofLine = { words, csrfToken, shift: name, from }
  const join = isOpen && waitingList && joinView(ofLine, waitingList)
  const leave = isOpen && waitingList && leaveView(ofLine, waitingList)
  const own = isFirst ? buttons : [join, ...buttons]
  const hasPlace = isOpen && isMember && shift.own?.state === STATE.confirmed && shift.start > now
  const exchanges =
    hasPlace && shift.hasExchanges ? [standInLinkView(words, shift.id, name), swapLinkView(words, shift.id, name)] : []
  const links = shift.links.map(({ href, label, icon, isMain }, index) =>
    linkButtonView({
      href,
      label,
      kind: linkKind(isMain, index),
      icon,
      attributes: { 'aria-label': words.t('plan.do_named', { action: label, what: name }) },
    }),
  )
  const answer = isOpen && swapAnswerLinkView(words, shift.swaps, name)
  const answers = answer ? [answer] : []
  const [first, ...rest] = isPlanner
    ? [...links, ...answers, ...own, leave, ...exchanges]
    : [...answers, ...own, leave, ...exchanges, ...links]
  return { primary: html`${first}`, rest: rest.filter((button) => button !== false && button !== undefined) }
}

function linkKind(isMain: boolean, index: number): 'primary' | 'secondary' | 'quiet' {
  if (isMain) return 'primary'
  return index === 0 ? 'secondary' : 'quiet'
}

/** How many people are missing on a day. */
function dayStateView(context: ShiftContext, shifts: readonly EventShiftData[]): Html | false {
  const { words } = context
  const open = shifts.filter((shift) => isShiftOpen(context, shift))
  return open.length > 1 && html` <span class="muted">${staffingState(words, toStaffing(sumStats(open))).text}</span>`
}

/** Days after these are folded. */
const MAX_OPEN_ROWS = 24

/** Rows by day, with a heading for each. It folds them for those who take part: who plans compares all shifts. */
export function daysView(
  context: ShiftContext,
  shifts: readonly EventShiftData[],
  rowOf: (shift: EventShiftData) => string,
): Html {
  const { words, now, isPlanner } = context
  const days = [...Map.groupBy(shifts, ({ start }) => words.inputDate(start))]
  return html`${days.map(([date, onDay], index) => {
    const day = words.day(onDay[0]!.start, now)
    const rows = html`<ul class="shift-rows" role="list">${onDay.map((shift) => shiftRowView(context, shift, { row: rowOf(shift), hasDay: false }))}</ul>`
    if (isPlanner) return html`<section class="shift-day"><h3>${day}${dayStateView(context, onDay)}</h3>${rows}</section>`
    const count = days.slice(0, index + 1).reduce((sum, [, some]) => sum + some.length, 0)
    const isOpen = index === 0 || count <= MAX_OPEN_ROWS
    return html`<details class="shift-day" id="day-${date}" ${attrs({ open: isOpen })}><summary><h3>${day}</h3><span class="muted">${words.t('ui.shifts', { count: onDay.length })}</span>${iconView('chevron-down', { size: 18 })}</summary>${rows}</details>`
  })}`
}
