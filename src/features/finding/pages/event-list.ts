import { hasPermission } from '#platform/auth/actor.ts'
import { signedIn } from '#platform/http/access.ts'
import { viewPage } from '#platform/http/page.ts'
import { addDays, type Day } from '#platform/i18n/days.ts'
import { findEventsShown, findEventTypes, plansEvents } from '../queries/events.ts'
import { isLinked } from '../queries/partner-events.ts'
import { type EventListQuery, eventListPageView, eventListPath } from '../views/event-list.ts'
import { filterOf, periodOf, readChoice, readPage } from './filters.ts'
import { eventLineOf, FIND_HEAD } from './list-items.ts'

const PAGE_SIZE = 50
const MOST_PAGES = 1_000_000

export const eventListPage = viewPage({
  path: '/events/',
  access: signedIn,
  show: async ({ context, query: raw }) => {
    const { words, now } = context
    const when: EventListQuery['when'] = raw.get('when') === 'past' ? 'past' : 'coming'
    const choice = readChoice(raw, { isPast: when === 'past' })
    const query = { when, page: readPage(raw, MOST_PAGES), choice }
    const listing = { when, ...filterOf(choice), ...periodOf(context, choice) }
    const [{ count, events, lookedUntil }, types, isPlanner, linked] = await Promise.all([
      findEventsShown(context, listing, { limit: PAGE_SIZE, offset: (query.page - 1) * PAGE_SIZE }),
      findEventTypes(context),
      plansEvents(context),
      isLinked(context),
    ])
    // The list may have become shorter since its pager was drawn.
    if (!events.length && count > 0) return { redirect: eventListPath({ ...query, page: Math.ceil(count / PAGE_SIZE) }) }
    const main = eventListPageView({
      words,
      now,
      query,
      types,
      count,
      isPlanner,
      isLinked: linked,
      mayAdd: hasPermission(context.actor, 'add_event'),
      pageSize: PAGE_SIZE,
      events: events.map(eventLineOf),
      lookOnFrom: lookedUntil && nextDay(words.inputDate(lookedUntil), choice.from),
    })
    return { title: words.t('event.list'), main, head: FIND_HEAD }
  },
})

/** Always further than before, also where one day holds more than is looked at. */
const nextDay = (day: Day, from: Day | undefined): Day => (from !== undefined && day <= from ? addDays(from, 1) : day)
