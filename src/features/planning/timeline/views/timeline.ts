import { eventPath } from '#features/events/events/rules/slug.ts'
import { planPath } from '#features/planning/planning/views/editor.ts'
import { eventBoardPath } from '#features/staffing/disposition/rules/paths.ts'
import { shortfallOf } from '#features/staffing/staffing/rules/statistics.ts'
import { placesState, staffedText, staffingState } from '#features/staffing/staffing/views/staffing.ts'
import { shortStateBadge, toStaffing } from '#features/staffing/staffing/views/state.ts'
import { attrs, type Html, html } from '#platform/html/html.ts'
import type { Day } from '#platform/i18n/days.ts'
import type { Words } from '#platform/i18n/words.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { linkButtonView } from '#platform/ui/form.ts'
import { iconView } from '#platform/ui/icon.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { tabsView } from '#platform/ui/tabs.ts'
import { canShowAll, type TimelineChoice, timelineUrl, timesPath } from '../rules/choice.ts'
import { type Cell, type Column, cellsOf, hourWidth, placeOf, rowsOf, spanOf, stepMsOf } from '../rules/layout.ts'
import type { TimelineShift } from '../rules/model.ts'

type TimelineData = {
  words: Words
  now: Date
  event: { id: number; title: string; isCancelled: boolean; mayChange: boolean }
  choice: TimelineChoice
  /** Days with shifts; `missing`: people over all shifts that begin on the day. */
  days: readonly { day: Day; missing: number }[]
  /** The days that are shown. */
  shown: readonly Day[]
  columns: readonly Column[]
  /** All shifts of the event. */
  shifts: readonly TimelineShift[]
  /** Number of shifts that begin on the shown days, and of people missing in them. */
  count: number
  lacking: number
  /** People missing in each column. */
  missing: readonly number[]
}

const HEAD_PX = 180
const HOUR_PX = { narrow: 46, wide: 104 }
/** The beginning of a time, so that it takes two lines. */
const BLOCK_PX = 64

/** Short shifts need wide hours. */
const neededWidth = ({ shifts, columns }: TimelineData): number => {
  const least = hourWidth(shifts, columns, BLOCK_PX)
  return least > BLOCK_PX ? least : 0
}

const dayText = (words: Words, day: Day, now: Date): string => words.day(new Date(`${day}T12:00:00Z`), now)

export function timelineView(data: TimelineData): Html {
  const { words, event, shifts, columns } = data
  const head = pageHeadView({
    title: words.t('timeline.title'),
    facts: html`<span class="fact"><a href="${eventPath(event.id, event.title)}">${event.title}</a></span>${data.count > 0 && html`<span class="fact">${factsText(data)}</span>`}${event.mayChange && html`<a class="fact" href="${eventBoardPath(event.id)}">${iconView('list-checks', { size: 18 })}<span>${words.t('timeline.board')}</span></a>`}`,
  })
  if (!shifts.length)
    return html`${head}${emptyView({
      icon: 'calendar-clock',
      text: words.t('timeline.empty'),
      action: event.mayChange
        ? linkButtonView({ href: planPath(event.id, 'shifts/new'), label: words.t('timeline.add_shift') })
        : linkButtonView({ href: eventPath(event.id, event.title), label: words.t('timeline.event') }),
    })}`
  const { start, end } = spanOf(columns)
  return html`${head}${event.isCancelled && html`<p class="look-on">${iconView('calendar-x', { size: 18 })}<span>${words.t('timeline.cancelled')}</span></p>`}
${choicesView(data)}
<div class="grid-scroll" id="grid" role="region" aria-label="${words.t('timeline.table')}" tabindex="0" ${attrs({
    'data-grid': true,
    'data-from': start.getTime(),
    'data-until': end.getTime(),
    'data-step': stepMsOf(columns),
    'data-zone': words.timeZone,
    'data-editable': event.mayChange,
  })}>${canvasView(data)}</div>
${event.mayChange && html`<p class="muted grid-help"><span data-help-form>${words.t('timeline.help_form')}</span><span data-help-drag hidden>${words.t('timeline.help_drag')}</span></p><div class="sr-only" role="status" data-grid-status></div><section class="grid-panel" id="grid-panel" aria-label="${words.t('timeline.times_title')}" data-grid-panel hidden></section>`}`
}

function factsText({ words, count, lacking, event }: TimelineData): string {
  const state = lacking > 0 ? words.t('ui.missing_count', { count: lacking }) : words.t('timeline.facts_enough')
  return [words.t('timeline.facts', { count }), ...(event.isCancelled || !event.mayChange ? [] : [state])].join(' · ')
}

function choicesView(data: TimelineData): Html {
  const { words, now, event, choice, days, shown } = data
  const href = (changed: Partial<TimelineChoice>) => timelineUrl(event.id, { ...choice, ...changed })
  const isAll = shown.length > 1
  const tabs = [
    ...days.map(({ day, missing }) => ({
      href: href({ day }),
      label: [
        dayText(words, day, now),
        ...(event.mayChange && missing > 0 ? [words.t('ui.missing_count', { count: missing })] : []),
      ].join(' · '),
      current: !isAll && day === shown[0],
    })),
    ...(canShowAll(days.map(({ day }) => day))
      ? [{ href: href({ day: 'all' }), label: words.t('timeline.all_days'), current: isAll }]
      : []),
  ]
  const zooms = [
    { isWide: false, label: words.t('timeline.zoom_narrow') },
    { isWide: true, label: words.t('timeline.zoom_wide') },
  ]
  return html`<div class="grid-choices">${tabs.length > 1 ? tabsView({ label: words.t('timeline.days'), tabs }) : html`<p class="grid-day">${dayText(words, shown[0]!, now)}</p>`}${
    neededWidth(data) < HOUR_PX.wide &&
    html`<nav class="grid-zoom" aria-label="${words.t('timeline.zoom')}">${iconView('zoom-in', { size: 18 })}${zooms.map(
      ({ isWide, label }) =>
        html`<a href="${href({ isWide })}" ${attrs({ 'aria-current': isWide === choice.isWide && 'true' })}>${label}</a>`,
    )}</nav>`
  }</div>`
}

/**
 * The first SVG gives the canvas its width, since pages have no inline styles; the second draws lines at hours and now. The first row is
 * not shown: it has a cell for each step, so that every column of the table has one.
 */
function canvasView(data: TimelineData): Html {
  const { words, now, columns, choice, shown, missing, shifts, event } = data
  const hour = Math.max(choice.isWide ? HOUR_PX.wide : HOUR_PX.narrow, neededWidth(data))
  const width = HEAD_PX + columns.length * hour
  const span = spanOf(columns)
  const lineAt = (at: Date, name: string) => {
    const x = placeOf(at, span)
    return x !== undefined && html`<line class="${name}" x1="${x}%" x2="${x}%" y1="0" y2="100%"/>`
  }
  const isFirstOfDay = (index: number) => index > 0 && columns[index - 1]!.day !== columns[index]!.day
  const steps = columns.reduce((sum, column) => sum + column.steps, 0)
  const days = Map.groupBy(columns, ({ day }) => day)
  return html`<div class="grid-canvas"><svg class="grid-size" width="${width}" height="1" aria-hidden="true" focusable="false"></svg>
<svg class="grid-lines" width="100%" height="100%" aria-hidden="true" focusable="false" data-grid-lines>${columns.map(({ start }, index) => lineAt(start, isFirstOfDay(index) ? 'grid-midnight' : 'grid-hour'))}</svg>
<svg class="grid-lines grid-lines-top" width="100%" height="100%" aria-hidden="true" focusable="false">${lineAt(now, 'grid-now')}</svg>
<table><caption class="sr-only">${words.t('timeline.table')}</caption>
<thead><tr class="grid-steps"><td class="grid-head"></td>${Array.from({ length: steps }, () => html`<td></td>`)}</tr>${
    shown.length > 1 &&
    html`<tr class="grid-days"><td></td>${[...days].map(([day, hours]) => html`<th scope="colgroup" colspan="${hours.reduce((sum, column) => sum + column.steps, 0)}"><span>${dayText(words, day, now)}</span></th>`)}</tr>`
  }
<tr class="grid-hours"><th scope="col">${words.t('timeline.shift')}</th>${columns.map(({ start, end, steps }) => html`<th scope="col" colspan="${steps}" ${attrs({ 'aria-current': start <= now && now < end && 'time' })}><time datetime="${start.toISOString()}">${words.time(start)}</time></th>`)}</tr>${
    event.mayChange &&
    html`<tr class="grid-missing"><th scope="row">${words.t('timeline.missing')}</th>${columns.map(({ steps }, index) => missingCell(words, steps, missing[index]!))}</tr>`
  }</thead>
<tbody>${rowsOf(shifts, columns).map((row) => {
    const shiftsOfRow = row.lanes.flat().map(({ shift }) => shift)
    const counted = shiftsOfRow.filter((shift) => isOpen(data, shift) && shown.includes(words.inputDate(shift.start)))
    const lacking = counted.reduce((sum, shift) => sum + shortfallOf(shift), 0)
    return row.lanes.map(
      (lane, index) =>
        html`<tr class="${index === 0 && 'grid-row'}">${index === 0 && html`<th scope="row" rowspan="${row.lanes.length}">${row.label || html`<span class="muted">${words.t('timeline.unnamed')}</span>`}${event.mayChange && lacking > 0 && html`<small class="grid-lack">${words.t('ui.missing_count', { count: lacking })}</small>`}</th>`}${cellsOf(lane, columns).map((cell) => cellView(data, cell))}</tr>`,
    )
  })}</tbody></table></div>`
}

const missingCell = (words: Words, steps: number, count: number): Html =>
  count > 0
    ? html`<td colspan="${steps}" class="short"><span aria-hidden="true">${count}</span><span class="sr-only">${words.t('ui.missing_count', { count })}</span></td>`
    : html`<td colspan="${steps}"><span aria-hidden="true">–</span><span class="sr-only">${words.t('timeline.missing_none')}</span></td>`

const isOpen = ({ now, event }: TimelineData, { end }: TimelineShift): boolean => !event.isCancelled && end >= now

function cellView(data: TimelineData, cell: Cell<TimelineShift>): Html {
  if (cell.kind === 'space') return html`<td colspan="${cell.steps}"></td>`
  const { words, now, event, choice } = data
  const { shift, startsBefore, endsAfter } = cell.block
  const open = isOpen(data, shift)
  const staffing = toStaffing(shift)
  // Who is missing is for those who plan.
  const state = event.mayChange ? staffingState(words, staffing) : placesState(words, staffing)
  const own = shortStateBadge(words, shift.own, !open)
  const time = words.hours(shift.start, shift.end, now)
  const staffed = event.mayChange && staffedText(words, staffing)
  const texts = [time, shift.label, staffed, open && state.text, own && words.t('timeline.you', { state: own.text })].filter(
    Boolean,
  )
  const href = event.mayChange ? timesPath(shift.id, choice) : `${eventPath(event.id, event.title)}#shift-${shift.id}`
  const edge = (name: 'start' | 'end', isCut: boolean) =>
    event.mayChange && !isCut && html`<span class="grid-edge ${name}" data-edge="${name}" aria-hidden="true"></span>`
  return html`<td colspan="${cell.steps}"><a ${attrs({
    class: ['grid-block', `tone-${open ? state.tone : 'quiet'}`, own && 'own', startsBefore && 'before', endsAfter && 'after']
      .filter(Boolean)
      .join(' '),
    id: `block-${shift.id}`,
    href,
    title: texts.join(', '),
    draggable: 'false',
    'data-shift': shift.id,
    'data-start': shift.start.getTime(),
    'data-end': shift.end.getTime(),
  })}>${edge('start', startsBefore)}<span class="grid-line"><b data-time>${time}</b>${shift.label && html` <span class="grid-more">${shift.label}</span>`}</span><span class="grid-line grid-staffed">${staffed || (open && state.text)}${staffed && open && html`<span class="grid-more"> · ${state.text}</span>`}</span>${own && html`<span class="grid-line grid-own">${iconView('user', { size: 14 })}${words.t('timeline.you', { state: own.text })}</span>`}${edge('end', endsAfter)}</a></td>`
}
