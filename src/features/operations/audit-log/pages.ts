import { refuseEvent } from '#features/events/events/queries/refusals.ts'
import { eventPath } from '#features/events/events/rules/slug.ts'
import { permission, signedIn } from '#platform/http/access.ts'
import { type Page, viewPage } from '#platform/http/page.ts'
import { manageCrumbs } from '#platform/ui/manage.ts'
import { findLogPage, getLoggedEvent } from './queries.ts'
import { EVENT_KINDS, LOG_KINDS } from './rules/entries.ts'
import { LOG, logView } from './views.ts'

const logPage = viewPage({
  path: LOG,
  access: permission('view_journal'),
  show: async ({ context, query }) => {
    const { words, now } = context
    const title = words.t('log.title')
    const log = await findLogPage(context, query)
    const main = logView({ ...log, words, now, title, path: LOG, kinds: LOG_KINDS })
    return { title, breadcrumb: manageCrumbs(words), main }
  },
})

export const auditLogPages: Page[] = [logPage]

/** The log of one event, for people responsible for it. */
export const eventLogPage = viewPage({
  path: '/events/{event}/log/',
  access: signedIn,
  show: async ({ context, path, query }) => {
    const { words, now } = context
    const event = await getLoggedEvent(context, path.event)
    if (!event) throw await refuseEvent(context.db, context.actor, path.event)
    const title = words.t('log.event_title', { title: event.title })
    const log = await findLogPage(context, query, event.id)
    const main = logView({ ...log, words, now, title, path: `/events/${event.id}/log/`, kinds: EVENT_KINDS })
    return { title, breadcrumb: [{ href: eventPath(event.id, event.title), label: event.title }], main }
  },
})
