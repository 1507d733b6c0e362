import { eventPath } from '#features/events/events/rules/slug.ts'
import { planPath } from '#features/planning/planning/views/editor.ts'
import { eventBoardPath } from '#features/staffing/disposition/rules/paths.ts'
import { shortfallOf } from '#features/staffing/staffing/rules/statistics.ts'
import { staffedText, staffingState } from '#features/staffing/staffing/views/staffing.ts'
import { shortStateBadge, toStaffing } from '#features/staffing/staffing/views/state.ts'
import { attrs, type Html, html } from '#platform/html/html.ts'
import type { Day } from '#platform/i18n/days.ts'
import type { Words } from '#platform/i18n/words.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { linkButtonView } from '#platform/ui/form.ts'
import { iconView } from '#platform/ui/icon.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { tabsView } from '#platform/ui/tabs.ts'
import { canShowAll, type GridChoice, gridUrl, timesPath } from '../rules/choice.ts'
import { type Cell, type Column, cellsOf, placeOf, rowsOf, spanOf } from '../rules/layout.ts'
import type { GridShift } from '../rules/model.ts'

type GridData = {
  words: Words
  now: Date
  event: { id: number; title: string; isCancelled: boolean; mayChange: boolean }
  choice: GridChoice
  /** Days with shifts; `missing`: people over all shifts of the day. */
  days: readonly { day: Day; missing: number }[]
  /** The days that are shown. */
  shown: readonly Day[]
  columns: readonly Column[]
  /** All shifts of the event. */
  shifts: readonly GridShift[]
  /** Number of shifts on the shown days, and of people missing in them. */
  count: number
  lacking: number
  /** People missing in each column. */
  missing: readonly number[]
}

const HEAD_PX = 180
const HOUR_PX = { narrow: 46, wide: 104 }

const dayText = (words: Words, day: Day, now: Date): string => words.day(new Date(`${day}T12:00:00Z`), now)

export function gridView(data: GridData): Html {
  const { words, event, shifts, columns } = data
  const head = pageHeadView({
    title: words.t('grid.title'),
    facts: html`<span class="fact"><a href="${eventPath(event.id, event.title)}">${event.title}</a></span>${shifts.length > 0 && html`<span class="fact">${factsText(data)}</span>`}${event.mayChange && html`<a class="fact" href="${eventBoardPath(event.id)}">${iconView('list-checks', { size: 18 })}<span>${words.t('grid.board')}</span></a>`}`,
  })
  if (!shifts.length)
    return html`${head}${emptyView({
      icon: 'calendar-clock',
      text: words.t('grid.empty'),
      action: event.mayChange
        ? linkButtonView({ href: planPath(event.id, 'shifts/new'), label: words.t('grid.add_shift') })
        : linkButtonView({ href: eventPath(event.id, event.title), label: words.t('grid.event') }),
    })}`
  const { start, end } = spanOf(columns)
  return html`${head}${event.isCancelled && html`<p class="look-on">${iconView('calendar-x', { size: 18 })}<span>${words.t('grid.cancelled')}</span></p>`}
${choicesView(data)}
<div class="grid-scroll" id="grid" role="region" aria-label="${words.t('grid.table')}" tabindex="0" ${attrs({
    'data-grid': true,
    'data-from': start.getTime(),
    'data-until': end.getTime(),
    'data-zone': words.timeZone,
    'data-editable': event.mayChange,
  })}>${canvasView(data)}</div>
${event.mayChange && html`<p class="muted grid-help"><span data-help-form>${words.t('grid.help_form')}</span><span data-help-drag hidden>${words.t('grid.help_drag')}</span></p><div class="sr-only" role="status" data-grid-status></div><section class="grid-panel" id="grid-panel" aria-label="${words.t('grid.times_title')}" data-grid-panel hidden></section>`}`
}

function factsText({ words, count, lacking, event }: GridData): string {
  const state = lacking > 0 ? words.t('ui.missing_count', { count: lacking }) : words.t('grid.facts_enough')
  return [words.t('grid.facts', { count }), ...(event.isCancelled ? [] : [state])].join(' · ')
}

function choicesView({ words, now, event, choice, days, shown }: GridData): Html {
  const href = (changed: Partial<GridChoice>) => gridUrl(event.id, { ...choice, ...changed })
  const isAll = shown.length > 1
  const tabs = [
    ...days.map(({ day, missing }) => ({
      href: href({ day }),
      label: [dayText(words, day, now), ...(missing > 0 ? [words.t('ui.missing_count', { count: missing })] : [])].join(' · '),
      current: !isAll && day === shown[0],
    })),
    ...(canShowAll(days.map(({ day }) => day))
      ? [{ href: href({ day: 'all' }), label: words.t('grid.all_days'), current: isAll }]
      : []),
  ]
  const zooms = [
    { isWide: false, label: words.t('grid.zoom_narrow') },
    { isWide: true, label: words.t('grid.zoom_wide') },
  ]
  return html`<div class="grid-choices">${tabs.length > 1 ? tabsView({ label: words.t('grid.days'), tabs }) : html`<p class="grid-day">${dayText(words, shown[0]!, now)}</p>`}<nav class="grid-zoom" aria-label="${words.t('grid.zoom')}">${iconView('zoom-in', { size: 18 })}${zooms.map(
    ({ isWide, label }) =>
      html`<a href="${href({ isWide })}" ${attrs({ 'aria-current': isWide === choice.isWide && 'true' })}>${label}</a>`,
  )}</nav></div>`
}

/**
 * The first SVG gives the canvas its width, since pages have no inline styles; the second draws lines at hours and now. The first row is
 * not shown: it has a cell for each step, so that every column of the table has one.
 */
function canvasView(data: GridData): Html {
  const { words, now, columns, choice, shown, missing, shifts } = data
  const width = HEAD_PX + columns.length * (choice.isWide ? HOUR_PX.wide : HOUR_PX.narrow)
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
<table><caption class="sr-only">${words.t('grid.table')}</caption>
<thead><tr class="grid-steps"><td class="grid-head"></td>${Array.from({ length: steps }, () => html`<td></td>`)}</tr>${
    shown.length > 1 &&
    html`<tr class="grid-days"><td></td>${[...days].map(([day, hours]) => html`<th scope="colgroup" colspan="${hours.reduce((sum, column) => sum + column.steps, 0)}"><span>${dayText(words, day, now)}</span></th>`)}</tr>`
  }
<tr class="grid-hours"><th scope="col">${words.t('grid.shift')}</th>${columns.map(({ start, end, steps }) => html`<th scope="col" colspan="${steps}" ${attrs({ 'aria-current': start <= now && now < end && 'time' })}><time datetime="${start.toISOString()}">${words.time(start)}</time></th>`)}</tr>
<tr class="grid-missing"><th scope="row">${words.t('grid.missing')}</th>${columns.map(({ steps }, index) => missingCell(words, steps, missing[index]!))}</tr></thead>
<tbody>${rowsOf(shifts, columns).map((row) => {
    const shiftsOfRow = row.lanes.flat().map(({ shift }) => shift)
    const lacking = shiftsOfRow.filter((shift) => isOpen(data, shift)).reduce((sum, shift) => sum + shortfallOf(shift), 0)
    return row.lanes.map(
      (lane, index) =>
        html`<tr class="${index === 0 && 'grid-row'}">${index === 0 && html`<th scope="row" rowspan="${row.lanes.length}">${row.label || html`<span class="muted">${words.t('grid.unnamed')}</span>`}${lacking > 0 && html`<small class="grid-lack">${words.t('ui.missing_count', { count: lacking })}</small>`}</th>`}${cellsOf(lane, columns).map((cell) => cellView(data, cell))}</tr>`,
    )
  })}</tbody></table></div>`
}

const missingCell = (words: Words, steps: number, count: number): Html =>
  count > 0
    ? html`<td colspan="${steps}" class="short"><span aria-hidden="true">${count}</span><span class="sr-only">${words.t('ui.missing_count', { count })}</span></td>`
    : html`<td colspan="${steps}"><span aria-hidden="true">–</span><span class="sr-only">${words.t('grid.missing_none')}</span></td>`

const isOpen = ({ now, event }: GridData, { end }: GridShift): boolean => !event.isCancelled && end >= now

function cellView(data: GridData, cell: Cell<GridShift>): Html {
  if (cell.kind === 'space') return html`<td colspan="${cell.steps}"></td>`
  const { words, now, event, choice } = data
  const { shift, startsBefore, endsAfter } = cell.block
  const open = isOpen(data, shift)
  const staffing = toStaffing(shift)
  const state = staffingState(words, staffing)
  const own = shortStateBadge(words, shift.own, !open)
  const time = words.hours(shift.start, shift.end, now)
  const staffed = staffedText(words, staffing)
  const texts = [time, shift.label, staffed, open && state.text, own && words.t('grid.you', { state: own.text })].filter(Boolean)
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
  })}>${edge('start', startsBefore)}<span class="grid-line"><b data-time>${time}</b>${shift.label && html` <span class="grid-more">${shift.label}</span>`}</span><span class="grid-line grid-staffed">${staffed}${open && html`<span class="grid-more"> · ${state.text}</span>`}</span>${own && html`<span class="grid-line grid-own">${iconView('user', { size: 14 })}${words.t('grid.you', { state: own.text })}</span>`}${edge('end', endsAfter)}</a></td>`
}
