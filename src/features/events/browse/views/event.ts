import type { EventValues } from '#features/events/events/rules/event-fields.ts'
import type { Shift } from '#features/events/events/rules/shifts.ts'
import { findEventFacts, findShiftFacts } from '#features/events/events/views/facts.ts'
import { shiftCardView } from '#features/events/events/views/shift-card.ts'
import { shiftResourcesView } from '#features/events/resources/views.ts'
import { draftNoticeView, type PlanActionsData, planActionsView } from '#features/planning/planning/views/lifecycle.ts'
import type { OwnSwap } from '#features/staffing/exchanges/rules/swap.ts'
import { standInLinkView } from '#features/staffing/exchanges/views/stand-in.ts'
import { swapLinkView, swapNotesView } from '#features/staffing/exchanges/views/swap.ts'
import type { Links } from '#features/staffing/participations/rules/links.ts'
import { type SignupData, signupActionsView, signupNotesView } from '#features/staffing/participations/views/signup.ts'
import type { Need } from '#features/staffing/staffing/queries/needs.ts'
import type { Shortage } from '#features/staffing/staffing/rules/coverage.ts'
import type { ReasonContext, State } from '#features/staffing/staffing/rules/model.ts'
import { sumStats } from '#features/staffing/staffing/rules/statistics.ts'
import { shortagesView } from '#features/staffing/staffing/views/explanations.ts'
import { formatBounds, needsView, type ShiftNeeds } from '#features/staffing/staffing/views/needs.ts'
import { staffingBadgeView, staffingView } from '#features/staffing/staffing/views/staffing.ts'
import { shortStateBadge, stateBadge, toStaffing } from '#features/staffing/staffing/views/state.ts'
import type { OwnLine } from '#features/staffing/waiting-list/rules/line.ts'
import { lineActionsView, lineNotesView } from '#features/staffing/waiting-list/views/line.ts'
import { attrs, type Html, html } from '#platform/html/html.ts'
import { markdownView } from '#platform/html/markdown.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { cardView } from '#platform/ui/card.ts'
import { dotView } from '#platform/ui/colour.ts'
import { type Contact, contactListView } from '#platform/ui/contact.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { linkButtonView } from '#platform/ui/form.ts'
import { type IconName, iconView } from '#platform/ui/icon.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { mapLinkView } from './list-items.ts'

type PageLink = { href: string; label: string; icon: IconName }

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
  /** To pages about the shift. */
  links: readonly PageLink[]
  /** Undefined for people without an account. */
  line: OwnLine | undefined
  /** Open proposals about the reader's place. */
  swaps: readonly OwnSwap[]
  /** The children of the reader who see the event. */
  children: readonly { name: string; links: Links; signup: SignupData }[]
}

type EventPageData = ReasonContext & { links: Links } & EventValues & {
    csrfToken: string
    type: { name: string; colour: string }
    time: { start: Date; end: Date } | undefined
    cancelledBecause: string | null
    /** Why names are hidden; undefined if none are. */
    namesHiddenBy: 1 | 2 | 'abroad' | undefined
    shifts: readonly EventShiftData[]
    /** Parts of other features, below the description. */
    more: readonly Html[]
    /** People who plan the event. */
    contacts: readonly Contact[]
    /** Undefined for visitors and guests, who cannot plan. */
    plan: PlanActionsData | undefined
    tools: readonly PageLink[]
  }

export function eventPageView(data: EventPageData): Html {
  const { words, now, title, cancelledBecause, time, namesHiddenBy, shifts } = data
  const isCancelled = cancelledBecause !== null
  const isPast = time !== undefined && time.end < now
  const badge = isCancelled
    ? badgeView({ tone: 'bad', text: words.t('event.cancelled') })
    : data.plan?.isDraft && badgeView({ tone: 'quiet', text: words.t('plan.draft') })
  return html`${pageHeadView({ title, badge, facts: factsOf(data), actions: data.plan ? planActionsView(data.plan) : [] })}
${eventToolsView(data.tools)}
${data.plan?.isDraft && draftNoticeView(words, data.plan.hasShifts)}
${isCancelled ? noticeView('bad', words.t('event.is_cancelled'), cancelledBecause) : isPast && noticeView('quiet', words.t('event.is_past'))}
<div class="event-page">${aboutView(data)}
<section class="section-block"><header class="section-head"><h2>${words.t('event.shifts')}${shifts.length > 1 && html` <span class="tab-count">${shifts.length}</span>`}</h2></header>
${namesHiddenBy && html`<p class="side-note">${iconView('eye-off', { size: 16 })}<span>${words.t(`event.why_hidden.${namesHiddenBy}`)}</span></p>`}
${
  shifts.length
    ? html`<ul class="shift-list" role="list">${shifts.map((shift) => html`<li id="shift-${shift.id}" data-row>${shiftView(data, shift)}</li>`)}</ul>`
    : emptyView({
        icon: 'calendar-clock',
        text: words.t('event.no_shifts'),
        action: data.plan && linkButtonView({ href: '/events/', label: words.t('event.all_events') }),
      })
}</section>${contactView(data)}</div>`
}

/** Description and total staffing; nothing if there is no description and one open shift only. */
function aboutView({ words, now, description, cancelledBecause, shifts, more }: EventPageData): Html | false {
  const open = cancelledBecause === null ? shifts.filter(({ end }) => end >= now) : []
  const total = open.length > 1 && sumStats(open)
  const text = description?.trim()
  if (!text && !total && !more.length) return false
  const card =
    (text || total) &&
    cardView({
      title: words.t('event.about'),
      body: html`${text && markdownView(text)}${total && html`<div class="event-total"><p class="event-total-head">${words.t('event.all_shifts')}${staffingBadgeView({ words, staffing: toStaffing(total) })}</p>${staffingView({ words, staffing: toStaffing(total) })}</div>`}`,
    })
  return html`<aside class="event-about">${card}${more}</aside>`
}

/** After the shifts on phones, where people look for a shift first. */
function contactView({ words, contacts }: EventPageData): Html | false {
  if (!contacts.length) return false
  const body = html`<p class="muted">${words.t('event.contact_text')}</p>${contactListView(contacts)}`
  return html`<aside class="event-contact">${cardView({ title: words.t('event.contact'), body })}</aside>`
}

function factsOf(data: EventPageData): Html {
  const { words, now, time, location, type } = data
  return html`${time && html`<span class="fact">${iconView('calendar-clock', { size: 18 })}<time datetime="${time.start.toISOString()}">${words.span(time.start, time.end, now)}</time></span>`}${location && html`<span class="fact">${iconView('map-pin', { size: 18 })}<span>${location}</span> ${mapLinkView(words, location)}</span>`}<span class="fact">${dotView(type.colour)}<span>${type.name}</span></span>${findEventFacts(words, data).map((fact) => html`<span class="fact">${fact}</span>`)}`
}

function noticeView(tone: 'bad' | 'quiet', title: string, text?: string): Html {
  return html`<div class="notice tone-${tone}">${iconView(tone === 'bad' ? 'calendar-x' : 'history')}<div><p class="notice-title">${title}</p>${text && html`<p>${text}</p>`}</div></div>`
}

function shiftView(data: EventPageData, shift: EventShiftData): Html {
  const { words, now, cancelledBecause, plan } = data
  const { label, meeting, start, end, own, needs, people, shortages, signup } = shift
  const isOpen = cancelledBecause === null && end >= now
  const times = own?.hasOwnTimes && words.hours(own.start, own.end, own.start)
  return shiftCardView({
    words,
    now,
    shift: {
      level: 3,
      start,
      end,
      title: label,
      meeting,
      staffing: isOpen ? toStaffing(shift) : undefined,
      own: stateBadge(words, own?.state, !isOpen),
      reason: times ? { text: words.t('event.own_times', { times }) } : undefined,
      isOwnFirst: people.units.length > 0,
      notes:
        isOpen &&
        signup &&
        html`${signupNotesView(data, signup)}${shift.line && lineNotesView(words, shift.line)}${swapNotesView(words, now, shift.id, shift.swaps)}`,
      // The units are listed with their people.
      details: html`${findShiftFacts(words, shift, 'card').map((fact) => html`<p class="needs">${fact}</p>`)}${shiftResourcesView(words, plan?.may.change ? shift.resources : shift.resources.map(({ title }) => ({ title, isShared: false })))}${isOpen && needsView(words, people.units.length ? { ...needs, units: [] } : needs)}${isOpen && shortagesView(data, shortages)}${peopleView({ words, people, isOpen })}`,
      actions: shiftActionsView(data, shift, isOpen),
      others: childrenView(data, shift, isOpen),
    },
  })
}

/** A line for each child: their state, or why they cannot sign up, and what the reader can do for them. */
function childrenView(data: EventPageData, shift: EventShiftData, isOpen: boolean): Html | false {
  const { words } = data
  const shown = shift.children.filter(({ signup }) => isOpen || signup.state !== undefined)
  if (!shown.length) return false
  return html`<section class="shift-family"><h4>${words.t('find.children')}</h4><ul role="list">${shown.map(
    ({ name, links, signup }) => {
      const badge = signup.state !== undefined && shortStateBadge(words, signup.state, !isOpen)
      const context = { ...data, links, from: 'event' as const }
      return html`<li id="row${links.signup(shift.id).replaceAll(/\W+/g, '-')}" data-row><p class="shift-child">${iconView('user', { size: 16 })}<b>${name}</b>${badge && badgeView({ ...badge, icon: badge.tone === 'good' ? 'check' : undefined })}</p>
${isOpen && signupNotesView(context, signup)}${isOpen && html`<div class="shift-actions">${signupActionsView(context, signup, words.t('find.for_child', { name, shift: nameOf(words, shift) }))}</div>`}</li>`
    },
  )}</ul></section>`
}

function shiftActionsView(data: EventPageData, shift: EventShiftData, isOpen: boolean): Html | false {
  const { words, plan } = data
  const own = isOpen && shift.signup && signupActionsView({ ...data, from: 'event' }, shift.signup, nameOf(words, shift))
  const line = isOpen && shift.line && lineActionsView({ ...data, shift: nameOf(words, shift) }, shift.line)
  const standIn =
    isOpen &&
    shift.own?.state === 1 &&
    plan &&
    shift.start > data.now &&
    html`${standInLinkView(words, shift.id, nameOf(words, shift))}${swapLinkView(words, shift.id, nameOf(words, shift))}`
  const links = shift.links.map(({ href, label, icon }) =>
    linkButtonView({
      href,
      label,
      kind: 'quiet',
      icon,
      attributes: { 'aria-label': words.t('plan.do_named', { action: label, what: nameOf(words, shift) }) },
    }),
  )
  return (own || line || standIn || links.length > 0) && html`${own}${line}${standIn}${links}`
}

const nameOf = (words: Words, { label, start, end }: EventShiftData): string =>
  label ? `${label}, ${words.span(start, end)}` : words.span(start, end)

export type PersonChip = { name: string; requested: boolean; isOwn: boolean }
/** A team, or places with the same label. */
type TeamData = {
  title: string
  /** How many people the team takes; undefined for places. */
  bounds: Pick<Need, 'min' | 'max'> | undefined
  missing: number
  people: readonly PersonChip[]
  hidden: number
}
/** A block of a plan with the people in it and in the blocks below. */
export type UnitData = {
  title: string
  confirmed: number
  missing: number
  hasOwn: boolean
  /** Positions with people or missing ones. */
  positions: readonly { title: string; people: readonly PersonChip[]; hidden: number; missing: number }[]
  units: readonly UnitData[]
}
export type ShiftPeople = {
  teams: readonly TeamData[]
  /** The tree of a plan of building blocks. */
  units: readonly UnitData[]
  /** People without a team, or all people of a shift without teams. */
  people: readonly PersonChip[]
  /** Number of people whose names the reader may not see. */
  hidden: number
  /** What `people` lack. */
  rest: 'team' | 'place'
}

/** More names are collapsed. */
const MAX_NAMES = 12

export function peopleView({ words, people, isOpen }: { words: Words; people: ShiftPeople; isOpen: boolean }): Html {
  const { teams, units } = people
  const isEmpty = [people, ...teams].every((group) => group.people.length + group.hidden === 0)
  if (isEmpty && !teams.length && !units.length)
    return html`<p class="side-note">${iconView(isOpen ? 'hand-helping' : 'users', { size: 16 })}<span>${words.t(isOpen ? 'event.nobody' : 'event.nobody_came')}</span></p>`
  const rest = people.people.length + people.hidden > 0
  return html`${teams.map((team) => teamView(words, team, isOpen))}${units.length > 0 && unitsView(words, units, isOpen)}${rest && html`${teams.length + units.length > 0 && html`<p class="team-head"><b>${people.rest === 'place' ? words.t('find.no_place') : words.t('event.unassigned')}</b></p>`}${chipsView(words, words.t('event.people'), people)}`}`
}

function teamView(words: Words, team: TeamData, isOpen: boolean): Html {
  const { title, bounds } = team
  return html`<div class="team"><p class="team-head"><b>${title}</b>${bounds && html`<span>${formatBounds(words, bounds)}</span>`}</p>${chipsView(words, title, team, isOpen ? team.missing : 0)}</div>`
}

/** With more units at one level, all but the reader's own are folded. */
const MAX_OPEN_UNITS = 3

function unitsView(words: Words, units: readonly UnitData[], isOpen: boolean): Html {
  return html`<ul class="units" role="list">${units.map((unit) => html`<li>${unitView(words, unit, isOpen, units.length <= MAX_OPEN_UNITS)}</li>`)}</ul>`
}

function unitView(words: Words, unit: UnitData, isOpen: boolean, isUnfolded: boolean): Html {
  const { title, confirmed, missing, positions, units } = unit
  const isShort = isOpen && missing > 0
  const count = isShort
    ? words.t('ui.staffed', { confirmed, places: confirmed + missing })
    : words.t('ui.confirmed_count', { count: confirmed })
  return html`<details class="unit" ${attrs({ open: isUnfolded || unit.hasOwn })}><summary><b>${title}</b><span class="unit-count">${count}</span>${isShort && badgeView({ tone: 'bad', text: words.t('ui.missing_count', { count: missing }) })}</summary>
${
  positions.length > 0 &&
  html`<ul class="positions" role="list">${positions.map(
    ({ title, people, hidden, missing }) =>
      html`${people.map((person) => chipView(words, person, title))}${hidden > 0 && html`<li class="position others">${iconView('users', { size: 16 })}<span>${words.t('event.hidden', { count: hidden })}</span>${title && html`<span class="position-note">${title}</span>`}</li>`}${isOpen && missing > 0 && html`<li class="position open">${iconView('circle-dashed', { size: 16 })}${title && html`<span>${title}</span>`}<span class="position-who">${words.t('ui.missing_count', { count: missing })}</span></li>`}`,
  )}</ul>`
}${units.length > 0 && unitsView(words, units, isOpen)}</details>`
}

type Group = { people: readonly PersonChip[]; hidden: number }

function chipsView(words: Words, label: string, { people, hidden }: Group, missing = 0): Html {
  const shown = people.length > MAX_NAMES ? people.slice(0, MAX_NAMES - 1) : people
  const behind = people.slice(shown.length)
  const others = hidden > 0 && words.t(people.length ? 'event.also_hidden' : 'event.hidden', { count: hidden })
  return html`<ul class="positions" role="list" aria-label="${label}">${shown.map((person) => chipView(words, person))}${
    others && html`<li class="position others">${iconView('users', { size: 16 })}<span>${others}</span></li>`
  }${missing > 0 && html`<li class="position open">${iconView('circle-dashed', { size: 16 })}<span class="position-who">${words.t('ui.missing_count', { count: missing })}</span></li>`}</ul>${
    behind.length > 0 &&
    html`<details class="more-people"><summary>${words.t('event.more', { count: behind.length })}</summary><ul class="positions" role="list">${behind.map((person) => chipView(words, person))}</ul></details>`
  }`
}

function chipView(words: Words, { name, requested, isOwn }: PersonChip, position = ''): Html {
  const notes = [position, isOwn && words.t('event.you'), requested && words.t('event.requested')].filter(Boolean).join(', ')
  return html`<li class="position${requested && ' requested'}${isOwn && ' own'}">${iconView(requested ? 'hourglass' : 'check', { size: 16 })}<span>${name}</span>${notes && html`<span class="position-note">${notes}</span>`}</li>`
}

/** Links to pages about the event. */
const eventToolsView = (tools: EventPageData['tools']): Html | false =>
  tools.length > 0 &&
  html`<ul class="event-tools" role="list">${tools.map((tool) => html`<li>${linkButtonView({ ...tool, kind: 'quiet', small: true })}</li>`)}</ul>`
