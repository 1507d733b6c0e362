import type { MountContext, PageMount } from '#features/staffing/participations/mount.ts'
import { html } from '#platform/html/html.ts'
import { open, visitor } from '#platform/http/access.ts'
import { VISITOR_COOKIE } from '#platform/http/cookies.ts'
import { actionPage, type Page, type PageRequest, type PageResponse, type Redirect, viewPage } from '#platform/http/page.ts'
import { parsePageId } from '#platform/http/path.ts'
import { Problem } from '#platform/http/problem.ts'
import type { Outbound } from '#platform/outbound/outbound.ts'
import { assetUrl } from '#platform/ui/assets.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { endVisit, finishVisit, startVisit } from '../commands/visits.ts'
import { getPublicGuest, type PublicGuest } from '../queries/guests.ts'
import { getSharedEventOf, isSharedWith } from '../queries/shares.ts'
import { expiredSignInView, homeListUrl, homeUnreachableView, visitBannerView, visitLinks } from '../views/visits.ts'

/** Cookie with the state of a visitor who is signing in at their own instance. */
const VISIT_STATE = 'visit_state'

/** For visitors from partner instances: the event and its shifts, if the event is shared with their instance. */
export const visitorMount: PageMount = {
  access: visitor,
  paths: {
    signup: '/shifts/shared/{shift}/{guest}/signup/',
    decline: '/shifts/shared/{shift}/{guest}/decline/',
    undo: '/shifts/shared/{shift}/{guest}/undo/',
  },
  authorize,
}

/** The path of the event page, for `visitorMount`. */
export const VISITOR_EVENT_PATH = '/events/shared/{event}/{guest}/'

type VisitorPath = { guest: string; event?: number; shift?: number }

/** Checked for every request: the link or the share may have ended since the last one. */
async function authorize(request: PageRequest<VisitorPath>): Promise<MountContext | Redirect> {
  const { words, actor, db } = request.context
  const guest = await requireGuest(request)
  if (actor.kind !== 'visitor' || actor.federatedGuestId !== guest.id) return sendHome(request, guest)
  const eventId = await wantedEvent(request, guest.id)
  if (eventId === undefined || !(await isSharedWith(db, eventId, guest.id)))
    throw new Problem('permission_denied', { detail: words.t('visit.not_shared', { home: guest.name }) })
  return {
    links: visitLinks(guest.id),
    eventId,
    banner: visitBannerView({
      words,
      csrfToken: request.csrfToken,
      name: actor.displayName,
      home: guest,
      tells: request.path.event !== undefined,
    }),
    formTargets: [guest.url],
    head: html`<link rel="stylesheet" href="${assetUrl('visit.css')}">`,
  }
}

async function requireGuest({ context, path }: PageRequest<{ guest: string }>): Promise<PublicGuest> {
  const id = parsePageId(path.guest)
  const guest = id === undefined ? undefined : await getPublicGuest(context.db, id)
  if (!guest) throw new Problem('permission_denied')
  return guest
}

async function wantedEvent({ context, path }: PageRequest<VisitorPath>, guestId: number): Promise<number | undefined> {
  if (path.shift === undefined) return path.event
  return getSharedEventOf(context.db, path.shift, guestId)
}

/** Authenticate first, so that unshared events cannot be probed. */
async function sendHome(request: PageRequest<VisitorPath>, guest: PublicGuest): Promise<Redirect> {
  const { redirect, cookie } = startVisit(
    request.context.site,
    guest,
    (await wantedEvent(request, guest.id)) ?? 0,
    request.context.now,
  )
  return { redirect, cookies: { [VISIT_STATE]: { start: cookie.value, maxAgeSeconds: cookie.maxAgeSeconds } } }
}

const parameter = ({ query }: PageRequest, name: string): string | undefined => query.get(name) ?? undefined

const callbackPage = (outbound: Outbound): Page =>
  viewPage({
    writes: true,
    path: '/api/federation/oauth-callback/',
    access: open('the visitor has no session yet; state and code authenticate the request'),
    show: async (request): Promise<PageResponse> => {
      const { words } = request.context
      const returned = await finishVisit(request.commandContext, outbound, {
        cookie: request.browser.cookie(VISIT_STATE),
        code: parameter(request, 'code'),
        state: parameter(request, 'state'),
        error: parameter(request, 'error'),
      })
      if (returned.ok) {
        const { session, guestId, eventId } = returned
        const start = { start: session.value, maxAgeSeconds: session.maxAgeSeconds }
        return { redirect: visitLinks(guestId).event(eventId), cookies: { [VISITOR_COOKIE]: start, [VISIT_STATE]: 'end' } }
      }
      const page = { bare: true, headers: { 'cache-control': 'no-store' } }
      if (returned.reason === 'not_started')
        return { ...page, title: words.t('visit.stranger_title'), main: expiredSignInView({ words }), status: 403 }
      if (returned.reason === 'home_unreachable') {
        const { guest, eventId } = returned
        const main = homeUnreachableView({ words, home: guest.name, again: visitLinks(guest.id).event(eventId) })
        return { ...page, title: words.t('visit.silent_title'), main, status: 503 }
      }
      const landing = homeListUrl({ url: returned.guestUrl })
      return { redirect: `${landing}?error=${returned.reason}`, cookies: { [VISIT_STATE]: 'end' } }
    },
  })

const endPage = actionPage({
  path: '/visits/{guest}/end/',
  access: visitor,
  form: emptyForm,
  submit: async (request) => {
    const guest = await requireGuest(request)
    const { sessionHash } = request.browser
    if (sessionHash) await endVisit(request.commandContext, sessionHash)
    return { redirect: homeListUrl(guest), cookies: { [VISITOR_COOKIE]: 'end' } }
  },
})

export const visitPages = (outbound: Outbound): Page[] => [callbackPage(outbound), endPage]
