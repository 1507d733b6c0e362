import { signedIn } from '#platform/http/access.ts'
import { viewPage } from '#platform/http/page.ts'
import { findEventsShown, findEventTypes } from '../queries/events-shown.ts'
import { type EventListQuery, eventListPageView, eventListPath } from '../views/event-list.ts'
import { eventLineOf } from './lines.ts'

const PAGE_SIZE = 50
const LONGEST_SEARCH = 200
const MOST_TERMS = 10
const MOST_PAGES = 1_000_000

export const eventListPage = viewPage({
  path: '/events/',
  access: signedIn,
  show: async ({ ask, query: raw }) => {
    const { words, now } = ask
    const query = readQuery(raw)
    const filter = { when: query.when, terms: termsOf(query.q), typeId: query.type }
    const [{ count, events }, types] = await Promise.all([
      findEventsShown(ask, filter, { limit: PAGE_SIZE, offset: (query.page - 1) * PAGE_SIZE }),
      findEventTypes(ask),
    ])
    // The list may have become shorter since its pager was drawn.
    if (!events.length && count > 0) return { redirect: eventListPath({ ...query, page: Math.ceil(count / PAGE_SIZE) }) }
    const main = eventListPageView({ words, now, query, types, count, pageSize: PAGE_SIZE, events: events.map(eventLineOf) })
    return { title: words.t('event.list'), main }
  },
})

/** People edit addresses by hand; what cannot be understood is as good as absent. */
function readQuery(raw: URLSearchParams): EventListQuery {
  const whole = (name: string, most: number) => {
    const text = raw.get(name) ?? ''
    return /^\d{1,15}$/.test(text) && Number(text) >= 1 && Number(text) <= most ? Number(text) : undefined
  }
  return {
    when: raw.get('when') === 'past' ? 'past' : 'coming',
    // No text in the database holds the null character, and asking for it is an error there.
    q: (raw.get('q') ?? '').replaceAll('\0', '').trim().slice(0, LONGEST_SEARCH),
    type: whole('type', Number.MAX_SAFE_INTEGER),
    page: whole('page', MOST_PAGES) ?? 1,
  }
}

const termsOf = (q: string): string[] => q.split(/\s+/).filter(Boolean).slice(0, MOST_TERMS)
