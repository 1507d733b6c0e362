import { type EventRowData, eventListView } from '#features/events/events/views/event-row.ts'
import { STATE, type State } from '#features/staffing/staffing/rules/model.ts'
import { placesState, staffingState } from '#features/staffing/staffing/views/staffing.ts'
import { shortStateBadge, toStaffing } from '#features/staffing/staffing/views/state.ts'
import { attrs, type Html, html } from '#platform/html/html.ts'
import { addDays, type Day, type Month, spanOfDay, startOfDay, weekFor } from '#platform/i18n/days.ts'
import type { PlainKey, Words } from '#platform/i18n/words.ts'
import { dotView } from '#platform/ui/colour.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { linkButtonView } from '#platform/ui/form.ts'
import { type IconName, iconView } from '#platform/ui/icon.ts'
import { tabsView } from '#platform/ui/tabs.ts'
import { type CalendarDay, type DayEntry, spreadOverDays } from '../rules/calendar.ts'
import type { CalendarShift } from '../rules/summaries.ts'
import { eventFilters, type FilterChoice, filterPath, filtersView, isNarrowed } from './event-filters.ts'
import { periodTabsView } from './event-list.ts'
import { CALENDAR } from './feed-settings.ts'
import { openedText, partnerNotes, shiftPath, shiftTitle, typeOf } from './list-items.ts'

export type CalendarData = {
  words: Words
  now: Date
  choice: FilterChoice
  types: readonly { id: number; title: string }[]
  isPlanner: boolean
  /** What the reader can do with a month. */
  actions: readonly { href: (month: string) => string; label: PlainKey; icon: IconName }[]
  hasPartners: boolean
  shifts: readonly CalendarShift[]
  /** There are more shifts than are shown. */
  isTruncated: boolean
}

const PATH = '/events/calendar/'
const MAX_PER_DAY = 5

/** The calendar of a month, a week or a day, with the same filters. */
const calendarPath = (choice: FilterChoice, at: { month?: string; week?: Day; day?: Day }): string =>
  filterPath({ path: PATH, more: at }, choice)

const isOwn = ({ own }: CalendarShift): boolean => own === STATE.confirmed || own === STATE.requested

export function monthPageView(data: CalendarData & { month: Month }): Html {
  const { words, now, choice, month, shifts } = data
  const today = words.inputDate(now)
  const days = month.days.map((day) => spanOfDay(day, words.timeZone))
  const spread = spreadOverDays(shifts, days, { most: MAX_PER_DAY, matters: isOwn })
  const to = (name: string) => calendarPath(choice, { month: name })
  const isThisMonth = month.name === today.slice(0, 7)
  // Phones list the days below each other: the current month begins today, and earlier days are one tap away.
  const isFolded = isThisMonth && spread.some(({ day, entries }) => day < today && entries.length > 0)
  const title = words.month(spread[0]!.start)
  const actions = data.actions.map(({ href, label, icon }) =>
    linkButtonView({ href: href(month.name), label: words.t(label), icon }),
  )
  return html`${headView(data, {
    title,
    view: 'month',
    day: isThisMonth ? today : month.days[0]!,
    more: { month: isThisMonth ? undefined : month.name },
    steps: {
      label: words.t('find.month_nav'),
      previous: { href: to(month.previous), label: words.t('find.previous_month') },
      today: { href: calendarPath(choice, {}), isCurrent: isThisMonth },
      next: { href: to(month.next), label: words.t('find.next_month') },
    },
  })}
<div class="month" role="group" aria-label="${title}">${weekdaysView(words)}
${isFolded && html`<a class="earlier" href="#all-days">${iconView('history', { size: 18 })}${words.t('find.earlier_days')}</a>`}
<ol ${attrs({ class: isFolded ? 'days from-today' : 'days', id: 'all-days', role: 'list' })}>${spread.map((day, index) => dayView(data, day, { today, gap: index === 0 ? month.gap : 0 }))}</ol></div>
${!shifts.length && noneView(data, words.t('find.no_shifts'))}${footView(data, actions)}`
}

/** All shifts of seven days, also of those that are over. */
export function weekPageView(data: CalendarData & { week: readonly Day[] }): Html {
  const { words, now, choice, week, shifts } = data
  const today = words.inputDate(now)
  const first = week[0]!
  const spread = spreadOverDays(
    shifts,
    week.map((day) => spanOfDay(day, words.timeZone)),
    { most: shifts.length, matters: isOwn },
  )
  const to = (day: Day) => calendarPath(choice, { week: day })
  const title = words.dates(spread[0]!.start, spread.at(-1)!.start)
  return html`${headView(data, {
    title,
    view: 'week',
    day: week.includes(today) ? today : first,
    more: { week: first },
    steps: {
      label: words.t('find.week_nav'),
      previous: { href: to(addDays(first, -7)), label: words.t('find.previous_week') },
      today: { href: to(today), isCurrent: week.includes(today) },
      next: { href: to(addDays(first, 7)), label: words.t('find.next_week') },
    },
  })}
<div class="month week" role="group" aria-label="${title}">${weekdaysView(words)}
<ol class="days" role="list">${spread.map((day) => dayView(data, day, { today, gap: 0 }))}</ol></div>
${!shifts.length && noneView(data, words.t('find.no_shifts_that_week'))}${footView(data)}`
}

export function dayPageView(data: CalendarData & { day: Day }): Html {
  const { words, now, choice, day, shifts, isPlanner } = data
  const start = startOfDay(day, words.timeZone)
  const to = (other: Day) => calendarPath(choice, { day: other })
  const today = words.inputDate(now)
  return html`${headView(data, {
    title: words.date(start),
    view: 'day',
    day,
    more: { day },
    steps: {
      label: words.t('find.day_nav'),
      previous: { href: to(addDays(day, -1)), label: words.t('find.previous_day') },
      today: { href: to(today), isCurrent: day === today },
      next: { href: to(addDays(day, 1)), label: words.t('find.next_day') },
    },
  })}
${
  shifts.length
    ? eventListView({
        words,
        now,
        events: shifts.map((shift) => {
          const isCancelled = shift.cancellationReason !== null
          const isOver = shift.end < now || isCancelled
          return {
            href: shiftPath(shift),
            title: shiftTitle(shift),
            start: shift.start,
            end: shift.end,
            location: shift.location,
            type: typeOf(shift),
            past: isOver,
            ...(isOver || shift.partner ? {} : staffingOf(words, shift, isPlanner)),
            own: shortStateBadge(words, shift.own ?? undefined, isOver),
            notes: isCancelled
              ? [{ tone: 'bad' as const, text: words.t('event.cancelled') }]
              : partnerNotes(words, shift.partner),
            remark: shift.cancellationReason ?? undefined,
            about: openedText(words, shift.partner),
          }
        }),
      })
    : noneView(data, words.t('find.no_shifts_that_day'))
}${footView(data)}`
}

const VIEWS = ['month', 'week', 'day'] as const
type View = (typeof VIEWS)[number]
type Step = { href: string; label: string }
type Head = {
  title: string
  view: View
  /** Where the other views begin. */
  day: Day
  /** What the filters keep in the address. */
  more: Record<string, string | undefined>
  steps: { label: string; previous: Step; today: { href: string; isCurrent: boolean }; next: Step }
}

/** Two lines on a phone: the period with its neighbours, and the views with the filter. */
function headView(data: CalendarData, { title, view, day, more, steps: { label, previous, today, next } }: Head): Html {
  const { words, choice, types, isPlanner, hasPartners } = data
  const hrefs: Record<View, string> = {
    month: calendarPath(choice, { month: day.slice(0, 7) }),
    week: calendarPath(choice, { week: day }),
    day: calendarPath(choice, { day }),
  }
  const tabs = VIEWS.map((each) => ({ href: hrefs[each], label: words.t(`find.view_${each}`), current: each === view }))
  return html`<div class="calendar-lists">${periodTabsView(words, 'calendar', choice)}</div>
<header class="calendar-head"><h1>${title}</h1><nav class="month-nav" aria-label="${label}">${stepView(previous, 'chevron-left', 'prev')}${linkButtonView({ href: today.href, label: words.t('find.today'), kind: 'secondary', attributes: { 'aria-current': today.isCurrent && 'date' } })}${stepView(next, 'chevron-right', 'next')}</nav></header>
<div class="calendar-tools">${tabsView({ label: words.t('find.view'), tabs })}${filtersView({ words, choice, types, hasPartners, ...eventFilters({ isPlanner }), list: { path: PATH, more }, hasDates: false })}</div>
${truncatedView(data)}`
}

const stepView = ({ href, label }: Step, icon: IconName, rel: string): Html =>
  html`<a class="button icon-only secondary" rel="${rel}" href="${href}">${iconView(icon, { title: label })}</a>`

const weekdaysView = (words: Words): Html =>
  html`<div class="weekdays" aria-hidden="true">${weekFor(words.language).map((day) => html`<span>${words.dayParts(noon(day)).weekday}</span>`)}</div>`

const footView = ({ words, shifts }: CalendarData, actions: readonly Html[] = []): Html =>
  html`<p class="calendar-foot"><span class="muted">${words.t('find.shift_count', { count: shifts.length })}</span>${actions}${linkButtonView({ href: CALENDAR, label: words.t('settings.calendar'), kind: 'quiet', icon: 'calendar-days' })}</p>`

function truncatedView({ words, isTruncated }: CalendarData): Html | false {
  return isTruncated && html`<p class="side-note">${iconView('info', { size: 16 })}<span>${words.t('find.truncated')}</span></p>`
}

function noneView({ words, choice }: CalendarData, text: string): Html {
  const action = isNarrowed(choice) && linkButtonView({ href: PATH, label: words.t('event.see_all') })
  return emptyView({ icon: 'calendar-off', text, action })
}

/** Noon UTC is on the same day in nearly every time zone. */
const noon = (day: Day): Date => new Date(`${day}T12:00:00Z`)

function dayView(
  data: CalendarData,
  { day, start, entries, hidden }: CalendarDay<CalendarShift>,
  at: { today: Day; gap: number },
) {
  const { words, choice } = data
  const isToday = day === at.today
  const { weekday, day: number, month } = words.dayParts(start)
  const href = calendarPath(choice, { day })
  const classes = [
    'day',
    at.gap > 0 && `gap-${at.gap}`,
    isToday && 'today',
    day < at.today && 'over',
    !entries.length && 'bare-day',
  ]
  return html`<li class="${classes.filter(Boolean).join(' ')}"><h2 class="day-head"><a href="${href}" ${attrs({ 'aria-current': isToday && 'date' })}><span class="day-name">${weekday} </span><b>${number}</b><span class="day-name"> ${month}</span>${isToday && html`<span class="sr-only"> ${words.t('find.today_is')}</span>`}</a></h2>
${entries.length > 0 && html`<ul class="day-shifts" role="list">${entries.map((entry) => entryView(data, entry))}</ul>`}
${isToday && !entries.length && html`<p class="day-none">${words.t('find.nothing_today')}</p>`}${hidden > 0 && html`<a class="day-more" href="${href}"><span aria-hidden="true">${words.t('find.more_shifts', { count: hidden })}</span><span class="sr-only">${words.t('find.more_on', { count: hidden, day: words.day(start) })}</span></a>`}</li>`
}

const ICONS: Partial<Record<State, IconName>> = { 0: 'hourglass', 1: 'check', 2: 'x', 3: 'circle-x' }

/** Staffing for those who plan, else the places that are left. Who is in reads about that alone. */
const staffingOf = (words: Words, shift: CalendarShift, isPlanner: boolean): Pick<EventRowData, 'staffing' | 'places'> => {
  if (isPlanner) return { staffing: toStaffing(shift) }
  return shift.own === STATE.confirmed ? {} : { places: placesState(words, toStaffing(shift)) }
}

function entryView({ words, now, isPlanner }: CalendarData, { item, part }: DayEntry<CalendarShift>): Html {
  const { start, end, own, typeTitle, typeColor, cancellationReason, partner } = item
  const isCancelled = cancellationReason !== null
  const isOver = end < now || isCancelled
  const staffing = isOver || partner || !isPlanner ? undefined : staffingState(words, toStaffing(item))
  const badge = shortStateBadge(words, own ?? undefined, isOver)
  const time = {
    starts: () => words.time(start),
    ends: () => words.t('find.to_time', { time: words.time(end) }),
    whole: () => words.t('find.all_day'),
  }[part]()
  const opened = openedText(words, partner)
  const icon = own === null ? undefined : ICONS[own]
  const classes = [
    'day-shift',
    part !== 'starts' && 'goes-on',
    isCancelled && 'off',
    own === STATE.confirmed && 'mine',
    own === STATE.requested && 'requested',
  ]
  return html`<li><a class="${classes.filter(Boolean).join(' ')}" href="${shiftPath(item)}" title="${words.span(start, end)} · ${shiftTitle(item)}${partner && ` · ${partner.host}`}${opened && ` · ${opened}`}">${dotView(typeColor, typeTitle)}<span class="day-time">${time}</span> <span class="day-title"><span class="day-event">${item.eventTitle}</span>${item.label && html`<span class="day-label"><span class="day-comma">, </span>${item.label}</span>`}</span>${partner && html` <span class="day-note day-host tone-info">${words.t('external.at', { host: partner.host })}</span>`}${opened && html`<span class="sr-only"> ${opened}</span>`}${
    badge &&
    html` <span class="day-own tone-${badge.tone}">${icon && iconView(icon, { size: 14 })}<span class="sr-only">${words.t('ui.you', { state: badge.text })}</span></span>`
  }${isCancelled ? html` <span class="day-note tone-bad">${words.t('event.cancelled')}</span>` : staffing?.tone === 'bad' && html` <span class="day-note tone-bad">${staffing.text}</span>`}</a></li>`
}
