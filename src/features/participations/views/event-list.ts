import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { eventListView } from '#platform/ui/event-row.ts'
import { hiddenField, selectField, textField } from '#platform/ui/fields.ts'
import { filterFormView, linkButtonView } from '#platform/ui/form.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { pagerView } from '#platform/ui/pager.ts'
import { tabsView } from '#platform/ui/tabs.ts'
import { type EventLine, eventRowOf } from './rows.ts'

export type EventListQuery = { when: 'coming' | 'past'; q: string; type: number | undefined; page: number }

export type EventListData = {
  words: Words
  now: Date
  query: EventListQuery
  types: readonly { id: number; title: string }[]
  count: number
  pageSize: number
  events: readonly EventLine[]
}

const PATH = '/events/'

/** Everything that is chosen stands in the address; what is not chosen does not. */
export function eventListPath({ when, q, type, page }: Partial<EventListQuery>): string {
  const query = new URLSearchParams()
  if (when === 'past') query.set('when', 'past')
  if (q) query.set('q', q)
  if (type !== undefined) query.set('type', String(type))
  if (page !== undefined && page > 1) query.set('page', String(page))
  return query.size ? `${PATH}?${query}` : PATH
}

export function eventListPageView(data: EventListData): Html {
  const { words, query, count, pageSize } = data
  return html`${pageHeadView({ title: words.t('event.list'), facts: words.t('event.listCount', { count }) })}
${tabsView({
  label: words.t('event.period'),
  tabs: (['coming', 'past'] as const).map((when) => ({
    href: eventListPath({ ...query, when, page: 1 }),
    label: words.t(`event.${when}`),
    current: query.when === when,
  })),
})}
${filtersView(data)}
${data.events.length ? monthsView(data) : noneView(data)}
${data.events.length > 0 && pagerView({ words, page: query.page, pageSize, total: count, href: (page) => eventListPath({ ...query, page }) })}`
}

const isNarrowed = ({ q, type }: EventListQuery): boolean => q !== '' || type !== undefined

function filtersView({ words, query, types }: EventListData): Html {
  const collator = new Intl.Collator(words.language)
  const options = types.map(({ id, title }) => ({ value: id, label: title })).sort((a, b) => collator.compare(a.label, b.label))
  const attributes = { placeholder: words.t('event.searchHint'), maxlength: 200 }
  return filterFormView({
    action: PATH,
    submit: words.t('event.filter'),
    fields: [
      query.when === 'past' && hiddenField('when', 'past'),
      textField({ words, type: 'search', name: 'q', label: words.t('event.search'), value: query.q, attributes }),
      selectField({
        ...{ words, name: 'type', label: words.t('event.type'), value: query.type ?? '', options },
        placeholder: words.t('event.anyType'),
      }),
    ],
    reset: isNarrowed(query) ? { href: eventListPath({ when: query.when }), label: words.t('event.reset') } : undefined,
  })
}

function monthsView({ words, now, events }: EventListData): Html[] {
  const months = Map.groupBy(events, ({ start }) => words.month(start))
  return [...months].map(([heading, inMonth]) =>
    eventListView({ words, now, heading, events: inMonth.map((event) => eventRowOf(words, now, event)) }),
  )
}

function noneView({ words, query, count }: EventListData): Html {
  const link = (href: string, label: string) => linkButtonView({ href, label })
  if (count > 0 || isNarrowed(query)) {
    const action = link(eventListPath({ when: query.when }), words.t('event.seeAll'))
    return emptyView({ icon: 'search-x', text: words.t('event.noneFound'), action })
  }
  return query.when === 'coming'
    ? emptyView({
        ...{ icon: 'calendar-off', text: words.t('event.noneComing') },
        action: link(eventListPath({ when: 'past' }), words.t('event.seePast')),
      })
    : emptyView({
        ...{ icon: 'history', text: words.t('event.nonePast') },
        action: link(eventListPath({}), words.t('event.seeComing')),
      })
}
