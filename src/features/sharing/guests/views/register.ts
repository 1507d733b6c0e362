import type { Shift } from '#features/events/events/rules/shifts.ts'
import { shiftCardView } from '#features/events/events/views/shift-card.ts'
import { needsView, type ShiftNeeds } from '#features/staffing/staffing/views/needs.ts'
import { placesState } from '#features/staffing/staffing/views/staffing.ts'
import { toStaffing } from '#features/staffing/staffing/views/state.ts'
import { type Html, html } from '#platform/html/html.ts'
import { markdownView } from '#platform/html/markdown.ts'
import type { Words } from '#platform/i18n/words.ts'
import { cardView } from '#platform/ui/card.ts'
import { dotView } from '#platform/ui/colour.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { iconView } from '#platform/ui/icon.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import type { PublicEvent } from '../rules.ts'

type RegisterData = {
  words: Words
  now: Date
  event: PublicEvent
  /** `closedBecause`: nobody can sign up. */
  shifts: readonly (Shift & { needs: ShiftNeeds; closedBecause: string | undefined })[]
  /** Titles of qualifications that everybody needs. */
  requiredByType: readonly string[]
  /** False: there is nothing to register for. */
  form: Html | false
  retentionDays: number
}

/** The event and its shifts for everybody who has the link, so without names. */
export function registerView({ words, now, event, shifts, form, requiredByType, retentionDays }: RegisterData): Html {
  const { title, location, start, end, description, typeTitle, typeColor } = event
  const text = description?.trim()
  return html`${pageHeadView({
    title,
    facts: html`${start && end && html`<span class="fact">${iconView('calendar-clock', { size: 18 })}<time datetime="${start.toISOString()}">${words.span(start, end, now)}</time></span>`}${location && html`<span class="fact">${iconView('map-pin', { size: 18 })}<span>${location}</span></span>`}<span class="fact">${dotView(typeColor)}<span>${typeTitle}</span></span>`,
  })}
<div class="guest-register"><div class="guest-about">${text && html`<div class="guest-description">${markdownView(text, { firstLevel: 2 })}</div>`}
<section class="section-block"><header class="section-head"><h2>${words.t('guests.shifts')}</h2></header>
${requiredByType.length > 0 && html`<p class="side-note">${iconView('info', { size: 16 })}<span>${words.t('guests.required', { list: words.list(requiredByType) })}</span></p>`}
${
  shifts.length
    ? html`<ul class="shift-list" role="list">${shifts.map((shift) => html`<li>${shiftView(words, now, shift)}</li>`)}</ul>`
    : emptyView({ icon: 'calendar-clock', text: words.t('guests.no_shifts') })
}</section></div>
<div class="guest-form">${cardView({
    title: words.t('guests.register_title'),
    body: form
      ? html`<p>${words.t('guests.register_intro')}</p>${form}<p class="side-note">${iconView('lock', { size: 16 })}<span>${words.t('guests.register_data', { count: retentionDays })}</span></p>`
      : html`<p>${words.t('guests.nothing_open')}</p>`,
  })}</div></div>`
}

function shiftView(words: Words, now: Date, shift: RegisterData['shifts'][number]): Html {
  const { label, meeting, start, end, needs, closedBecause } = shift
  return shiftCardView({
    words,
    now,
    shift: {
      level: 3,
      start,
      end,
      title: label,
      meeting,
      own: closedBecause === undefined ? placesState(words, toStaffing(shift)) : undefined,
      details: needsView(words, needs),
      reason: closedBecause === undefined ? undefined : { text: closedBecause },
    },
  })
}

type PreviewData = { title: string; text: string; url: string; image: string; siteName: string }

/** Open Graph: what messengers and social networks show of a link. */
export function previewTags({ title, text, url, image, siteName }: PreviewData): Html {
  const tags = {
    'og:type': 'website',
    'og:site_name': siteName,
    'og:title': title,
    'og:description': text,
    'og:url': url,
    'og:image': image,
  }
  return html`<meta name="robots" content="noindex">
<meta name="description" content="${text}">
<meta name="twitter:card" content="summary">
${Object.entries(tags).map(([property, content]) => html`<meta property="${property}" content="${content}">\n`)}`
}
