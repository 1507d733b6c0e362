import { mapLinkView } from '#features/events/events/views/map-link.ts'
import { type OwnCheckIn, ownCheckInView } from '#features/on-the-day/check-in/views/self.ts'
import type { Links } from '#features/staffing/participations/rules/links.ts'
import { type SignupData, signupActionsView, signupNotesView } from '#features/staffing/participations/views/signup.ts'
import { placeText } from '#features/staffing/rosters/views/roster.ts'
import type { PlaceLabel, ReasonContext } from '#features/staffing/staffing/rules/model.ts'
import type { HomeAnswer, HomeLink } from '#platform/features/home.ts'
import { attrs, type Child, type Html, html } from '#platform/html/html.ts'
import { formatPhone, phoneHref } from '#platform/phone.ts'
import type { Contact } from '#platform/ui/contact.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { linkButtonView } from '#platform/ui/form.ts'
import { iconView } from '#platform/ui/icon.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { MAX_TO_DECIDE, type ShiftSummary } from '../rules/summaries.ts'
import { contactPath, partnerNotes, shiftPath, shiftTitle } from './list-items.ts'
import { shiftOffersView, shiftOfferView } from './shift-offer.ts'

type NextShift = ShiftSummary & {
  contacts?: readonly Contact[] | undefined
  place?: PlaceLabel | undefined
  checkIn?: OwnCheckIn | undefined
  /** Undefined for shifts of partners. */
  signup: SignupData | undefined
}

type HomeData = ReasonContext & { links: Links } & {
  csrfToken: string
  name: string
  /** What another feature shows first. */
  intro: Child
  /** What another feature offers to people with coming shifts. */
  offer: Child
  next: NextShift | undefined
  /** The reader's shifts that do not take place. */
  cancelled: readonly ShiftSummary[]
  answers: readonly HomeAnswer[]
  /** Shifts that lack people and that the reader can sign up for. */
  toJoin: readonly (ShiftSummary & { signup: SignupData })[]
  /** Confirmed shifts. */
  ownCount: number
  /** Requests, places on waiting lists, swaps and searches for stand-ins. */
  openCount: number
  /** Shifts with requests that the reader decides. */
  toDecide: number
  /** Links of other features. */
  more: readonly HomeLink[]
}

const EVENTS = '/events/'
const MY_SHIFTS = '/my-shifts/'
const TO_DECIDE = '/events/?state=decide'
const FITTING = '/shifts/'

export function homeView(data: HomeData): Html {
  const { words, name, answers } = data
  return html`${pageHeadView({ title: words.t('home.greeting', { name: firstNameOf(name) }), facts: factsOf(data) })}
${data.intro}
<div class="home-top">${sectionView({
    title: words.t('home.next'),
    more: data.ownCount > 1 && {
      href: MY_SHIFTS,
      label: words.t('home.all_mine', { count: data.ownCount }),
      name: words.t('home.my_shifts'),
    },
    body: html`${data.cancelled.map((shift) => cancelledView(data, shift))}${data.next ? nextView(data, data.next) : emptyView({ icon: 'calendar-check', text: words.t('home.no_shifts'), action: linkButtonView({ href: EVENTS, label: words.t('home.find_shift') }) })}${data.offer}`,
  })}
${
  answers.length > 0 &&
  sectionView({
    id: 'answers',
    title: words.t('home.answers'),
    count: answers.length,
    body: html`<ul class="tap-list" role="list">${answers.map((answer) => answerView(data, answer))}</ul>`,
  })
}</div>
${sectionView({
  id: 'wanted',
  title: words.t('home.help_here'),
  more: data.toJoin.length > 0 && { href: FITTING, label: words.t('home.show_more') },
  body: data.toJoin.length ? toJoinView(data) : html`<p class="muted">${words.t('home.none_to_join')}</p>`,
})}
<ul class="tap-list home-links" role="list">${linksOf(data).map(
    ({ href, label, icon, count }) =>
      html`<li><a href="${href}">${iconView(icon, { size: 18 })}<span>${label}</span>${count !== undefined && count !== 0 && html`<span class="tab-count">${count}</span>`}${iconView('chevron-right', { size: 18 })}</a></li>`,
  )}</ul>`
}

function linksOf({ words, openCount, toDecide, more }: HomeData): HomeLink[] {
  const count = toDecide < MAX_TO_DECIDE ? toDecide : `${MAX_TO_DECIDE - 1}+`
  return [
    ...(openCount > 0
      ? [{ href: `${MY_SHIFTS}#open`, label: words.t('home.open'), icon: 'hourglass' as const, count: openCount }]
      : []),
    ...(toDecide > 0 ? [{ href: TO_DECIDE, label: words.t('home.to_decide'), icon: 'list-checks' as const, count }] : []),
    ...more,
    { href: EVENTS, label: words.t('home.all_events'), icon: 'calendar-days' },
  ]
}

function factsOf({ words, now, next }: HomeData): string {
  if (!next) return words.t('home.nothing_soon')
  const { arrivedAt, leftAt } = next.checkIn ?? {}
  if (arrivedAt && !leftAt) return words.t('home.checked_in')
  return next.start <= now ? words.t('home.running') : words.t('home.next_in', { when: words.relative(next.start, now) })
}

/** “Ann Berg” is greeted as Ann. */
const firstNameOf = (name: string): string => name.trim().split(/\s+/)[0] ?? name

type Section = {
  id?: string
  title: string
  count?: number
  /** `name`: for people who do not see the heading beside it. */
  more?: { href: string; label: string; name?: string } | false
  body: Child
}

function sectionView({ id, title, count, more, body }: Section): Html {
  return html`<section class="section-block" ${attrs({ id })}><header class="section-head"><h2>${title}${count !== undefined && html` <span class="tab-count">${count}</span>`}</h2>${more && html`<a class="section-more" href="${more.href}">${more.name && html`<span class="sr-only">${more.name}: </span>`}${more.label}${iconView('arrow-right', { size: 18 })}</a>`}</header>${body}</section>`
}

/** The one problem that this person has to know about. */
const cancelledView = ({ words, now }: HomeData, shift: ShiftSummary): Html =>
  html`<div class="notice tone-bad">${iconView('calendar-x')}<div><p><a href="${shiftPath(shift)}">${words.t('home.cancelled', { shift: `${shiftTitle(shift)}, ${words.day(shift.start, now)}`, reason: shift.cancellationReason ?? '' })}</a></p></div></div>`

function nextView(data: HomeData, next: NextShift): Html {
  const { words, now, csrfToken, titleOf, links } = data
  const { start, end, meeting, location, partner, signup, checkIn } = next
  const place = placeText(words, titleOf, next.place)
  const [contact] = next.contacts ?? []
  const shift = `${shiftTitle(next)}, ${words.span(start, end)}`
  const cantCome =
    signup?.eligibility.canDecline &&
    linkButtonView({
      href: `${links.decline(next.id)}?from=home`,
      label: words.t('signup.cant_come'),
      attributes: { 'aria-label': words.t('signup.for_shift', { action: words.t('signup.cant_come'), shift }) },
    })
  const checks = checkIn && ownCheckInView(words, csrfToken, next.eventId, checkIn)
  return html`<article class="next-shift" id="next-shift">
<h3><a href="${shiftPath(next)}">${shiftTitle(next)}</a></h3>
<p class="next-when"><time datetime="${start.toISOString()}"><b>${words.day(start, now)}</b> <span class="hours">${words.hours(start, end, now)}</span></time></p>
<ul class="next-facts" role="list">${meeting < start && html`<li>${iconView('clock', { size: 18 })}<p>${words.t('ui.meet', { time: words.time(meeting) })}</p></li>`}${location && html`<li>${iconView('map-pin', { size: 18 })}<p><span>${location}</span>${mapLinkView(words, location)}</p></li>`}${place && html`<li>${iconView('user', { size: 18 })}<p>${words.t('home.role', { place })}</p></li>`}${contact && html`<li>${iconView(contact.phone === null ? 'mail' : 'phone', { size: 18 })}<p><span>${contact.name}</span>${contactLinkView(contact)}</p></li>`}${partnerNotes(words, partner).map(({ text }) => html`<li>${iconView('globe', { size: 18 })}<p>${text}</p></li>`)}</ul>
${signup && !checkIn?.arrivedAt && signupNotesView({ ...data, contactHref: contactPath(next) }, signup)}
${(checks || cantCome) && html`<footer class="shift-actions">${checks}${!checkIn?.arrivedAt && cantCome}</footer>`}</article>`
}

/** One tap calls, or writes a mail. */
function contactLinkView({ email, phone }: Contact): Html | false {
  const call = phone === null ? undefined : phoneHref(phone)
  if (call) return html`<a class="fact-action" href="${call}">${formatPhone(phone!)}</a>`
  return (
    email !== null && html`<a class="fact-action" href="mailto:${encodeURIComponent(email).replaceAll('%40', '@')}">${email}</a>`
  )
}

function answerView({ words, now }: HomeData, { href, title, start, end, text }: HomeAnswer): Html {
  return html`<li><a href="${href}"><span><b>${title}</b><small>${words.span(start, end, now)}</small><small class="tone-warn">${text}</small></span>${iconView('chevron-right', { size: 18 })}</a></li>`
}

const toJoinView = (data: HomeData): Html =>
  shiftOffersView(
    data.toJoin.map((shift) => {
      const name = `${shiftTitle(shift)}, ${data.words.span(shift.start, shift.end)}`
      return shiftOfferView({
        words: data.words,
        now: data.now,
        row: `join-${shift.id}`,
        shift,
        actions: signupActionsView({ ...data, from: 'home' }, shift.signup, name),
      })
    }),
  )
