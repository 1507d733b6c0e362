import { hasPermission } from '#platform/auth/actor.ts'
import { signedIn } from '#platform/http/access.ts'
import { viewPage } from '#platform/http/page.ts'
import { findEvents, loadListSettings } from '../queries/events.ts'
import { type EventListQuery, eventListPageView, eventListPath } from '../views/event-list.ts'
import { FILTER_STYLES, filterOf, nextDay, periodOf, readChoice, readPage } from './filters.ts'

const PAGE_SIZE = 50
const MAX_PAGES = 1_000_000

export const eventListPage = viewPage({
  path: '/events/',
  access: signedIn,
  keeps: true,
  show: async ({ context, query: raw }) => {
    const { words, now } = context
    const when: EventListQuery['when'] = raw.get('when') === 'past' ? 'past' : 'coming'
    const choice = readChoice(raw, { isPast: when === 'past', today: words.inputDate(now) })
    const query = { when, page: readPage(raw, MAX_PAGES), choice }
    const search = { when, ...filterOf(choice), ...periodOf(context, choice) }
    const settings = await loadListSettings(context)
    const page = { limit: PAGE_SIZE, offset: (query.page - 1) * PAGE_SIZE }
    const { count, hasMore, events, searchedUntil } = await findEvents(context, search, page, settings)
    // The list may have become shorter since the link was rendered.
    if (!events.length && count > 0) return { redirect: eventListPath({ ...query, page: Math.ceil(count / PAGE_SIZE) }) }
    const main = eventListPageView({
      words,
      now,
      query,
      ...settings,
      count,
      hasMore,
      mayAdd: hasPermission(context.actor, 'add_event'),
      mayRestore: hasPermission(context.actor, 'delete_event'),
      pageSize: PAGE_SIZE,
      events,
      continueFrom: searchedUntil && nextDay(words.inputDate(searchedUntil), choice.from),
    })
    return { title: words.t('event.list'), main, head: FILTER_STYLES }
  },
})
