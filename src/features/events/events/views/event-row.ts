import { type Staffing, staffingBadgeView } from '#features/staffing/staffing/views/staffing.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView, type Tone } from '#platform/ui/badge.ts'
import { dotView } from '#platform/ui/colour.ts'

export type EventRowData = {
  href: string
  title: string
  start: Date
  end: Date
  type?: { name: string; colour?: string | null | undefined } | undefined
  location?: string | undefined
  /** Undefined if the row is a single shift. */
  shifts?: number | undefined
  /** For those who plan. */
  staffing?: Staffing | undefined
  /** For all others: places that are left. */
  places?: { tone: Tone; text: string } | undefined
  own?: { tone: Tone; text: string } | undefined
  /** Shown before the title: cancelled, draft, from another instance. */
  notes?: readonly { tone: Tone; text: string }[] | undefined
  /** A sentence below the facts, such as why it is cancelled. */
  remark?: string | undefined
  /** What is known about the reader there, in a sentence. */
  about?: string | undefined
  /** What the reader can do there. */
  hint?: string | undefined
  past?: boolean | undefined
}

function eventRowView({ words, now, event }: { words: Words; now: Date; event: EventRowData }): Html {
  const { weekday, day, month, year } = words.dayParts(event.start)
  const hasOtherYear = year !== words.dayParts(now).year
  return html`<li class="event-row${event.past && ' past'}">
<time class="event-day" datetime="${words.inputDate(event.start)}"><span>${weekday}</span><b>${day}</b><span>${month}</span>${hasOtherYear && html`<span>${year}</span>`}</time>
<div class="event-what"><a class="event-title" href="${event.href}">${event.title}</a>
<p class="event-facts"><span class="hours">${words.hours(event.start, event.end, now)}</span>${event.location && html`<span>${event.location}</span>`}${event.shifts !== undefined && html`<span>${words.t('ui.shifts', { count: event.shifts })}</span>`}${event.type && html`<span><span class="event-type">${dotView(event.type.colour)}${event.type.name}</span></span>`}</p>${event.remark && html`<p class="event-remark">${event.remark}</p>`}${event.about && html`<p class="event-known">${event.about}</p>`}${event.hint && html`<p class="event-hint">${event.hint}</p>`}</div>
<div class="event-state">${(event.notes ?? []).map((note) => badgeView(note))}${event.own && badgeView({ tone: event.own.tone, text: words.t('ui.you', { state: event.own.text }) })}${event.staffing && staffingBadgeView({ words, staffing: event.staffing })}${event.places && badgeView(event.places)}</div></li>`
}

/** Rows under one heading, such as a month. */
export function eventListView({
  words,
  now,
  heading,
  events,
}: {
  words: Words
  now: Date
  heading?: string | undefined
  events: readonly EventRowData[]
}): Html {
  return html`${heading && html`<h2 class="list-heading">${heading}</h2>`}<ul class="event-list" role="list">${events.map((event) => eventRowView({ words, now, event }))}</ul>`
}
