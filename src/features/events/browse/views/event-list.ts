import { eventListView } from '#features/events/events/views/event-row.ts'
import { BIN, NEW_EVENT } from '#features/planning/planning/views/editor.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { Day } from '#platform/i18n/days.ts'
import type { Words } from '#platform/i18n/words.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { linkButtonView } from '#platform/ui/form.ts'
import { iconView } from '#platform/ui/icon.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { pagerView } from '#platform/ui/pager.ts'
import { tabsView } from '#platform/ui/tabs.ts'
import type { EventSummary } from '../rules/summaries.ts'
import { eventFilters, type FilterChoice, filterPath, filtersView, isNarrowed, NO_FILTER } from './event-filters.ts'
import { EXTERNAL } from './external.ts'
import { eventRow } from './list-items.ts'

export type EventListQuery = { when: 'coming' | 'past'; page: number; choice: FilterChoice }

type EventListData = {
  words: Words
  now: Date
  query: EventListQuery
  types: readonly { id: number; title: string }[]
  isPlanner: boolean
  hasPartners: boolean
  mayAdd: boolean
  mayRestore: boolean
  count: number
  /** There are more than `count`. */
  hasMore: boolean
  pageSize: number
  events: readonly EventSummary[]
  /** The search for fitting events stopped at a limit; it continues from this day. */
  continueFrom: Day | undefined
}

const PATH = '/events/'
const CALENDAR = '/events/calendar/'

export function eventListPath({ when, page, choice = NO_FILTER }: Partial<EventListQuery>): string {
  const more = { when: when === 'past' ? when : undefined, page: page !== undefined && page > 1 ? page : undefined }
  return filterPath({ path: PATH, more }, choice)
}

/** Tabs for upcoming events, past events and the calendar; they keep the filters. */
export function periodTabsView(words: Words, current: 'coming' | 'past' | 'calendar', choice: FilterChoice): Html {
  const list = (when: 'coming' | 'past') => ({
    href: eventListPath({ when, choice }),
    label: words.t(`event.${when}`),
    current: when === current,
  })
  const calendar = {
    href: filterPath({ path: CALENDAR }, { ...choice, from: undefined, until: undefined }),
    label: words.t('find.as_calendar'),
    current: current === 'calendar',
  }
  return tabsView({ label: words.t('event.period'), tabs: [list('coming'), list('past'), calendar] })
}

export function eventListPageView(data: EventListData): Html {
  const { words, query, count, hasMore, pageSize, continueFrom, types, isPlanner, hasPartners } = data
  const { when, choice } = query
  const list = { path: PATH, more: { when: when === 'past' ? when : undefined } }
  return html`${pageHeadView({ title: words.t('event.list'), facts: words.t(hasMore ? 'event.list_count_more' : 'event.list_count', { count }), actions: [data.mayAdd && newEventButton(words)] })}
${periodTabsView(words, when, choice)}
${filtersView({ words, choice, list, types, hasPartners, ...eventFilters({ isPlanner, isPast: when === 'past' }), hasDates: true })}
${data.events.length ? monthsView(data) : noneView(data)}
${data.events.length > 0 && pagerView({ words, page: query.page, pageSize, total: count, hasMore, href: (page) => eventListPath({ ...query, page }) })}
${continueFrom && html`<p class="look-on">${iconView('info', { size: 18 })}<span>${words.t('find.searched_until', { day: words.date(new Date(`${continueFrom}T12:00:00Z`)) })}</span> <a href="${eventListPath({ when, choice: { ...choice, from: continueFrom } })}">${words.t('find.search_on')}</a></p>`}
${(hasPartners || data.mayRestore) && html`<p class="list-foot">${hasPartners && linkButtonView({ href: EXTERNAL, label: words.t('external.title'), kind: 'quiet', icon: 'globe', small: true })}${data.mayRestore && linkButtonView({ href: BIN, label: words.t('plan.bin'), kind: 'quiet', icon: 'trash-2', small: true })}</p>`}`
}

const newEventButton = (words: Words): Html =>
  linkButtonView({ href: NEW_EVENT, label: words.t('plan.new'), kind: 'primary', icon: 'calendar-plus' })

function monthsView({ words, now, events, isPlanner }: EventListData): Html[] {
  const months = Map.groupBy(events, ({ start }) => words.month(start))
  return [...months].map(([heading, inMonth]) =>
    eventListView({ words, now, heading, events: inMonth.map((event) => eventRow(words, now, event, { isPlanner })) }),
  )
}

function noneView({ words, query, count }: EventListData): Html {
  const link = (href: string, label: string) => linkButtonView({ href, label })
  if (count > 0 || isNarrowed(query.choice)) {
    const action = link(eventListPath({ when: query.when }), words.t('event.see_all'))
    return emptyView({ icon: 'search-x', text: words.t('event.none_found'), action })
  }
  return query.when === 'coming'
    ? emptyView({
        icon: 'calendar-off',
        text: words.t('event.none_coming'),
        action: link(eventListPath({ when: 'past' }), words.t('event.see_past')),
      })
    : emptyView({
        icon: 'history',
        text: words.t('event.none_past'),
        action: link(eventListPath({}), words.t('event.see_coming')),
      })
}
