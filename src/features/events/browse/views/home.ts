import { type EventRowData, eventListView } from '#features/events/events/views/event-row.ts'
import { shiftCardView } from '#features/events/events/views/shift-card.ts'
import { boardPath } from '#features/staffing/disposition/rules/paths.ts'
import type { Links } from '#features/staffing/participations/rules/links.ts'
import { type SignupData, signupActionsView, signupNotesView } from '#features/staffing/participations/views/signup.ts'
import type { ReasonContext } from '#features/staffing/staffing/rules/model.ts'
import { toStaffing } from '#features/staffing/staffing/views/state.ts'
import type { HomeSection } from '#platform/features/home.ts'
import { attrs, type Child, type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { gridView } from '#platform/ui/card.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { linkButtonView } from '#platform/ui/form.ts'
import { type IconName, iconView } from '#platform/ui/icon.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { type EventSummary, type ExchangeKind, MAX_TO_DECIDE, type ShiftSummary } from '../rules/summaries.ts'
import { eventRow, partnerNotes, shiftPath, shiftTitle, typeOf } from './list-items.ts'

/** The first shifts, and the number of all. */
type FirstShifts = { count: number; rows: readonly ShiftSummary[] }

type HomeData = ReasonContext & { links: Links } & {
  csrfToken: string
  name: string
  /** Partners who ended the link; empty for people who cannot remove it. */
  endedLinks: readonly string[]
  /** What another feature shows first. */
  intro: Child
  /** What another feature offers to people with coming shifts. */
  offer: Child
  /** Where the reader waits for a place, and what is offered to them. */
  lines: readonly (ShiftSummary & { position: number; offer: { until: Date; path: string } | undefined })[]
  /** Swaps and searches for stand-ins that concern the reader. */
  exchanges: readonly (ShiftSummary & { what: ExchangeKind; name: string; path: string })[]
  /** Sections of other features. */
  sections: readonly HomeSection[]
  confirmed: FirstShifts
  requested: FirstShifts
  /** Undefined for people who plan no event. */
  toDecide: FirstShifts | undefined
  events: readonly EventSummary[]
  /** Shifts that lack people and that the reader can sign up for. */
  toJoin: readonly (ShiftSummary & { signup: SignupData })[]
}

const EVENTS = '/events/'
const PAST = '/events/?when=past'
const CONFIRMED = '/events/?state=confirmed'
const REQUESTED = '/events/?state=requested'
const TO_DECIDE = '/events/?state=decide'
const FITTING = '/events/?fits=1&needs=1'

export function homeView(data: HomeData): Html {
  const { words, now, name, events } = data
  const first = data.confirmed.rows.find(({ cancellationReason }) => cancellationReason === null)
  const facts = !first
    ? words.t('home.nothing_soon')
    : first.start <= now
      ? words.t('home.running')
      : words.t('home.next_in', { when: words.relative(first.start, now) })
  return html`${pageHeadView({ title: words.t('home.greeting', { name: firstNameOf(name) }), facts })}
${data.endedLinks.length > 0 && endedLinksView(words, data.endedLinks)}${data.intro}${data.offer}
${sectionView({
  title: words.t('home.next_shifts'),
  count: data.confirmed.count,
  more: data.confirmed.count > data.confirmed.rows.length && { href: CONFIRMED, label: words.t('home.all_own') },
  body: confirmedView(data),
})}
${data.exchanges.length > 0 && exchangesView(data)}${data.lines.length > 0 && linesView(data)}${data.sections.map(sectionView)}
<div class="side-by-side">${data.toDecide && toDecideView(words, now, data.toDecide)}${requestedView(data)}</div>
${
  data.toJoin.length > 0 &&
  sectionView({
    id: 'wanted',
    title: words.t('signup.wanted'),
    more: { href: FITTING, label: words.t('find.all_fitting') },
    body: toJoinView(data),
  })
}
${sectionView({
  title: words.t('home.coming_events'),
  more: events.length > 0 && { href: EVENTS, label: words.t('home.all_events') },
  body: events.length
    ? eventListView({ words, now, events: events.map((event) => eventRow(words, now, event)) })
    : nothing('calendar-off', words.t('home.no_events'), PAST, words.t('home.past_events')),
})}`
}

const endedLinksView = (words: Words, names: readonly string[]): Html =>
  html`<div class="notice tone-bad">${iconView('triangle-alert')}<div><p class="notice-title">${words.t('federation.warn_ended_names', { names: words.list(names) })}</p><p><a href="/manage/federation/">${words.t('federation.warn_look')}</a></p></div></div>`

/** “Ann Berg” is greeted as Ann. */
const firstNameOf = (name: string): string => name.trim().split(/\s+/)[0] ?? name

function sectionView({ id, title, count, more, body }: HomeSection): Html {
  return html`<section class="section-block" ${attrs({ id })}><header class="section-head"><h2>${title}${count !== undefined && count !== 0 && html` <span class="tab-count">${count}</span>`}</h2>${more && html`<a class="section-more" href="${more.href}">${more.label}${iconView('arrow-right', { size: 18 })}</a>`}</header>${body}</section>`
}

function nothing(icon: IconName, text: string, href: string, label: string): Html {
  return emptyView({ icon, text, action: linkButtonView({ href, label }) })
}

function exchangesView({ words, now, exchanges }: HomeData): Html {
  const events = exchanges.map(
    ({ what, name, path, ...shift }): EventRowData => ({
      href: path,
      title: shiftTitle(shift),
      start: shift.start,
      end: shift.end,
      location: shift.location,
      type: typeOf(shift),
      notes: [{ tone: what === 'in' || what === 'asked' ? 'warn' : 'info', text: words.t(`swap.home_${what}`, { name }) }],
    }),
  )
  return sectionView({ title: words.t('swap.home'), count: exchanges.length, body: eventListView({ words, now, events }) })
}

function linesView({ words, now, lines }: HomeData): Html {
  const events = lines.map(
    ({ position, offer, ...shift }): EventRowData => ({
      href: offer?.path ?? shiftPath(shift),
      title: shiftTitle(shift),
      start: shift.start,
      end: shift.end,
      location: shift.location,
      type: typeOf(shift),
      notes: [
        offer
          ? {
              tone: 'warn',
              text: words.t('offers.home_offered', { until: `${words.day(offer.until, now)} ${words.time(offer.until)}` }),
            }
          : { tone: 'info', text: words.t('offers.home_position', { position }) },
      ],
    }),
  )
  return sectionView({ title: words.t('offers.home'), count: lines.length, body: eventListView({ words, now, events }) })
}

function confirmedView({ words, now, confirmed }: HomeData): Html {
  if (!confirmed.rows.length) return nothing('calendar-check', words.t('home.no_shifts'), EVENTS, words.t('home.find_shift'))
  return gridView(
    confirmed.rows.map((shift) => {
      const { start, end, meeting, location, cancellationReason, partner } = shift
      return shiftCardView({
        words,
        now,
        shift: {
          level: 3,
          title: shiftTitle(shift),
          href: shiftPath(shift),
          start,
          end,
          location,
          type: typeOf(shift),
          meeting,
          staffing: cancellationReason !== null || partner ? undefined : toStaffing(shift),
          own: cancellationReason === null ? partnerNotes(words, partner)[0] : { tone: 'bad', text: words.t('event.cancelled') },
          reason: cancellationReason === null ? undefined : { text: cancellationReason },
        },
      })
    }),
  )
}

function toJoinView(data: HomeData): Html {
  const { words, now, toJoin } = data
  return gridView(
    toJoin.map((shift) => {
      const { start, end, meeting, location, signup } = shift
      const title = shiftTitle(shift)
      return shiftCardView({
        words,
        now,
        shift: {
          row: `join-${shift.id}`,
          level: 3,
          title,
          href: shiftPath(shift),
          start,
          end,
          location,
          type: typeOf(shift),
          staffing: toStaffing(shift),
          meeting,
          notes: signupNotesView(data, signup),
          actions: signupActionsView({ ...data, from: 'home' }, signup, `${title}, ${words.span(start, end)}`),
        },
      })
    }),
  )
}

function requestedView({ words, now, requested }: HomeData): Html {
  const rows = requested.rows.map((shift): EventRowData => {
    const { partner } = shift
    const row = {
      href: shiftPath(shift),
      title: shiftTitle(shift),
      start: shift.start,
      end: shift.end,
      location: shift.location,
      type: typeOf(shift),
    }
    return partner ? { ...row, notes: partnerNotes(words, partner) } : { ...row, staffing: toStaffing(shift) }
  })
  return sectionView({
    title: words.t('home.requested'),
    count: requested.count,
    more: requested.count > rows.length && { href: REQUESTED, label: words.t('home.all_requested') },
    body: rows.length
      ? eventListView({ words, now, events: rows })
      : nothing('hourglass', words.t('home.none_requested'), EVENTS, words.t('home.see_events')),
  })
}

function toDecideView(words: Words, now: Date, toDecide: FirstShifts): Html {
  const rows = toDecide.rows.map((shift) => ({
    href: boardPath(shift.id),
    title: shiftTitle(shift),
    start: shift.start,
    end: shift.end,
    location: shift.location,
    type: typeOf(shift),
    notes: [{ tone: 'warn' as const, text: words.t('home.request_count', { count: shift.requestedCount }) }],
    staffing: toStaffing(shift),
  }))
  return sectionView({
    title: words.t('home.to_decide'),
    count: toDecide.count < MAX_TO_DECIDE ? toDecide.count : `${MAX_TO_DECIDE - 1}+`,
    more: toDecide.count > rows.length && { href: TO_DECIDE, label: words.t('find.decide_all') },
    body: rows.length
      ? eventListView({ words, now, events: rows })
      : nothing('list-checks', words.t('home.none_to_decide'), EVENTS, words.t('home.see_events')),
  })
}
