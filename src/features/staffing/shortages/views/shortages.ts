import type { EventOfShift, Shift, TypeOfEvent } from '#features/events/events/rules/shifts.ts'
import { eventPath } from '#features/events/events/rules/slug.ts'
import { askPath, boardPath, peoplePath } from '#features/staffing/disposition/rules/paths.ts'
import type { Forecast } from '#features/staffing/forecast/rules/pickup.ts'
import { forecastView } from '#features/staffing/forecast/views.ts'
import type { Shortage } from '#features/staffing/staffing/rules/coverage.ts'
import type { ReasonContext } from '#features/staffing/staffing/rules/model.ts'
import { missingLines } from '#features/staffing/staffing/views/explanations.ts'
import { staffedText, staffingBadgeView } from '#features/staffing/staffing/views/staffing.ts'
import { toStaffing } from '#features/staffing/staffing/views/state.ts'
import { attrs, type Child, type Html, html } from '#platform/html/html.ts'
import { addDays, type Day } from '#platform/i18n/days.ts'
import { hasFaults } from '#platform/i18n/filter-days.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView, type Tone } from '#platform/ui/badge.ts'
import { dotView } from '#platform/ui/colour.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { filterDayField, hiddenField, selectField } from '#platform/ui/fields.ts'
import { filterFormView, linkButtonView } from '#platform/ui/form.ts'
import { type IconName, iconView } from '#platform/ui/icon.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { pagerView } from '#platform/ui/pager.ts'
import { tableView } from '#platform/ui/table.ts'
import { PLANNING, type ShortageChoice, shortagePath, USUAL_DAYS } from '../rules/choice.ts'
import { judgeUrgency, SORTS, type UrgencyReason } from '../rules/urgency.ts'

type ShortShift = Shift &
  EventOfShift &
  TypeOfEvent & {
    lacking: number
    closesAt: Date | undefined
    opensAt: Date | null
    isSelfService: boolean
    forecast: Forecast | null
  }

/** The shift of an event that needs people most. */
type ShortageRow = ShortShift & {
  others: readonly ShortShift[]
  shortages: readonly Shortage[]
  candidates: { count: number; more: 'yes' | 'maybe' | undefined }
  asked: { open: number; cannot: number }
  trend: { signedUp: number; declined: number }
}

type ShortagePageData = ReasonContext & {
  today: Day
  choice: ShortageChoice
  options: {
    types: readonly { id: number; title: string }[]
    groups: readonly { id: number; title: string }[]
    places: readonly string[]
  }
  /** Of shifts. */
  count: number
  eventCount: number
  pageSize: number
  /** There are more short shifts in the period than are considered. */
  isCut: boolean
  /** What features add. */
  actions: readonly { href: string; label: string; icon: IconName }[]
  /** People can be asked. */
  canAsk: boolean
  /** Plans an event that has not ended. */
  isPlanner: boolean
  /** Adds events, so they can copy a month. */
  mayCopy: boolean
  rows: readonly ShortageRow[]
}

const dayText = (words: Words, day: Day): string => words.day(new Date(`${day}T12:00:00Z`))

export function shortagesView(data: ShortagePageData): Html {
  const { words, choice, count, eventCount, pageSize, isCut, today, rows } = data
  const period = { from: dayText(words, choice.from), until: dayText(words, choice.until) }
  const facts = count > 0 ? words.t('shortages.facts', { count, ...period }) : words.t('shortages.facts_none', period)
  return html`${pageHeadView({ title: words.t('shortages.title'), facts })}
<div class="shortages-bar">${filtersView(data)}${moreView(data)}</div>
${isCut && html`<p class="look-on">${iconView('info', { size: 18 })}<span>${words.t('shortages.cut', { count })}</span></p>`}
${rows.length ? html`<div class="shortages">${tableOf(data)}</div>` : noneView(data)}
${rows.length > 0 && pagerView({ words, page: choice.page, pageSize, total: eventCount, href: (page) => shortagePath({ ...choice, page }, today) })}
${rows.length > 0 && html`<p class="muted shortages-help">${words.t('shortages.sort_help')}</p>`}`
}

/** Other pages for those who plan. Not above the list, which is what they come for. */
function moreView({ words, isPlanner, mayCopy, actions }: ShortagePageData): Html | false {
  const people = { href: peoplePath(), label: words.t('shortages.people_by_day'), icon: 'users' as const }
  const copy = { href: '/planning/copy-month/', label: words.t('shortages.copy_month'), icon: 'copy' as const }
  const links = [...(isPlanner ? [people] : []), ...actions, ...(mayCopy ? [copy] : [])]
  if (!links.length) return false
  return html`<details class="menu shortages-more"><summary class="button secondary">${iconView('ellipsis', { size: 20 })}<span>${words.t('shortages.more')}</span></summary><ul class="menu-list" role="list">${links.map(({ href, label, icon }) => html`<li><a class="menu-item" href="${href}">${iconView(icon)}<span>${label}</span></a></li>`)}</ul></details>`
}

/** One control that says what is set; everything else unfolds. */
function filtersView(data: ShortagePageData): Html {
  const { words, choice, options, today } = data
  const chosen = { ...choice, from: today, until: addDays(today, USUAL_DAYS - 1), sort: 'urgency' as const, page: 1 }
  const isNarrowed = shortagePath({ ...choice, sort: 'urgency', page: 1 }, today) !== PLANNING
  const named = (list: readonly { id: number; title: string }[]) => list.map(({ id, title }) => ({ value: id, label: title }))
  const chosenTexts = describeChoice(data)
  const label = chosenTexts.length
    ? words.t('shortages.filter_set', { filters: chosenTexts.join(' · ') })
    : words.t('shortages.filter_fold')
  const form = filterFormView({
    action: PLANNING,
    submit: words.t('shortages.filter'),
    reset: isNarrowed
      ? {
          href: shortagePath({ ...chosen, type: undefined, group: undefined, place: undefined }, today),
          label: words.t('shortages.see_all'),
        }
      : undefined,
    fields: html`${choice.sort !== 'urgency' && hiddenField('sort', choice.sort)}
${filterDayField({ words, name: 'from', label: words.t('shortages.from'), value: choice.from, faults: choice.faults })}
${filterDayField({ words, name: 'until', label: words.t('shortages.until'), value: choice.until, faults: choice.faults })}
${selectField({ words, name: 'type', label: words.t('shortages.type'), value: choice.type ?? '', options: named(options.types), placeholder: words.t('shortages.any_type') })}
${selectField({ words, name: 'group', label: words.t('shortages.group'), value: choice.group ?? '', options: named(options.groups), placeholder: words.t('shortages.any_group') })}
${selectField({ words, name: 'place', label: words.t('shortages.place'), value: choice.place ?? '', options: options.places.map((place) => ({ value: place, label: place })), placeholder: words.t('shortages.any_place') })}`,
  })
  return html`<search class="finder"><details class="finder-fold" ${attrs({ open: hasFaults(choice.faults) })}><summary class="button secondary${chosenTexts.length > 0 && ' on'}">${iconView('list-filter', { size: 18 })}<span>${label}</span>${iconView('chevron-down', { size: 18 })}</summary>${sortView(data)}${form}</details></search>`
}

/** What differs from the usual list, in words. */
function describeChoice({ words, choice, options, today }: ShortagePageData): string[] {
  const titleOf = (list: readonly { id: number; title: string }[], id: number | undefined) =>
    list.find((each) => each.id === id)?.title
  const isUsual = choice.from === today && choice.until === addDays(today, USUAL_DAYS - 1)
  return [
    choice.sort === 'urgency' ? undefined : words.t('shortages.sorted', { by: words.t(`shortages.sort_${choice.sort}`) }),
    isUsual ? undefined : words.t('shortages.period', { from: dayText(words, choice.from), until: dayText(words, choice.until) }),
    titleOf(options.types, choice.type),
    titleOf(options.groups, choice.group),
    choice.place,
  ].filter((text) => text !== undefined)
}

function sortView({ words, choice, today }: ShortagePageData): Html {
  return html`<nav class="pills" aria-label="${words.t('shortages.sort')}"><span class="muted" aria-hidden="true">${words.t('shortages.sort')}</span>${SORTS.map(
    (sort) => {
      const isOn = sort === choice.sort
      return html`<a class="pill${isOn && ' on'}" href="${shortagePath({ ...choice, sort, page: 1 }, today)}" ${attrs({ 'aria-current': isOn && 'true' })}>${isOn && iconView('check', { size: 16 })}${words.t(`shortages.sort_${sort}`)}</a>`
    },
  )}</nav>`
}

const shiftHref = ({ id, eventId, eventTitle }: ShortShift): string => `${eventPath(eventId, eventTitle)}#shift-${id}`

function tableOf(data: ShortagePageData): Html {
  const { words, now, rows } = data
  return tableView<ShortageRow>({
    caption: words.t('shortages.table'),
    rows,
    below: (row) => othersView(data, row),
    columns: [
      { label: words.t('shortages.shift'), main: true, cell: (row) => shiftCell(data, row) },
      { label: words.t('shortages.missing'), cell: (row) => missingCell(data, row) },
      { label: words.t('shortages.people'), cell: (row) => peopleCell(words, row) },
      { label: words.t('shortages.trend'), cell: (row) => trendCell(words, row) },
      { label: words.t('shortages.deadline'), cell: (row) => deadlineText(words, row, now) },
      {
        label: words.t('shortages.actions'),
        actions: true,
        cell: (row) => {
          const about = `${row.eventTitle}, ${words.span(row.start, row.end, now)}`
          const button = (href: string, label: string, icon: IconName) =>
            linkButtonView({
              href,
              label,
              kind: 'secondary',
              icon,
              small: true,
              attributes: { 'aria-label': `${label}: ${about}` },
            })
          return html`${data.canAsk && row.isSelfService && button(askPath(row.id), words.t('shortages.ask'), 'send')} ${button(boardPath(row.id), words.t('shortages.board'), 'list-checks')}`
        },
      },
    ],
  })
}

/** The other shifts of the event: which, when and how many people are missing; all else is on the page of the event. */
function othersView({ words, now, canAsk }: ShortagePageData, { others }: ShortageRow): Html | false {
  if (!others.length) return false
  const missing = others.reduce((sum, { lacking }) => sum + lacking, 0)
  const item = (shift: ShortShift) => {
    const when = words.span(shift.start, shift.end, now)
    const about = [when, shift.label].filter(Boolean).join(', ')
    return html`<li><span class="shortage-time">${when}</span><a href="${shiftHref(shift)}">${shift.label || words.t('shortages.shift')}</a>${badgeView({ tone: 'bad', text: words.t('ui.missing_count', { count: shift.lacking }) })}${canAsk && shift.isSelfService && html`<a class="shortage-ask" href="${askPath(shift.id)}" aria-label="${words.t('shortages.ask')}: ${about}">${words.t('shortages.ask')}</a>`}</li>`
  }
  return html`<details class="shortage-others"><summary>${iconView('chevron-down', { size: 18 })}<span>${words.t('shortages.others', { count: others.length })}</span>${badgeView({ tone: 'bad', text: words.t('ui.missing_count', { count: missing }) })}</summary><ul role="list">${others.map(item)}</ul></details>`
}

const TONES: Record<UrgencyReason, Tone> = {
  running: 'bad',
  starts_soon: 'bad',
  closes_soon: 'warn',
  closed: 'warn',
  half_missing: 'warn',
  stays_short: 'warn',
  this_week: 'info',
  later: 'quiet',
}

function shiftCell({ words, now }: ShortagePageData, row: ShortageRow): Html {
  const reason = judgeUrgency(row, now)
  const when = words.relative(reason === 'closes_soon' ? row.closesAt! : row.start, now)
  return html`<span class="shortage-time">${words.span(row.start, row.end, now)}</span>
<a href="${shiftHref(row)}">${row.eventTitle}${row.label && html`, ${row.label}`}</a>
<small class="shortage-facts">${row.location && html`<span>${row.location}</span>`}<span class="event-type">${dotView(row.typeColor)}${row.typeTitle}</span></small>
${badgeView({ tone: TONES[reason], text: words.t(`shortages.urgency.${reason}`, { when }), icon: 'clock' })}`
}

function missingCell(data: ShortagePageData, row: ShortageRow): Html {
  const { words } = data
  const lines = missingLines(data, row.shortages)
  const staffing = toStaffing(row)
  return html`<div class="shortage-missing">${staffingBadgeView({ words, staffing })}${lines.length > 0 && html`<ul role="list">${lines.map((line) => html`<li>${line}</li>`)}</ul>`}<small class="muted">${staffedText(words, staffing)}</small>${forecastPart(words, row)}</div>`
}

function forecastPart(words: Words, { forecast, confirmedCount, requestedCount, minCount }: ShortageRow): Html | false {
  if (!forecast?.staysShort || !minCount) return false
  return forecastView(words, forecast, { needed: minCount, taken: confirmedCount + requestedCount })
}

function peopleCell(words: Words, { id, candidates: { count, more }, asked, requestedCount }: ShortageRow): Html {
  const text =
    count === 0 && !more
      ? words.t('shortages.free_none')
      : words.t(more === 'yes' ? 'shortages.free_more' : more ? 'shortages.free_at_least' : 'shortages.free', { count })
  return html`<div class="shortage-people"><span title="${words.t('shortages.people_title')}">${text}</span>${requestedCount > 0 && html`<a href="${boardPath(id)}">${words.t('shortages.requested', { count: requestedCount })}</a>`}${asked.open > 0 && html`<a href="${askPath(id)}">${words.t('shortages.asked', { count: asked.open })}</a>`}${asked.cannot > 0 && html`<small class="muted">${words.t('shortages.cannot', { count: asked.cannot })}</small>`}</div>`
}

function trendCell(words: Words, { trend: { signedUp, declined } }: ShortageRow): Html {
  const title = words.t('shortages.trend_title')
  if (!signedUp && !declined)
    return html`<span class="muted trend-none" title="${title}">${words.t('shortages.trend_none')}</span>`
  const part = (shown: string, spoken: string): Child =>
    html`<span aria-hidden="true">${shown}</span><span class="sr-only">${spoken}</span> `
  return html`<span class="shortage-trend" title="${title}">${signedUp > 0 && part(words.t('shortages.trend_up', { count: words.number(signedUp) }), words.t('shortages.trend_up_text', { count: signedUp }))}${declined > 0 && part(words.t('shortages.trend_down', { count: words.number(declined) }), words.t('shortages.trend_down_text', { count: declined }))}</span>`
}

function deadlineText(words: Words, { isSelfService, closesAt, opensAt }: ShortageRow, now: Date): string {
  if (!isSelfService || !closesAt) return words.t('shortages.assigned')
  if (opensAt && opensAt > now) return words.t('shortages.opens', { when: words.relative(opensAt, now) })
  return words.t(closesAt <= now ? 'shortages.closed' : 'shortages.closes', { when: words.relative(closesAt, now) })
}

function noneView({ words, choice, today, isPlanner }: ShortagePageData): Html {
  if (!isPlanner)
    return emptyView({
      icon: 'users',
      text: words.t('shortages.none_planned'),
      action: linkButtonView({ href: '/events/', label: words.t('shortages.see_events') }),
    })
  if (choice.type !== undefined || choice.group !== undefined || choice.place !== undefined) {
    const href = shortagePath({ ...choice, type: undefined, group: undefined, place: undefined, page: 1 }, today)
    return emptyView({
      icon: 'search-x',
      text: words.t('shortages.none_filtered'),
      action: linkButtonView({ href, label: words.t('shortages.see_all') }),
    })
  }
  const href = shortagePath({ ...choice, until: addDays(choice.until, 4 * 7), page: 1 }, today)
  return emptyView({
    icon: 'circle-check',
    text: words.t('shortages.none'),
    action: linkButtonView({ href, label: words.t('shortages.see_longer') }),
  })
}
