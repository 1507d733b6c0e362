import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView, type Tone } from '#platform/ui/badge.ts'

export type Staffing = {
  /** People in places that the plan asks for. */
  confirmed: number
  /** Confirmed people beyond the plan. */
  extra?: number
  requested: number
  /** With fewer people, the shift is understaffed. */
  minimum: number
  /** Number of places; null if unlimited. */
  maximum: number | null
  /** The most people missing at the same time; may be above 0 although nobody is missing for the whole shift. */
  shortfall?: number
}

/** People are missing, for the whole shift or for a part of it. */
export const isShort = ({ confirmed, minimum, shortfall = 0 }: Staffing): boolean => confirmed < minimum || shortfall > 0

/** The one verdict about a shift: it is short whenever something that is needed is missing at any time. */
export function staffingState(words: Words, staffing: Staffing): { tone: Tone; text: string } {
  const { confirmed, minimum, maximum, shortfall = 0 } = staffing
  if (confirmed < minimum) return { tone: 'bad', text: words.t('ui.missing_count', { count: minimum - confirmed }) }
  if (shortfall > 0) return { tone: 'bad', text: words.t('ui.missing_at_times', { count: shortfall }) }
  if (maximum === null && minimum === 0) return { tone: 'info', text: words.t('ui.open_to_all') }
  if (maximum === null) return { tone: 'good', text: words.t('ui.enough') }
  if (confirmed < maximum) return { tone: 'info', text: words.t('ui.free_count', { count: maximum - confirmed }) }
  return { tone: 'good', text: words.t('ui.full') }
}

/** What people who take part read about a shift: places that are left, never who is missing. */
export function placesState(words: Words, { confirmed, maximum }: Staffing, canWait = false): { tone: Tone; text: string } {
  if (canWait) return { tone: 'quiet', text: words.t('ui.places_wait') }
  if (maximum === null) return { tone: 'info', text: words.t('ui.places_open') }
  if (confirmed < maximum) return { tone: 'info', text: words.t('ui.places_left', { count: maximum - confirmed }) }
  return { tone: 'quiet', text: words.t('ui.places_none') }
}

export function staffingBadgeView({ words, staffing }: { words: Words; staffing: Staffing }): Html {
  return badgeView(staffingState(words, staffing))
}

/** “6 of 8”, “3 of 3 + 1 extra” */
export function staffedText(words: Words, { confirmed, extra = 0, minimum, maximum }: Staffing): string {
  const places = maximum ?? minimum
  if (places === 0 || confirmed > places) return words.t('ui.confirmed_count', { count: confirmed + extra })
  const staffed = words.t('ui.staffed', { confirmed, places })
  return extra > 0 ? `${staffed} ${words.t('ui.extra_count', { count: extra })}` : staffed
}

/** “6 of 8 · 3 requested” */
export function staffingText(words: Words, staffing: Staffing): string {
  const { requested } = staffing
  const staffed = staffedText(words, staffing)
  return requested > 0 ? `${staffed} · ${words.t('ui.requested_count', { count: requested })}` : staffed
}

/** Filled: confirmed; hatched: requested; empty: missing; and the same in words. */
export function staffingView({ words, staffing }: { words: Words; staffing: Staffing }): Html {
  return html`<div class="staffing">${staffingBar(staffing)}<span class="staffing-text">${staffingText(words, staffing)}</span></div>`
}

function staffingBar({ confirmed, requested, minimum, maximum }: Staffing): Html | false {
  const places = Math.max(maximum ?? minimum, confirmed)
  if (places === 0) return false
  const at = (count: number) => `${Math.round((Math.min(count, places) / places) * 10_000) / 100}%`
  // With more than 24 places, the segments would be too thin to see.
  const cuts = places <= 24 ? Array.from({ length: places - 1 }, (_, index) => at(index + 1)) : []
  return html`<svg class="staffing-bar" width="100%" height="10" aria-hidden="true" focusable="false"><rect class="bar-missing" width="100%" height="10"/>${
    requested > 0 &&
    html`<line class="bar-requested-ground" x1="${at(confirmed)}" x2="${at(confirmed + requested)}" y1="5" y2="5" stroke-width="10"/><line class="bar-requested" x1="${at(confirmed)}" x2="${at(confirmed + requested)}" y1="5" y2="5" stroke-width="10" stroke-dasharray="2 3"/>`
  }${confirmed > 0 && html`<rect class="bar-confirmed" width="${at(confirmed)}" height="10"/>`}${cuts.map((x) => html`<line class="bar-cut" x1="${x}" x2="${x}" y1="0" y2="10" stroke-width="2"/>`)}</svg>`
}
