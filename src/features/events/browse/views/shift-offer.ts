import { placesState } from '#features/staffing/staffing/views/staffing.ts'
import { toStaffing } from '#features/staffing/staffing/views/state.ts'
import { type Child, type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView } from '#platform/ui/badge.ts'
import type { ShiftSummary } from '../rules/summaries.ts'
import { shiftPath, shiftTitle } from './list-items.ts'

/** A shift that the reader can take, in a few lines: title, day and hours, places, one button. */
export function shiftOfferView({
  words,
  now,
  row,
  shift,
  actions,
}: {
  words: Words
  now: Date
  /** Its button acts in place, and the row keeps its place after the answer. */
  row: string
  shift: ShiftSummary
  actions: Child
}): Html {
  const { start, end, location } = shift
  return html`<article class="shift-card shift-offer" id="${row}" data-row><h3><a href="${shiftPath(shift)}">${shiftTitle(shift)}</a></h3>
<p class="shift-offer-when"><time datetime="${start.toISOString()}"><b>${words.day(start, now)}</b> <span class="hours">${words.hours(start, end, now)}</span></time>${location && html` <span class="muted">· ${location}</span>`}</p>
<div class="shift-offer-foot">${badgeView(placesState(words, toStaffing(shift)))}<div class="shift-actions">${actions}</div></div></article>`
}

export const shiftOffersView = (offers: readonly Html[]): Html => html`<div class="shift-offers">${offers}</div>`
