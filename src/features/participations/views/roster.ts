import { eventPath } from '#features/events/rules/slug.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { checkboxField, selectField } from '#platform/ui/fields.ts'
import { buttonView, filterFormView, linkButtonView } from '#platform/ui/form.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import type { PlaceLabel } from '../rules/seats.ts'

export type RosterLineData = {
  kind: 'confirmed' | 'asked' | 'taken' | 'taken-asked' | 'open'
  place: PlaceLabel | undefined
  name: string | undefined
  times: { start: Date; end: Date } | undefined
  qualifications: readonly string[]
  comments: readonly string[]
}
export type RosterShiftData = {
  id: number
  label: string
  meeting: Date
  start: Date
  end: Date
  lines: readonly RosterLineData[]
}
export type RosterData = {
  words: Words
  now: Date
  event: {
    id: number
    title: string
    location: string
    time: { start: Date; end: Date } | undefined
    cancelledBecause: string | null
  }
  options: { shiftId: number | undefined; requests: boolean; sheet: boolean }
  /** All of them, to choose from. */
  choices: readonly { id: number; label: string; start: Date; end: Date }[]
  shifts: readonly RosterShiftData[]
  titleOf: (qualificationId: number) => string
}

export const rosterPath = (eventId: number): string => `/events/${eventId}/roster/`

export function rosterView(data: RosterData): Html {
  const { words, now, event, shifts } = data
  const isHidden = shifts.some(({ lines }) => lines.some(({ kind }) => kind === 'taken' || kind === 'taken-asked'))
  const csv = `/events/${event.id}/roster.csv${queryOf(data.options)}`
  return html`${pageHeadView({
    title: event.title,
    badge:
      event.cancelledBecause !== null &&
      badgeView({ tone: 'bad', text: words.t('roster.cancelled', { reason: event.cancelledBecause }) }),
    facts: html`${event.time && html`<span>${words.span(event.time.start, event.time.end, now)}</span> · `}<span>${event.location}</span>`,
    actions: [
      linkButtonView({
        href: eventPath(event.id, event.title),
        label: words.t('roster.event'),
        kind: 'quiet',
        icon: 'arrow-left',
      }),
      linkButtonView({ href: csv, label: words.t('roster.csv'), icon: 'download' }),
      // Without the script the hint below says how.
      buttonView({
        ...{ label: words.t('roster.print'), kind: 'primary', icon: 'printer' },
        attributes: { type: 'button', 'data-print': true, hidden: true },
      }),
    ],
  })}
${optionsView(data)}
${shifts.length ? shifts.map((shift) => shiftView(data, shift)) : emptyView({ icon: 'calendar-clock', text: words.t('roster.noShifts') })}
<p class="roster-foot">${words.t('roster.asOf', { time: words.dateTime(now) })}${isHidden && html` · ${words.t('roster.hidden')}`}</p>`
}

export function queryOf({ shiftId, requests, sheet }: RosterData['options']): string {
  const query = new URLSearchParams({
    ...(shiftId === undefined ? {} : { shift: String(shiftId) }),
    ...(requests ? {} : { requests: '0' }),
    ...(sheet ? { sheet: '1' } : {}),
  }).toString()
  return query && `?${query}`
}

function optionsView({ words, now, event, options, choices }: RosterData): Html {
  return html`<div class="roster-options">${filterFormView({
    action: rosterPath(event.id),
    submit: words.t('roster.apply'),
    fields: html`<input type="hidden" name="requests" value="0">${
      choices.length > 1 &&
      selectField({
        ...{
          words,
          name: 'shift',
          label: words.t('roster.shift'),
          value: options.shiftId,
          placeholder: words.t('roster.allShifts'),
        },
        options: choices.map(({ id, label, start, end }) => {
          const span = words.span(start, end, now)
          return { value: id, label: label ? `${span}, ${label}` : span }
        }),
      })
    }${checkboxField({ words, name: 'requests', value: '1', label: words.t('roster.requests'), checked: options.requests })}${checkboxField({ words, name: 'sheet', value: '1', label: words.t('roster.sheet'), checked: options.sheet })}`,
  })}<p class="muted">${words.t('roster.printHint')}</p></div>`
}

export function placeText(words: Words, titleOf: (id: number) => string, place: PlaceLabel | undefined): string {
  if (!place || place.kind === 'shift') return ''
  if (place.kind === 'team') return place.title
  if (place.kind === 'requirement') return place.qualificationId === null ? words.t('roster.any') : titleOf(place.qualificationId)
  return place.position ? `${place.title}: ${place.position}` : place.title
}

function shiftView(data: RosterData, { label, meeting, start, end, lines }: RosterShiftData): Html {
  const { words, now, options } = data
  const count = (...kinds: RosterLineData['kind'][]) => lines.filter(({ kind }) => kinds.includes(kind)).length
  const [confirmed, asked, open] = [count('confirmed', 'taken'), count('asked', 'taken-asked'), count('open')]
  const counts = [
    words.t('roster.count', { count: confirmed }),
    ...(asked ? [words.t('roster.countAsked', { count: asked })] : []),
    ...(open ? [words.t('roster.missing', { count: open })] : []),
  ]
  const hasComments = lines.some(({ comments }) => comments.length > 0)
  const title = `${words.span(start, end, now)}${label && ` · ${label}`}`
  const heads = [words.t('roster.name'), words.t('roster.qualifications'), words.t('roster.position'), words.t('roster.times')]
  return html`<section class="roster-shift"><header><h2>${title}</h2><p>${meeting < start && html`<span>${words.t('roster.meet', { time: words.sameDay(meeting, start) ? words.time(meeting) : words.dateTime(meeting) })}</span> · `}${counts.join(' · ')}</p></header>
${
  lines.length
    ? html`<table class="roster"><caption class="sr-only">${title}</caption><thead><tr><th scope="col" class="roster-number">${words.t('roster.number')}</th>${heads.map((head) => html`<th scope="col">${head}</th>`)}${hasComments && html`<th scope="col">${words.t('roster.comment')}</th>`}${options.sheet && html`<th scope="col" class="roster-sign">${words.t('roster.signature')}</th>`}</tr></thead>
<tbody>${lines.map((line, at) => lineView(data, line, at + 1, { start, end }, hasComments))}</tbody></table>`
    : html`<p class="muted">${words.t('roster.nobody')}</p>`
}</section>`
}

function lineView(
  { words, now, options, titleOf }: RosterData,
  line: RosterLineData,
  number: number,
  shift: { start: Date; end: Date },
  hasComments: boolean,
): Html {
  const { kind, times, qualifications, comments } = line
  const isOwn = times && (times.start.getTime() !== shift.start.getTime() || times.end.getTime() !== shift.end.getTime())
  const isAsked = kind === 'asked' || kind === 'taken-asked'
  return html`<tr class="roster-${kind}"><td class="roster-number">${number}</td><th scope="row">${nameView(words, line)}${isAsked && html` ${badgeView({ tone: 'warn', text: words.t('roster.asked') })}`}</th><td>${qualifications.join(', ')}</td><td>${placeText(words, titleOf, line.place)}</td><td class="roster-time">${times && html`<span>${isOwn ? html`<b>${words.hours(times.start, times.end, now)}</b>` : words.hours(times.start, times.end, now)}</span>`}</td>${hasComments && html`<td>${comments.map((text) => html`<p>${text}</p>`)}</td>`}${options.sheet && html`<td class="roster-sign"></td>`}</tr>`
}

function nameView(words: Words, { kind, name }: RosterLineData): Html {
  if (kind === 'open') return html`<span class="roster-gap">${words.t('roster.open')}</span>`
  if (name === undefined)
    return html`<span class="roster-gap" title="${words.t('roster.takenBy')}">${words.t('roster.taken')}</span>`
  return html`${name}`
}

/** The same as a spreadsheet, a line each. */
export function rosterRows({ words, shifts, titleOf }: RosterData): string[][] {
  const at = (time: Date | undefined) => (time ? words.inputDateTime(time).replace('T', ' ') : '')
  const head = ['label', 'start', 'end', 'state', 'name', 'qualifications', 'position', 'comment'] as const
  return [
    head.map((name) => words.t(`roster.${name}`)),
    ...shifts.flatMap((shift) =>
      shift.lines.map(({ kind, place, name, times, qualifications, comments }) => [
        shift.label,
        at(times?.start ?? shift.start),
        at(times?.end ?? shift.end),
        kind === 'open' ? words.t('roster.open') : words.t(kind.endsWith('asked') ? 'roster.asked' : 'roster.confirmed'),
        kind === 'open' ? '' : (name ?? words.t('roster.taken')),
        qualifications.join(', '),
        placeText(words, titleOf, place),
        comments.join('\n'),
      ]),
    ),
  ]
}
