import { nothing } from '#features/oauth/schema.ts'
import type { MountContext, PageMount } from '#features/participations/mount.ts'
import { html } from '#platform/html/html.ts'
import { open, visitor } from '#platform/http/access.ts'
import { actionPage, type Page, type PageAnswer, type Redirect, type Visit, viewPage } from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'
import type { Outbound } from '#platform/outbound/outbound.ts'
import { assetUrl } from '#platform/ui/assets.ts'
import { beginVisit, endVisit, finishVisit } from '../commands/visits.ts'
import { type GuestFace, getGuestFace } from '../queries/guests.ts'
import { getSharedEventOf, isSharedWith } from '../queries/shares.ts'
import { homeListUrl, homeSilentView, strangerView, visitBannerView, visitLinks } from '../views/visits.ts'

/** For visitors from partner instances: the event and its shifts, if the event is shared with their instance. */
export const visitorMount: PageMount = {
  access: visitor,
  paths: {
    event: '/events/shared/{event}/{guest}/',
    signup: '/shifts/shared/{shift}/{guest}/signup/',
    decline: '/shifts/shared/{shift}/{guest}/decline/',
  },
  authorize,
}

/** Checked for every request: the link or the share may have ended since the last one. */
async function authorize(visit: Visit): Promise<MountContext | Redirect> {
  const { words, actor, db } = visit.ask
  const guest = await requireGuest(visit)
  if (actor.kind !== 'visitor' || actor.federatedGuestId !== guest.id) return sendHome(visit, guest)
  const eventId = await wantedEvent(visit, guest.id)
  if (eventId === undefined || !(await isSharedWith(db, eventId, guest.id))) throw new Problem('not_found')
  return {
    links: visitLinks(guest.id),
    banner: visitBannerView({
      words,
      csrfToken: visit.csrfToken,
      name: actor.displayName,
      home: guest,
      tells: visit.path.event !== undefined,
    }),
    formTargets: [guest.url],
    head: html`<link rel="stylesheet" href="${assetUrl('visit.css')}">`,
  }
}

const numberIn = (text: string | undefined): number | undefined => (/^\d{1,15}$/.test(text ?? '') ? Number(text) : undefined)

async function requireGuest({ ask, path }: Visit): Promise<GuestFace> {
  const id = numberIn(path.guest)
  const guest = id === undefined ? undefined : await getGuestFace(ask.db, id)
  if (!guest) throw new Problem('permission_denied')
  return guest
}

async function wantedEvent({ ask, path }: Visit, guestId: number): Promise<number | undefined> {
  if (path.event !== undefined) return numberIn(path.event)
  const shiftId = numberIn(path.shift)
  return shiftId === undefined ? undefined : getSharedEventOf(ask.db, shiftId, guestId)
}

/** Whether the event is shared is told to those who have said who they are. */
async function sendHome(visit: Visit, guest: GuestFace): Promise<Redirect> {
  const { redirect, cookie } = beginVisit(visit.ask.site, guest, (await wantedEvent(visit, guest.id)) ?? 0, visit.ask.now)
  return { redirect, detour: { start: cookie.value, maxAgeSeconds: cookie.maxAgeSeconds } }
}

const parameter = ({ query }: Visit, name: string): string | undefined => query.get(name) ?? undefined

const callbackPage = (outbound: Outbound): Page =>
  viewPage({
    path: '/api/federation/oauth-callback/',
    access: open('whoever comes back from home is nobody yet; state and code tell who they are'),
    show: async (visit): Promise<PageAnswer> => {
      const { words } = visit.ask
      const returned = await finishVisit(visit.doing, outbound, {
        cookie: visit.browser.detour,
        code: parameter(visit, 'code'),
        state: parameter(visit, 'state'),
        error: parameter(visit, 'error'),
      })
      if (returned.ok) {
        const { session, guestId, eventId } = returned
        const start = { start: session.value, maxAgeSeconds: session.maxAgeSeconds }
        return { redirect: visitLinks(guestId).event(eventId), visitor: start, detour: 'end' }
      }
      const page = { bare: true, headers: { 'cache-control': 'no-store' } }
      if (returned.reason === 'no_detour')
        return { ...page, title: words.t('visit.strangerTitle'), main: strangerView({ words }), status: 403 }
      if (returned.reason === 'home_silent') {
        const { guest, eventId } = returned
        const main = homeSilentView({ words, home: guest.name, again: visitLinks(guest.id).event(eventId) })
        return { ...page, title: words.t('visit.silentTitle'), main, status: 503 }
      }
      const landing = homeListUrl({ url: returned.guestUrl })
      return { redirect: `${landing}?error=${returned.reason}`, detour: 'end' }
    },
  })

const endPage = actionPage({
  path: '/visits/{guest}/end/',
  access: visitor,
  form: nothing,
  submit: async (visit) => {
    const guest = await requireGuest(visit)
    const { sessionHash } = visit.browser
    if (sessionHash) await endVisit(visit.doing, sessionHash)
    return { redirect: homeListUrl(guest), visitor: 'end' }
  },
})

export const visitPages = (outbound: Outbound): Page[] => [callbackPage(outbound), endPage]
