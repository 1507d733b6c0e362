import { getBranding } from '#features/instance/queries.ts'
import { open } from '#platform/http/access.ts'
import { type Page, type PageBody, type PageRequest, viewPage } from '#platform/http/page.ts'
import { getEventOfShare, getGuestOfLink } from '../queries/guest-links.ts'
import type { LinkedEvent, Registration } from '../rules/guest-links.ts'
import { guestLinkView } from '../views/guest-link.ts'

const access = open('guests have no account; the token in the link is their secret')

/** What is known about the link; undefined if it is unknown. */
type Linked = { event: LinkedEvent; registrations: Registration[] } | undefined

async function show({ context }: PageRequest, linked: Linked): Promise<PageBody> {
  const { db, words, now } = context
  const { name, hasImprint } = await getBranding(db)
  return {
    title: words.t('guest_link.title'),
    bare: true,
    status: linked ? 200 : 404,
    // The link is a secret, and the page names the person's registrations.
    headers: { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
    main: guestLinkView({
      words,
      now,
      organisation: name,
      hasImprint,
      event: linked?.event,
      registrations: linked?.registrations ?? [],
    }),
  }
}

/** Links of guests that ephios sent. Guests cannot sign up by a link here yet; the page says whom to ask. */
export const guestLinkPages: Page[] = [
  viewPage({
    path: '/guests/{token}/',
    access,
    show: async (request) => show(request, await getGuestOfLink(request.context.db, request.path.token)),
  }),
  viewPage({
    path: '/guests/register/{event}/{token}/',
    access,
    show: async (request) => {
      const event = await getEventOfShare(request.context.db, request.path.event, request.path.token)
      return show(request, event && { event, registrations: [] })
    },
  }),
]
