import { shiftFields } from '#features/events/events/rules/shift-fields.ts'
import type { Shift } from '#features/events/events/rules/shifts.ts'
import { findShiftFacts } from '#features/events/events/views/facts.ts'
import { answerText } from '#features/events/questionnaires/rules.ts'
import { rosterPath } from '#features/staffing/disposition/rules/paths.ts'
import type { PlaceLabel } from '#features/staffing/staffing/rules/model.ts'
import { attrs, type Child, type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { formatPhone } from '#platform/phone.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { phoneView } from '#platform/ui/contact.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { checkboxField, selectField } from '#platform/ui/fields.ts'
import { buttonView, filterFormView, linkButtonView } from '#platform/ui/form.ts'
import { iconView } from '#platform/ui/icon.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import type { RosterLine } from '../queries/roster.ts'

/** `questions`: those that the shift asks; empty unless the reader is responsible. */
type RosterShiftData = Shift & {
  lines: readonly RosterLine[]
  questions: readonly { id: number; name: string }[]
  /** Titles of vehicles, rooms and material. */
  resources: readonly string[]
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
  options: { shiftId: number | undefined; requests: boolean; sheet: boolean; privateComments: boolean }
  /** Responsible people can include comments that are not for all participants. */
  mayReadPrivate: boolean
  /** All shifts of the event, for the select field. */
  choices: readonly { id: number; label: string; start: Date; end: Date }[]
  shifts: readonly RosterShiftData[]
  titleOf: (qualificationId: number) => string
}

export function rosterView(data: RosterData): Html {
  const { words, now, event, shifts } = data
  const isHidden = shifts.some(({ lines }) => lines.some(({ kind }) => kind === 'taken' || kind === 'taken-requested'))
  // The sheet to sign shows no comments.
  const hasPrivate =
    !data.options.sheet && shifts.some(({ lines }) => lines.some(({ comments }) => comments.some(({ isPrivate }) => isPrivate)))
  const csv = `/events/${event.id}/roster.csv${queryOf(data.options)}`
  return html`${pageHeadView({
    title: event.title,
    badge:
      event.cancelledBecause !== null &&
      badgeView({ tone: 'bad', text: words.t('roster.cancelled', { reason: event.cancelledBecause }) }),
    facts: html`${event.time && html`<span>${words.span(event.time.start, event.time.end, now)}</span> · `}<span>${event.location}</span>`,
    actions: [
      linkButtonView({ href: csv, label: words.t('roster.csv'), icon: 'download' }),
      // Hidden without JavaScript; the hint below explains printing.
      buttonView({
        label: words.t('roster.print'),
        kind: 'primary',
        icon: 'printer',
        attributes: { type: 'button', 'data-print': true, hidden: true },
      }),
    ],
  })}
${optionsView(data)}${hasPrivate && html`<p class="roster-warning">${iconView('triangle-alert', { size: 18 })}<span>${words.t('roster.private_shown')}</span></p>`}
${shifts.length ? shifts.map((shift) => shiftView(data, shift)) : emptyView({ icon: 'calendar-clock', text: words.t('roster.no_shifts') })}
<p class="roster-foot">${words.t('roster.as_of', { time: words.dateTime(now) })}${isHidden && html` · ${words.t('roster.hidden')}`}</p>`
}

export function queryOf({ shiftId, requests, sheet, privateComments }: RosterData['options']): string {
  const query = new URLSearchParams({
    ...(shiftId === undefined ? {} : { shift: String(shiftId) }),
    ...(requests ? {} : { requests: '0' }),
    ...(sheet ? { sheet: '1' } : {}),
    ...(privateComments ? { comments: 'all' } : {}),
  }).toString()
  return query && `?${query}`
}

function optionsView({ words, now, event, options, choices, mayReadPrivate }: RosterData): Html {
  return html`<div class="roster-options">${filterFormView({
    action: rosterPath(event.id),
    submit: words.t('roster.apply'),
    fields: html`<input type="hidden" name="requests" value="0">${
      choices.length > 1 &&
      selectField({
        words,
        name: 'shift',
        label: words.t('roster.shift'),
        value: options.shiftId,
        placeholder: words.t('roster.all_shifts'),
        options: choices.map(({ id, label, start, end }) => {
          const span = words.span(start, end, now)
          return { value: id, label: label ? `${span}, ${label}` : span }
        }),
      })
    }${checkboxField({ words, name: 'requests', value: '1', label: words.t('roster.requests'), checked: options.requests })}${checkboxField({ words, name: 'sheet', value: '1', label: words.t('roster.sheet'), checked: options.sheet })}${mayReadPrivate && checkboxField({ words, name: 'comments', value: 'all', label: words.t('roster.private'), checked: options.privateComments })}`,
  })}<p class="muted">${words.t('roster.print_hint')}</p></div>`
}

export function placeText(words: Words, titleOf: (id: number) => string, place: PlaceLabel | undefined): string {
  if (!place || place.kind === 'shift') return ''
  if (place.kind === 'team') return place.title
  if (place.kind === 'requirement') return place.qualificationId === null ? words.t('roster.any') : titleOf(place.qualificationId)
  return place.position ? `${place.title}: ${place.position}` : place.title
}

type Column = {
  label: string
  className?: string
  cell: (line: RosterLine) => Child
  isEmpty?: (line: RosterLine) => boolean
}

/** Leaves out empty columns to save space on paper. */
function columnsOf(data: RosterData, shift: RosterShiftData): Column[] {
  const columns = data.options.sheet ? sheetColumns(data, shift) : rosterColumns(data, shift)
  return columns.filter(({ isEmpty }) => !isEmpty || !shift.lines.every(isEmpty))
}

const positionColumn = ({ words, titleOf }: RosterData): Column => ({
  label: words.t('roster.position'),
  cell: ({ place }) => placeText(words, titleOf, place),
  isEmpty: ({ place }) => placeText(words, titleOf, place) === '',
})

const timesColumn = ({ words, now }: RosterData, shift: RosterShiftData): Column => ({
  label: words.t('roster.times'),
  className: 'roster-time',
  cell: ({ kind, times = kind === 'open' ? shift : undefined }) => times && timesView(words, now, times, shift),
})

/** A sheet that many people read and sign: no phone numbers, comments or answers. */
const sheetColumns = (data: RosterData, shift: RosterShiftData): Column[] => [
  positionColumn(data),
  timesColumn(data, shift),
  { label: data.words.t('roster.came'), className: 'roster-fill', cell: () => '' },
  { label: data.words.t('roster.left'), className: 'roster-fill', cell: () => '' },
  { label: data.words.t('roster.signature'), className: 'roster-sign', cell: () => '' },
]

function rosterColumns(data: RosterData, shift: RosterShiftData): Column[] {
  const { words } = data
  return [
    {
      label: words.t('roster.phone'),
      className: 'roster-phone',
      cell: ({ phone }) => phone !== undefined && phoneView(phone),
      isEmpty: ({ phone }) => phone === undefined,
    },
    {
      label: words.t('roster.emergency'),
      className: 'roster-phone',
      cell: ({ emergency }) => emergency && html`${emergency.name} ${emergency.phone !== null && phoneView(emergency.phone)}`,
      isEmpty: ({ emergency }) => emergency === undefined,
    },
    {
      label: words.t('roster.qualifications'),
      cell: ({ qualifications }) => qualifications.join(', '),
      isEmpty: ({ qualifications }) => qualifications.length === 0,
    },
    positionColumn(data),
    timesColumn(data, shift),
    {
      label: words.t('roster.comment'),
      cell: ({ comments }) =>
        comments.map(
          ({ text, isPrivate }) =>
            html`<p>${text}${isPrivate && html` <span class="roster-private">(${words.t('roster.only_planners')})</span>`}</p>`,
        ),
      isEmpty: ({ comments }) => comments.length === 0,
    },
    ...questionsOf([shift]).map(({ id, name }) => ({
      label: name,
      cell: (line: RosterLine) => answerTo(line, id),
      isEmpty: (line: RosterLine) => answerTo(line, id) === '',
    })),
  ]
}

/** A column for each question that a shift asks or that somebody has answered. */
function questionsOf(shifts: readonly RosterShiftData[]): { id: number; name: string }[] {
  const answers = shifts.flatMap(({ lines }) => lines.flatMap((line) => line.answers))
  const asked = shifts.flatMap(({ questions }) => questions.map(({ id, name }): [number, string] => [id, name]))
  const names = new Map([...asked, ...answers.map(({ questionId, name }): [number, string] => [questionId, name])])
  return [...names].map(([id, name]) => ({ id, name })).sort((a, b) => a.id - b.id)
}

const answerTo = ({ answers }: RosterLine, questionId: number): string =>
  answerText(answers.find((each) => each.questionId === questionId)?.answer)

/** Emphasises individual times. */
function timesView(words: Words, now: Date, { start, end }: { start: Date; end: Date }, shift: RosterShiftData): Html {
  const isOwn = start.getTime() !== shift.start.getTime() || end.getTime() !== shift.end.getTime()
  const text = words.hours(start, end, now)
  return isOwn ? html`<b>${text}</b>` : html`${text}`
}

function shiftView(data: RosterData, shift: RosterShiftData): Html {
  const { words, now } = data
  const { label, meeting, start, end, lines } = shift
  const count = (...kinds: RosterLine['kind'][]) => lines.filter(({ kind }) => kinds.includes(kind)).length
  const [confirmed, requested, open] = [count('confirmed', 'taken'), count('requested', 'taken-requested'), count('open')]
  const facts = [
    ...(meeting < start
      ? [words.t('roster.meet', { time: words.sameDay(meeting, start) ? words.time(meeting) : words.dateTime(meeting) })]
      : []),
    ...findShiftFacts(words, shift, 'roster'),
    words.t('roster.count', { count: confirmed }),
    ...(requested ? [words.t('roster.count_requested', { count: requested })] : []),
    ...(open ? [words.t('roster.missing', { count: open })] : []),
  ]
  const title = `${words.span(start, end, now)}${label && ` · ${label}`}`
  const columns = columnsOf(data, shift)
  return html`<section class="roster-shift${data.options.sheet && ' roster-sheet'}"><header><h2>${title}</h2><p>${facts.join(' · ')}</p>${shift.resources.length > 0 && html`<p>${words.t('roster.resources', { names: words.list(shift.resources) })}</p>`}</header>
${
  lines.length
    ? html`<table class="roster"><caption class="sr-only">${title}</caption><thead><tr><th scope="col" class="roster-number">${words.t('roster.number')}</th><th scope="col">${words.t('roster.name')}</th>${columns.map(({ label, className }) => html`<th scope="col" ${attrs({ class: className })}>${label}</th>`)}</tr></thead>
<tbody>${lines.map((line, at) => lineView(words, columns, line, at + 1))}</tbody></table>`
    : html`<p class="muted">${words.t('roster.nobody')}</p>`
}</section>`
}

function lineView(words: Words, columns: readonly Column[], line: RosterLine, number: number): Html {
  const isRequested = line.kind === 'requested' || line.kind === 'taken-requested'
  return html`<tr class="roster-${line.kind}"><td class="roster-number">${number}</td><th scope="row">${nameView(words, line)}${isRequested && html` ${badgeView({ tone: 'warn', text: words.t('roster.requested') })}`}</th>${columns.map(
    ({ label, className, cell, isEmpty }) =>
      html`<td ${attrs({ class: className, 'data-label': isEmpty?.(line) ? undefined : label })}>${cell(line)}</td>`,
  )}</tr>`
}

function nameView(words: Words, { kind, name, isGuest, broughtBy }: RosterLine): Html {
  if (kind === 'open') return html`<span class="roster-gap">${words.t('roster.open')}</span>`
  if (name === undefined)
    return html`<span class="roster-gap" title="${words.t('roster.taken_by')}">${words.t('roster.taken')}</span>`
  return html`${name}${isGuest && html` ${badgeView({ tone: 'quiet', text: words.t('roster.guest') })}`}${
    broughtBy !== undefined && html` ${badgeView({ tone: 'quiet', text: words.t('board.brought_by', { name: broughtBy }) })}`
  }`
}

type SheetLine = { shift: RosterData['shifts'][number]; line: RosterLine }

/** The CSV file: its head, its lines, and what stands in some of them. */
export function rosterSheet({ words, shifts, titleOf }: RosterData): {
  head: string[]
  lines: SheetLine[]
  rowsOf: (lines: readonly SheetLine[]) => string[][]
} {
  const at = (time: Date | undefined) => (time ? words.inputDateTime(time).replace('T', ' ') : '')
  const questions = questionsOf(shifts)
  const plain = shiftFields.namesShownIn('csv')
  const head = ['label', 'start', 'end', 'state', 'name', 'qualifications', 'position', 'comment'] as const
  const hasResources = shifts.some(({ resources }) => resources.length > 0)
  const hasPhones = shifts.some(({ lines }) => lines.some(({ phone }) => phone !== undefined))
  return {
    head: [
      ...head.map((name) => words.t(`roster.${name}`)),
      ...plain.map((name) => words.t(`plan.field.${name}`)),
      ...(hasPhones ? [words.t('roster.phone')] : []),
      ...(hasResources ? [words.t('roster.resources_column')] : []),
      ...questions.map(({ name }) => name),
    ],
    lines: shifts.flatMap((shift) => shift.lines.map((line) => ({ shift, line }))),
    rowsOf: (lines) =>
      lines.map(({ shift, line: { kind, place, name, isGuest, phone, times, qualifications, comments, answers } }) => [
        shift.label,
        at(times?.start ?? shift.start),
        at(times?.end ?? shift.end),
        kind === 'open' ? words.t('roster.open') : words.t(kind.endsWith('requested') ? 'roster.requested' : 'roster.confirmed'),
        kind === 'open'
          ? ''
          : name === undefined
            ? words.t('roster.taken')
            : isGuest
              ? `${name} (${words.t('roster.guest')})`
              : name,
        qualifications.join(', '),
        placeText(words, titleOf, place),
        comments.map(({ text, isPrivate }) => (isPrivate ? `${text} (${words.t('roster.only_planners')})` : text)).join('\n'),
        ...plain.map((name) => String(shift[name])),
        ...(hasPhones ? [phone === undefined ? '' : formatPhone(phone)] : []),
        ...(hasResources ? [shift.resources.join(', ')] : []),
        ...questions.map(({ id }) => answerText(answers.find(({ questionId }) => questionId === id)?.answer)),
      ]),
  }
}
