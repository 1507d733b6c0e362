import { findLogPage } from '#features/audit-log/queries.ts'
import { EVENT_KINDS } from '#features/audit-log/rules.ts'
import { logView } from '#features/audit-log/views.ts'
import { eventPath } from '#features/events/rules/slug.ts'
import { signedIn } from '#platform/http/access.ts'
import { viewPage } from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'
import { getEventLogged } from '../queries/event-logged.ts'

/** What happened to one event, for those who are responsible for it. */
export const eventLogPage = viewPage({
  path: '/events/{event}/log/',
  access: signedIn,
  show: async ({ context, path, query }) => {
    const { words, now } = context
    const event = /^\d{1,15}$/.test(path.event!) ? await getEventLogged(context, Number(path.event)) : undefined
    if (!event) throw new Problem('not_found')
    const title = words.t('log.event_title', { title: event.title })
    const log = await findLogPage(context, query, event.id)
    const main = logView({ ...log, words, now, title, path: `/events/${event.id}/log/`, kinds: EVENT_KINDS })
    return { title, breadcrumb: [{ href: eventPath(event.id, event.title), label: event.title }], main }
  },
})
