import { findHostLinks } from '#features/sharing/federation/queries/links.ts'
import { isStaff } from '#platform/auth/actor.ts'
import { html } from '#platform/html/html.ts'
import { signedIn } from '#platform/http/access.ts'
import { viewPage } from '#platform/http/page.ts'
import { assetUrl } from '#platform/ui/assets.ts'
import { findSharedEvents } from '../queries/partner-events.ts'
import { EXTERNAL, type ExternalData, externalView } from '../views/external.ts'

const PAGE_SIZE = 50
const MAX_RECENT = 20

/** Error code in the redirect of a partner; other parameters of the redirect are not shown. */
function errorIn(query: URLSearchParams): ExternalData['error'] {
  const error = query.get('error')
  if (error === null) return undefined
  return error === 'oauth_error' || error === 'event_error' ? error : 'other_error'
}

export const externalPage = viewPage({
  path: EXTERNAL,
  access: signedIn,
  show: async ({ context, query }) => {
    const { words, now, db, actor } = context
    const requested = query.get('page') ?? ''
    const page = /^[1-9]\d{0,5}$/.test(requested) ? Number(requested) : 1
    const [hosts, coming, lately] = await Promise.all([
      findHostLinks(db),
      findSharedEvents(context, 'coming', { limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE }),
      page === 1 ? findSharedEvents(context, 'lately', { limit: MAX_RECENT, offset: 0 }) : { events: [] },
    ])
    if (!coming.events.length && coming.count > 0) return { redirect: EXTERNAL }
    const main = externalView({
      words,
      now,
      hosts,
      error: errorIn(query),
      page,
      pageSize: PAGE_SIZE,
      count: coming.count,
      coming: coming.events,
      lately: lately.events,
      mayLink: isStaff(actor),
    })
    return { title: words.t('external.title'), head: html`<link rel="stylesheet" href="${assetUrl('federation.css')}">`, main }
  },
})
