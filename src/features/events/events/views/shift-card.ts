import { type Staffing, staffingBadgeView, staffingView } from '#features/staffing/staffing/views/staffing.ts'
import { attrs, type Child, type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView, type Tone } from '#platform/ui/badge.ts'
import { dotView } from '#platform/ui/colour.ts'
import { iconView } from '#platform/ui/icon.ts'

/** `person` is undefined if the place is open. */
export type Position = { label: string; person?: string | undefined; requested?: boolean | undefined }

export type ShiftCardData = {
  /** Id of a row whose buttons act in place: it keeps its place after the answer. */
  row?: string | undefined
  /** Headings below the page's own: 2 on an event page, 3 below a section. */
  level?: 2 | 3 | undefined
  title?: string | undefined
  href?: string | undefined
  start: Date
  end: Date
  /** Shown if it is before the start. */
  meeting?: Date | undefined
  location?: string | undefined
  /** Undefined on the page of the event, which shows it once. */
  type?: { name: string; colour?: string | null | undefined } | undefined
  /** Undefined if no more people are needed. */
  staffing?: Staffing | undefined
  positions?: readonly Position[] | undefined
  /** The reader's own state: “You are confirmed”. */
  own?: { tone: Tone; text: string } | undefined
  /** Why an action is or is not possible, with a link to the next step. */
  reason?: { text: string; link?: { href: string; label: string } | undefined } | undefined
  actions?: Child
  /** What the reader can do, before the actions. */
  notes?: Child
  details?: Child
}

export function shiftCardView({ words, now, shift }: { words: Words; now: Date; shift: ShiftCardData }): Html {
  const { start, end, location, type } = shift
  const meeting = shift.meeting && shift.meeting < start ? shift.meeting : undefined
  return html`<article class="shift-card" ${attrs({ id: shift.row, 'data-row': shift.row !== undefined })}>
<header class="shift-head">${shift.title && titleOf(shift)}<p class="shift-when"><time datetime="${start.toISOString()}"><b>${words.day(start, now)}</b> <span class="hours">${words.hours(start, end, now)}</span></time></p>
${shift.staffing && html`<p>${staffingBadgeView({ words, staffing: shift.staffing })}</p>`}
${(meeting || location || type) && html`<p class="shift-facts">${meeting && html`<span>${iconView('clock', { size: 16 })}${words.t('ui.meet', { time: words.time(meeting) })}</span>`}${location && html`<span>${iconView('map-pin', { size: 16 })}${location}</span>`}${type && html`<span class="event-type">${dotView(type.colour)}${type.name}</span>`}</p>`}</header>
${shift.staffing && staffingView({ words, staffing: shift.staffing })}
${detailsView(words, shift)}${ownView(shift)}</article>`
}

function detailsView(words: Words, { positions = [], details }: ShiftCardData): Html {
  return html`${positions.length > 0 && html`<ul class="positions" role="list">${positions.map((position) => positionView(words, position))}</ul>`}${details}`
}

function ownView({ own, reason, notes, actions }: ShiftCardData): Html {
  return html`${
    (own || reason) &&
    html`<div class="shift-own">${own && badgeView({ ...own, icon: own.tone === 'good' ? 'check' : undefined })}${reason && html`<p>${reason.text}${reason.link && html` <a href="${reason.link.href}">${reason.link.label}</a>`}</p>`}</div>`
  }${notes}
${actions && html`<footer class="shift-actions">${actions}</footer>`}`
}

function titleOf({ title, href, level }: ShiftCardData): Html {
  const text = href ? html`<a href="${href}">${title}</a>` : html`${title}`
  return level === 3 ? html`<h3 class="shift-title">${text}</h3>` : html`<h2 class="shift-title">${text}</h2>`
}

function positionView(words: Words, { label, person, requested }: Position): Html {
  if (person === undefined)
    return html`<li class="position open">${iconView('circle-dashed', { size: 16 })}<span>${label}</span><span class="position-who">${words.t('ui.open')}</span></li>`
  return html`<li class="position${requested && ' requested'}">${iconView(requested ? 'hourglass' : 'check', { size: 16 })}<span>${label}</span><span class="position-who">${person}</span></li>`
}
