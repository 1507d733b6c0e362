import { STATE } from '#features/staffing/staffing/rules/model.ts'
import { attrs, type Html, html } from '#platform/html/html.ts'
import type { Day } from '#platform/i18n/days.ts'
import type { Words } from '#platform/i18n/words.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { hiddenField, selectField, textField } from '#platform/ui/fields.ts'
import { filterFormView, linkButtonView } from '#platform/ui/form.ts'
import { type IconName, iconView } from '#platform/ui/icon.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { pagerView } from '#platform/ui/pager.ts'
import { tabsView } from '#platform/ui/tabs.ts'
import { ASSIGN, type PeopleChoice, peopleUrl, VIEWS, writePeopleChoice } from '../rules/choice.ts'
import { type DayCell, type PersonRow, splitIntoHours, worstOf } from '../rules/table.ts'
import { awayTexts, cellText, hoursText, placeTitle } from './texts.ts'

type Named = { id: number; title: string }

export type PeopleData = {
  words: Words
  now: Date
  today: Day
  choice: PeopleChoice
  previous: Day
  next: Day
  days: readonly DayCell['day'][]
  rows: readonly PersonRow[]
  count: number
  pageSize: number
  groups: readonly Named[]
  skills: readonly Named[]
}

export function peopleView(data: PeopleData): Html {
  const { words, choice, rows, count, pageSize, today } = data
  const facts = words.t('people_times.facts', { count, period: periodText(data) })
  return html`${pageHeadView({ title: words.t('people_times.title'), facts })}
<div class="pt-tools">${tabsView({ label: words.t('people_times.view'), tabs: VIEWS.map((view) => ({ href: peopleUrl({ ...choice, view }, today), label: words.t(`people_times.view_${view}`), current: view === choice.view })) })}${stepsView(data)}</div>
${filtersView(data)}
${choice.view !== 'day' && daysView(data)}
${rows.length > 0 ? tableOf(data) : noneView(data)}
${pagerView({ words, page: choice.page, pageSize, total: count, href: (page) => peopleUrl({ ...choice, page }, today) })}`
}

function periodText({ words, now, choice, days }: PeopleData): string {
  const first = days[0]!.start
  if (choice.view === 'day') return words.day(first, now)
  return choice.view === 'month' ? words.month(first) : `${words.day(first, now)} – ${words.day(days.at(-1)!.start, now)}`
}

function stepsView({ words, choice, today, previous, next }: PeopleData): Html {
  const { view } = choice
  const step = (day: Day, icon: IconName, label: string, rel: string) =>
    html`<a class="button icon-only secondary" rel="${rel}" href="${peopleUrl({ ...choice, day }, today)}">${iconView(icon, { title: label })}</a>`
  return html`<nav class="pt-steps" aria-label="${words.t('people_times.steps')}">${step(previous, 'chevron-left', words.t(`people_times.previous_${view}`), 'prev')}${linkButtonView({ href: peopleUrl({ ...choice, day: today }, today), label: words.t('people_times.today') })}${step(next, 'chevron-right', words.t(`people_times.next_${view}`), 'next')}</nav>`
}

function filtersView({ words, choice, today, groups, skills }: PeopleData): Html {
  const { view, day, group, skill, search } = choice
  const count = [group, skill, search || undefined].filter((value) => value !== undefined).length
  const all = { ...choice, group: undefined, skill: undefined, search: '', page: 1 }
  const options = (list: readonly Named[]) => list.map(({ id, title }) => ({ value: id, label: title }))
  const form = filterFormView({
    action: peopleUrl({ ...all, view: 'week', day: today }, today),
    submit: words.t('people_times.show'),
    reset: count > 0 ? { href: peopleUrl(all, today), label: words.t('people_times.reset') } : undefined,
    fields: html`${hiddenField('view', view)}${hiddenField('day', day)}${textField({ words, name: 'q', type: 'search', label: words.t('people_times.name'), value: search })}${selectField({ words, name: 'group', label: words.t('people_times.group'), value: group, options: options(groups), placeholder: words.t('people_times.any_group') })}${selectField({ words, name: 'skill', label: words.t('people_times.skill'), value: skill, options: options(skills), placeholder: words.t('people_times.any_skill') })}`,
  })
  return html`<search><details class="pt-filter" ${attrs({ open: count > 0 })}><summary class="button secondary small">${iconView('list-filter', { size: 18 })}${words.t('people_times.filter')}${count > 0 && html` <span class="tab-count">${count}</span>`}</summary>${form}</details></search>`
}

/** Phones show one day at a time. */
function daysView({ words, choice, today, days }: PeopleData): Html {
  return html`<nav class="pt-days" aria-label="${words.t('people_times.days')}">${days.map(({ day, start }) => {
    const { weekday, day: number } = words.dayParts(start)
    return html`<a href="${peopleUrl({ ...choice, day }, today)}" ${attrs({ 'aria-current': day === choice.day && 'date' })}>${weekday} <b>${number}</b></a>`
  })}</nav>`
}

function noneView({ words, choice, today }: PeopleData): Html {
  const isNarrowed = choice.group !== undefined || choice.skill !== undefined || choice.search !== ''
  if (!isNarrowed) return emptyView({ icon: 'users', text: words.t('people_times.nobody') })
  const href = peopleUrl({ ...choice, group: undefined, skill: undefined, search: '', page: 1 }, today)
  return emptyView({
    icon: 'search-x',
    text: words.t('people_times.none'),
    action: linkButtonView({ href, label: words.t('people_times.reset') }),
  })
}

/** Cells of days that are not over are buttons of one form, which keeps the page small. */
function tableOf(data: PeopleData): Html {
  const { words, choice, today } = data
  const hasFuture = data.days.at(-1)!.end > data.now
  return html`<div class="pt-legend">${hasFuture && html`<p class="muted">${words.t('people_times.help')}</p>`}${legendView(words)}</div>
<form action="${ASSIGN}">${hiddenField('back', writePeopleChoice(choice, today))}
<div class="pt-scroll" role="region" aria-label="${words.t('people_times.table')}" tabindex="0"><table class="pt pt-${choice.view}" data-cells><caption class="sr-only">${words.t('people_times.table')}</caption>${choice.view === 'day' ? hoursTable(data) : daysTable(data)}</table></div></form>`
}

function legendView(words: Words): Html {
  const item = (name: string, text: string) => html`<li><i class="${name}" aria-hidden="true"></i>${text}</li>`
  return html`<ul role="list" aria-label="${words.t('people_times.legend')}">${item('confirmed', words.t('people_times.confirmed'))}${item('requested', words.t('people_times.requested'))}${item('away', words.t('people_times.away'))}${item('over', words.t('people_times.problems'))}</ul>`
}

function daysTable(data: PeopleData): Html {
  const { words, today, choice, days, rows } = data
  const head = days.map(({ day, start, end }) => {
    const { weekday, day: number, month } = words.dayParts(start)
    const isWeekend = [0, 6].includes(new Date(`${day}T12:00:00Z`).getUTCDay())
    const classes = [day === choice.day && 'chosen', isWeekend && 'weekend', day === today && 'today'].filter(Boolean).join(' ')
    const text = html`<span>${weekday}</span> <b>${number}</b><span class="sr-only"> ${month}</span>`
    const isLink = choice.view === 'month' && day !== choice.day
    return html`<th scope="col" ${attrs({ class: classes || undefined, 'aria-current': day === today && 'date', 'data-day': day, 'data-over': end <= data.now })}>${isLink ? html`<a href="${peopleUrl({ ...choice, day }, today)}">${text}</a>` : text}</th>`
  })
  return html`<thead><tr><th scope="col">${words.t('people_times.person')}</th>${head}</tr></thead>
<tbody>${rows.map((row) => html`<tr id="person-${row.person.id}">${personView(words, row)}${row.cells.map((cell) => cellView(data, row.person.id, cell))}</tr>`)}</tbody>`
}

function personView(words: Words, { person, problem }: PersonRow): Html {
  return html`<th scope="row">${person.name}${problem && html` <span class="pt-over" title="${words.t(`people_times.${problem}_help`)}">${iconView('triangle-alert', { size: 14, title: words.t(`people_times.${problem}`) })}</span>`}</th>`
}

function cellView(data: PeopleData, userId: number, cell: DayCell): Html {
  const { words, now, choice } = data
  const { day, state, places } = cell
  const isChosen = day.day === choice.day
  const hasProblem = worstOf(places) !== undefined
  const classes = `${isChosen ? 'chosen ' : ''}${state}${hasProblem ? ' over' : ''}`
  // A month has thousands of cells and room for a few letters in each: only those of the chosen day are buttons without the script.
  if (choice.view === 'month' && !isChosen) {
    if (state === 'free') return EMPTY_CELL
    return html`<td class="${classes}" title="${cellText(words, cell, data.days)}">${shortView(words, cell)}</td>`
  }
  const content = contentView(words, cell)
  if (day.end <= now) return html`<td class="${classes}"><span class="pt-past">${content}</span></td>`
  return html`<td class="${classes}"><button name="at" value="${userId}.${day.day}">${content}</button></td>`
}

const EMPTY_CELL = html`<td></td>`

const free = new Map<Words, Html>()

function freeView(words: Words): Html {
  let view = free.get(words)
  if (!view) {
    view = html`<i>${words.t('people_times.free')}</i>`
    free.set(words, view)
  }
  return view
}

function contentView(words: Words, { day, state, places, cannot }: DayCell): Html {
  if (state === 'free') return freeView(words)
  return html`${places.map((place) => placeView(words, place, day))}${awayTexts(words, { day, state, cannot }).map((text) => html`<em><b class="pt-mark" aria-hidden="true">–</b><span class="pt-word">${text}</span></em> `)}`
}

const markOf = ({ state, problem }: DayCell['places'][number]): string =>
  `${problem ? '!' : ''}${state === STATE.requested ? '?' : ''}`

function shortView(words: Words, { places }: DayCell): Html {
  if (places.length === 0) return html`<b class="pt-mark">–</b>`
  return html`${places.map((place) => {
    const mark = markOf(place)
    return html`<span class="pt-place">${mark && html`<b class="pt-mark">${mark}</b>`}${place.eventTitle ?? words.t('people_times.busy')}</span>`
  })}`
}

function placeView(words: Words, place: DayCell['places'][number], day: DayCell['day']): Html {
  const isRequested = place.state === STATE.requested
  const title = placeTitle(words, place)
  const times = hoursText(words, place, day)
  if (!isRequested && !place.problem) return html`<span class="pt-place"><small>${times} </small><span>${title}</span></span> `
  return html`<span class="pt-place"><b class="pt-mark" aria-hidden="true">${markOf(place)}</b><small>${times} </small><span>${title}</span>${isRequested && html`<span class="pt-word"> ${words.t('people_times.requested')}</span>`}${place.problem && html`<span class="pt-word pt-problem"> ${words.t(`people_times.${place.problem}`)}</span>`}</span> `
}

function hoursTable(data: PeopleData): Html {
  const { words, now, rows, days } = data
  const day = days[0]!
  const hours = Math.round((day.end.getTime() - day.start.getTime()) / HOUR_MS)
  const startOf = (index: number) => new Date(day.start.getTime() + index * HOUR_MS)
  const endOf = (index: number) => (index === hours ? '24:00' : words.time(startOf(index)))
  const head = Array.from({ length: hours }, (_, index) => html`<th scope="col">${words.time(startOf(index)).slice(0, 2)}</th>`)
  const isOpen = day.end > now
  return html`<thead><tr><th scope="col">${words.t('people_times.person')}</th>${head}</tr></thead>
<tbody>${rows.map((row) => {
    const [cell] = row.cells as [DayCell]
    const parts = splitIntoHours(cell).map(({ from, until, places, isAway }) => {
      const state = places.some((place) => place.state === STATE.confirmed)
        ? 'confirmed'
        : places.length > 0
          ? 'requested'
          : isAway
            ? 'away'
            : 'free'
      const hasProblem = worstOf(places) !== undefined
      const content =
        state === 'free'
          ? freeView(words)
          : state === 'away'
            ? html`<em><span class="pt-word">${words.t('people_times.away')}</span></em>`
            : contentView(words, { ...cell, places, state, cannot: [] })
      const times = html`<small class="pt-hours">${words.time(startOf(from))}–${endOf(until)} </small>`
      return html`<td colspan="${until - from}" class="${state}${hasProblem && ' over'}">${isOpen ? html`<button name="at" value="${row.person.id}.${day.day}">${places.length === 0 && times}${content}</button>` : html`<span class="pt-past">${places.length === 0 && times}${content}</span>`}</td>`
    })
    return html`<tr id="person-${row.person.id}">${personView(words, row)}${parts}</tr>`
  })}</tbody>`
}

const HOUR_MS = 3_600_000
