import type { EventValues } from '#features/events/events/rules/event-fields.ts'
import { findEventFacts } from '#features/events/events/views/facts.ts'
import { mapLinkView } from '#features/events/events/views/map-link.ts'
import type { RemovedShift } from '#features/planning/planning/queries/removed-shifts.ts'
import { draftNoticeView } from '#features/planning/planning/views/lifecycle.ts'
import { ownCancelledView, removedShiftsView } from '#features/planning/planning/views/removals.ts'
import { type TaskBarData, taskBarView } from '#features/planning/planning/views/task-bar.ts'
import { filteredPath, type Links, type ShiftFilter } from '#features/staffing/participations/rules/links.ts'
import type { ReasonContext } from '#features/staffing/staffing/rules/model.ts'
import { sumStats } from '#features/staffing/staffing/rules/statistics.ts'
import { CONTACT } from '#features/staffing/staffing/views/reasons.ts'
import { staffingBadgeView, staffingView } from '#features/staffing/staffing/views/staffing.ts'
import { toStaffing } from '#features/staffing/staffing/views/state.ts'
import { attrs, type Html, html } from '#platform/html/html.ts'
import { markdownView } from '#platform/html/markdown.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { cardView } from '#platform/ui/card.ts'
import { dotView } from '#platform/ui/colour.ts'
import { type Contact, contactListView } from '#platform/ui/contact.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { linkButtonView } from '#platform/ui/form.ts'
import { iconView } from '#platform/ui/icon.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { daysView, type EventShiftData, isOwn, type PageLink, type ShiftContext, shiftRowView, shiftView } from './event-shift.ts'
import { isShiftOpen } from './shift-card.ts'

type EventPageData = ReasonContext &
  EventValues & {
    links: Links
    csrfToken: string
    /** Path of this page, without the filter. */
    path: string
    filter: ShiftFilter | undefined
    type: { name: string; colour: string }
    time: { start: Date; end: Date } | undefined
    cancelledBecause: string | null
    /** Why names are hidden; undefined if none are. */
    namesHiddenBy: 1 | 2 | 'partner' | undefined
    shifts: readonly EventShiftData[]
    /** Cancelled shifts of the reader; for planners all of the event, and those that they can restore. */
    removed: readonly (RemovedShift & { isOwn: boolean })[]
    /** Parts of other features, below the description. */
    more: readonly Html[]
    /** People who plan the event. */
    contacts: readonly Contact[]
    /** Undefined for visitors and guests, who cannot plan. */
    plan: TaskBarData | undefined
    /** Pages about the event. */
    tools: readonly PageLink[]
  }

const PARTICIPANT_FILTERS = ['fits', 'free'] as const satisfies ShiftFilter[]
const PLANNER_FILTERS = ['needs', 'fits'] as const satisfies ShiftFilter[]
/** The shifts by hours. */
const TIMELINE = '/grid/'
/** With more shifts, the page is a list by day with filters. */
const MAX_CARDS = 8
/** More are folded. */
const MAX_CONTACTS = 2
/** With more own shifts, the later ones are rows. */
const MAX_OWN_CARDS = 3

export function eventPageView(data: EventPageData): Html {
  const { words, now, title, cancelledBecause, time, shifts, removed, plan, tools } = data
  const isCancelled = cancelledBecause !== null
  const isPast = time !== undefined && time.end < now
  const badge = isCancelled
    ? badgeView({ tone: 'bad', text: words.t('event.cancelled') })
    : plan?.isDraft && badgeView({ tone: 'quiet', text: words.t('plan.draft') })
  return html`${pageHeadView({ title, badge, facts: factsOf(data), actions: [plan && taskBarView(plan)] })}
${plan?.isDraft && draftNoticeView(words, plan.hasShifts)}
${isCancelled ? noticeView('bad', words.t('event.is_cancelled'), cancelledBecause) : isPast && noticeView('quiet', words.t('event.is_past'))}
<div class="event-page"><div class="event-shifts">${ownCancelledView(
    words,
    removed.filter(({ isOwn, isCancelled }) => isOwn && isCancelled),
  )}${
    shifts.length
      ? html`${shiftsView(data)}${!plan?.may.change && toolsView(tools)}`
      : emptyView({
          icon: 'calendar-clock',
          text: words.t('event.no_shifts'),
          action: plan && linkButtonView({ href: '/events/', label: words.t('event.all_events') }),
        })
  }${plan?.may.change && removedShiftsView(words, now, removed)}</div>${aboutView(data)}${contactView(data)}</div>`
}

/**
 * For those who take part, their shifts come first. Those who plan read the state of all shifts first, in one list. Shifts that are over
 * come last, and are folded while others are coming.
 */
function shiftsView(data: EventPageData): Html {
  const { words, shifts, plan, cancelledBecause, filter, contacts } = data
  const context: ShiftContext = {
    ...data,
    from: filter === undefined ? 'event' : `event-${filter}`,
    contactHref: contacts.length ? `#${CONTACT}` : undefined,
    isCancelled: cancelledBecause !== null,
    isMember: plan !== undefined,
    isPlanner: plan?.may.change ?? false,
    begins: data.time?.start ?? data.now,
  }
  const isLong = shifts.length > MAX_CARDS
  const open = shifts.filter((shift) => isShiftOpen(context, shift))
  const own = context.isPlanner ? [] : open.filter(isOwn)
  const others = open.filter((shift) => !own.includes(shift))
  const ended = shifts.filter((shift) => !isShiftOpen(context, shift))
  const rowOf = ({ id }: EventShiftData) => `row-${id}`
  // A shift that becomes an own one moves: its answer stays where the button was. The only one stays where it is.
  const ownRowOf = ({ id }: EventShiftData) => (shifts.length > 1 ? `own-row-${id}` : `row-${id}`)
  const listOf = (list: readonly EventShiftData[]) =>
    isLong
      ? daysView(context, list, rowOf)
      : html`<ul class="shift-list" role="list">${list.map((shift) => shiftView(context, shift, { row: rowOf(shift), hasDay: true }))}</ul>`
  if (!open.length) return sectionView({ title: words.t('event.shifts'), count: shifts.length, body: listOf(shifts) })
  const later = own.slice(MAX_OWN_CARDS)
  const ownList = html`<ul class="shift-list" role="list">${own.slice(0, MAX_OWN_CARDS).map((shift) => shiftView(context, shift, { row: ownRowOf(shift), hasDay: true }))}</ul>${later.length > 0 && html`<ul class="shift-rows" role="list">${later.map((shift) => shiftRowView(context, shift, { row: ownRowOf(shift), hasDay: true }))}</ul>`}`
  const shown = isLong ? others.filter((shift) => isShown(context, shift, filter)) : others
  const filters = isLong && filtersView(data, context, others)
  return html`${own.length > 0 && sectionView({ title: words.t('event.yours', { count: own.length }), count: own.length, body: ownList })}
${others.length > 0 && sectionView({ title: words.t(own.length ? 'event.others' : 'event.shifts'), count: others.length, body: html`${context.isPlanner && totalView(words, open)}${filters}${shown.length ? listOf(shown) : emptyView({ icon: 'search-x', text: words.t('event.none_shown'), action: linkButtonView({ href: data.path, label: words.t('event.show_all') }) })}` })}
${ended.length > 0 && html`<details class="fold"><summary>${iconView('history', { size: 18 })}<span>${words.t('event.ended_shifts', { count: ended.length })}</span>${iconView('chevron-down', { size: 18 })}</summary><div class="section-block">${listOf(ended)}</div></details>`}`
}

function isShown({ now }: Pick<ShiftContext, 'now'>, shift: EventShiftData, filter: ShiftFilter | undefined): boolean {
  if (filter === 'fits') return shift.signup?.eligibility.canSignUp === true
  if (filter === 'free') return shift.end >= now && (shift.free === null || shift.free > 0)
  return filter === 'needs' ? shift.missing > 0 : true
}

/** One tap each, by address, so that they work without scripts and can be shared. */
function filtersView(
  { words, path, filter, tools }: EventPageData,
  context: ShiftContext,
  shifts: readonly EventShiftData[],
): Html {
  const filters: (ShiftFilter | undefined)[] = [undefined, ...(context.isPlanner ? PLANNER_FILTERS : PARTICIPANT_FILTERS)]
  const pills = filters.map((each) => {
    const count = shifts.filter((shift) => isShown(context, shift, each)).length
    const isOn = each === filter
    return html`<a class="pill${isOn && ' on'}" href="${filteredPath(path, each)}" ${attrs({ 'aria-current': isOn && 'true' })}>${words.t(`event.show.${each ?? 'all'}`)} <span class="tab-count">${count}</span></a>`
  })
  const timeline = tools
    .filter(({ href }) => href.endsWith(TIMELINE))
    .map(({ href, label, icon }) => html`<a class="pill" href="${href}">${iconView(icon, { size: 16 })}${label}</a>`)
  return html`<nav class="pills shift-filters" aria-label="${words.t('find.quick')}">${pills}${timeline}</nav>`
}

/** How many people are missing in all shifts that are coming. */
function totalView(words: Words, shifts: readonly EventShiftData[]): Html | false {
  if (shifts.length < 2) return false
  const staffing = toStaffing(sumStats(shifts))
  return html`<div class="event-total">${staffingBadgeView({ words, staffing })}${staffingView({ words, staffing })}</div>`
}

const sectionView = ({ title, count, body }: { title: string; count: number; body: Html }): Html =>
  html`<section class="section-block"><header class="section-head"><h2>${title}${count > 1 && html` <span class="tab-count">${count}</span>`}</h2></header>${body}</section>`

function aboutView({ words, description, more }: EventPageData): Html | false {
  const text = description?.trim()
  if (!text && !more.length) return false
  const card = text && cardView({ title: words.t('event.about'), body: markdownView(text) })
  return html`<aside class="event-about">${card}${more}</aside>`
}

function contactView({ words, contacts }: EventPageData): Html | false {
  if (!contacts.length) return false
  const rest = contacts.slice(MAX_CONTACTS)
  const more =
    rest.length > 0 &&
    html`<details class="more-people"><summary>${words.t('event.more', { count: rest.length })}</summary>${contactListView(rest)}</details>`
  const body = html`<p class="muted">${words.t('event.contact_text')}</p>${contactListView(contacts.slice(0, MAX_CONTACTS))}${more}`
  return html`<aside class="event-contact" id="${CONTACT}">${cardView({ title: words.t('event.contact'), body })}</aside>`
}

function factsOf(data: EventPageData): Html {
  const { words, now, time, location, type } = data
  return html`${time && html`<span class="fact">${iconView('calendar-clock', { size: 18 })}<time datetime="${time.start.toISOString()}">${words.span(time.start, time.end, now)}</time></span>`}${location && html`<span class="fact">${iconView('map-pin', { size: 18 })}<span>${location}</span> ${mapLinkView(words, location)}</span>`}<span class="fact">${dotView(type.colour)}<span>${type.name}</span></span>${findEventFacts(words, data).map((fact) => html`<span class="fact">${fact}</span>`)}`
}

function noticeView(tone: 'bad' | 'quiet', title: string, text?: string): Html {
  return html`<div class="notice tone-${tone}">${iconView(tone === 'bad' ? 'calendar-x' : 'history')}<div><p class="notice-title">${title}</p>${text && html`<p>${text}</p>`}</div></div>`
}

const toolsView = (tools: readonly PageLink[]): Html | false =>
  tools.length > 0 &&
  html`<ul class="event-tools" role="list">${tools.map((tool) => html`<li>${linkButtonView({ ...tool, kind: 'quiet', small: true })}</li>`)}</ul>`
