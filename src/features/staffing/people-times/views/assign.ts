import { eventPath } from '#features/events/events/rules/slug.ts'
import { isQualifiedFor, type PlaceChoice } from '#features/staffing/disposition/rules/board.ts'
import type { CardReason } from '#features/staffing/disposition/rules/cards.ts'
import { boardPath } from '#features/staffing/disposition/rules/paths.ts'
import { cardReasonText, hintTexts, isReasonNeeded } from '#features/staffing/disposition/views/card.ts'
import type { ReasonContext } from '#features/staffing/staffing/rules/model.ts'
import { placeText } from '#features/staffing/staffing/views/explanations.ts'
import { staffingBadgeView } from '#features/staffing/staffing/views/staffing.ts'
import { toStaffing } from '#features/staffing/staffing/views/state.ts'
import { attrs, type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { textField } from '#platform/ui/fields.ts'
import { buttonView, csrfField, linkButtonView } from '#platform/ui/form.ts'
import { type IconName, iconView } from '#platform/ui/icon.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import type { Offer } from '../queries/offers.ts'
import { fitsOffer, MAX_OFFERS } from '../rules/offers.ts'
import type { DayCell } from '../rules/table.ts'
import { awayTexts, placeTitle } from './texts.ts'

/** What was submitted for one shift and not saved. */
export type RefusedOffer = { shiftId: number; place: string | undefined; reason: string; reasons: readonly CardReason[] }

type AssignData = ReasonContext & {
  csrfToken: string
  /** URL of the page. */
  action: string
  back: string
  name: string
  cell: DayCell
  offers: readonly Offer[]
  refused: RefusedOffer | undefined
}

export function assignView(data: AssignData): Html {
  const { words, now, name, cell, offers, back, refused } = data
  const title = words.t('people_times.assign_title', { name, day: words.day(cell.day.start, now) })
  const fitting = offers.filter(fitsOffer)
  const others = offers.filter((offer) => !fitsOffer(offer))
  const list = (some: readonly Offer[]) =>
    html`<ul class="pt-offers" role="list">${some.map((offer) => offerView(data, offer))}</ul>`
  const isOtherRefused = others.some(({ id }) => id === refused?.shiftId)
  return html`${pageHeadView({ title })}
<section class="section-block"><header class="section-head"><h2>${words.t('people_times.that_day')}</h2></header>${dayView(words, cell)}</section>
${
  offers.length === 0
    ? emptyView({
        icon: 'calendar-off',
        text: words.t('people_times.none_planned'),
        action: linkButtonView({ href: back, label: words.t('people_times.back') }),
      })
    : html`<section class="section-block"><header class="section-head"><h2>${words.t('people_times.offers', { count: fitting.length })}</h2></header>${fitting.length > 0 ? list(fitting) : html`<p>${words.t('people_times.no_offers', { name })}</p>`}</section>`
}
${others.length > 0 && html`<details class="pt-others" ${attrs({ open: fitting.length === 0 || isOtherRefused })}><summary>${words.t('people_times.others', { count: others.length })}</summary>${list(others)}</details>`}
${offers.length === MAX_OFFERS && html`<p class="muted">${words.t('people_times.most_offers', { count: MAX_OFFERS })}</p>`}`
}

function dayView(words: Words, cell: DayCell): Html {
  const away = awayTexts(words, cell)
  if (cell.places.length === 0 && away.length === 0) return html`<p>${words.t('people_times.nothing_yet')}</p>`
  return html`<ul class="pt-day-list" role="list">${cell.places.map(
    (place) =>
      html`<li><span class="pt-time">${words.hours(place.start, place.end)}</span> ${placeTitle(words, place)} ${place.state === 0 && badgeView({ tone: 'warn', text: words.t('people_times.requested') })}${place.problem && badgeView({ tone: 'bad', text: words.t(`people_times.${place.problem}`) })}</li>`,
  )}${away.map((text) => html`<li>${text}</li>`)}</ul>`
}

const note = (icon: IconName, name: string, text: string): Html =>
  html`<p class="pt-note ${name}">${iconView(icon, { size: 16 })}<span>${text}</span></p>`

const STATE_TEXTS = { 0: 'had_requested', 2: 'had_declined', 3: 'had_rejected' } as const

function offerView(data: AssignData, offer: Offer): Html {
  const { words, now, csrfToken, action, name } = data
  const refused = data.refused?.shiftId === offer.id ? data.refused : undefined
  const title = offer.label ? `${offer.eventTitle}, ${offer.label}` : offer.eventTitle
  const about = `${title}, ${words.hours(offer.start, offer.end)}`
  const said = offer.state === 0 || offer.state === 2 || offer.state === 3 ? STATE_TEXTS[offer.state] : undefined
  const isFitting = fitsOffer(offer)
  const reasons = refused?.reasons ?? []
  return html`<li class="card pt-offer" id="shift-${offer.id}"><div class="pt-offer-head"><span class="pt-time">${words.hours(offer.start, offer.end, now)}</span><h3><a href="${eventPath(offer.eventId, offer.eventTitle)}#shift-${offer.id}">${title}</a></h3>${staffingBadgeView({ words, staffing: toStaffing(offer) })}</div>
${said && note('info', '', words.t(`people_times.${said}`, { name }))}${!reasons.some(isReasonNeeded) && hintTexts(data, offer).map((text) => note('triangle-alert', 'pt-warn', text))}${reasons.map((reason) => note('circle-alert', 'field-error', cardReasonText(data, reason)))}
<form class="pt-offer-form" id="offer-${offer.id}" method="post" action="${action}">${csrfField(csrfToken)}<input type="hidden" name="shift" value="${offer.id}"><input type="hidden" name="version" value="${offer.version ?? ''}">${placeField(data, offer, refused?.place)}${(reasons.some(isReasonNeeded) || refused?.reason) && textField({ words, name: 'reason', id: `reason-${offer.id}`, label: words.t('board.override_reason'), value: refused?.reason, attributes: { maxlength: 255 } })}<div class="cluster">${buttonView({ label: words.t(isFitting ? 'people_times.confirm' : 'people_times.confirm_anyway'), icon: 'check', kind: isFitting ? 'primary' : 'secondary', small: true, attributes: { 'aria-label': `${words.t(isFitting ? 'people_times.confirm' : 'people_times.confirm_anyway')}: ${about}` } })}${linkButtonView({ href: boardPath(offer.id), label: words.t('people_times.board'), kind: 'quiet', small: true, attributes: { 'aria-label': `${words.t('people_times.board')}: ${about}` } })}</div></form></li>`
}

/** Teams and units, those that the person is qualified for first. */
function placeField(data: AssignData, { id, places, isPlaceOptional, skills }: Offer, chosen: string | undefined): Html | false {
  const { words } = data
  if (places.length === 0) return false
  const qualified = places.filter((place) => isQualifiedFor(place, skills))
  const group = (label: string, some: readonly PlaceChoice[]) =>
    some.length > 0 &&
    html`<optgroup label="${label}">${some.map(({ place, label: title }) => html`<option ${attrs({ value: place, selected: place === chosen })}>${placeText(data, title)}</option>`)}</optgroup>`
  return html`<div class="field"><label for="place-${id}">${words.t('people_times.place')}</label><select id="place-${id}" name="place">${isPlaceOptional && html`<option value="">${words.t('people_times.place_auto')}</option>`}${group(words.t('people_times.place_qualified'), qualified)}${group(
    words.t('people_times.place_unqualified'),
    places.filter((place) => !qualified.includes(place)),
  )}</select></div>`
}
