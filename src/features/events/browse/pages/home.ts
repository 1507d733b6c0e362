import { makeOfferToken } from '#features/staffing/offers/queries/offered.ts'
import { offerPath, standInPath, swapPath } from '#features/staffing/offers/rules/links.ts'
import { MEMBER_LINKS } from '#features/staffing/participations/rules/links.ts'
import { loadReasonContext } from '#features/staffing/staffing/queries/qualifications.ts'
import type { UserActor } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { homePage } from '#platform/features/home.ts'
import type { Runtime } from '#platform/features/runtime.ts'
import { signedIn } from '#platform/http/access.ts'
import { type ViewPage, viewPage } from '#platform/http/page.ts'
import { findUpcomingEvents } from '../queries/events.ts'
import { findEndedLinks } from '../queries/partner-events.ts'
import { type ExchangeShift, findOwnShifts, findShiftsToDecide, findShiftsToJoin } from '../queries/shifts.ts'
import { homeView } from '../views/home.ts'
import { signupDataOf } from './event.ts'

const MAX_SHIFTS = 6
const MAX_EVENTS = 8

export function makeHomePage(runtime: Runtime): ViewPage {
  const { added } = runtime.site
  const intros = added(homePage.intro).map((make) => make(runtime))
  return viewPage({
    path: '/',
    access: signedIn,
    show: async (request) => {
      const { context, csrfToken } = request
      const { words, actor, site } = context
      const [{ confirmed, requested, lines, exchanges }, toDecide, events, toJoin, endedLinks, first, more] = await Promise.all([
        findOwnShifts(context, MAX_SHIFTS),
        findShiftsToDecide(context, MAX_SHIFTS),
        findUpcomingEvents(context, MAX_EVENTS),
        findShiftsToJoin(context, MAX_SHIFTS),
        findEndedLinks(context),
        Promise.all(intros.map((show) => show(request))),
        Promise.all(added(homePage.section).map((load) => load(request))),
      ])
      const main = homeView({
        ...(await loadReasonContext(context)),
        links: MEMBER_LINKS,
        csrfToken,
        endedLinks,
        intro: first,
        offer: confirmed.count + requested.count > 0 && added(homePage.offer).map((show) => show(words)),
        lines: lines.map(({ line: { id, isOffered, until, position }, ...shift }) => ({
          ...shift,
          position,
          offer:
            isOffered && until !== null
              ? {
                  until: new Date(until),
                  path: offerPath(makeOfferToken(site.keyring, { kind: 'line', id, userId: actor.userId, shiftId: shift.id })),
                }
              : undefined,
        })),
        exchanges: exchanges.map(({ exchange, ...shift }) => ({
          ...shift,
          what: exchange.what,
          name: exchange.name,
          path: exchangePath(context, shift.id, exchange),
        })),
        sections: more.filter((section) => section !== undefined),
        name: actor.displayName,
        confirmed,
        requested,
        toDecide,
        events,
        toJoin: toJoin.map((shift) => ({ ...shift, signup: signupDataOf(shift.candidacy) })),
      })
      return { title: words.t('frame.home'), main, live: true }
    },
  })
}

/** Where the reader answers, or sees what they asked for. */
function exchangePath(
  { actor, site }: RequestContext<UserActor>,
  shiftId: number,
  { what, id, linkShift }: ExchangeShift['exchange'],
): string {
  if (what === 'sought') return standInPath(shiftId)
  if (what === 'out' || what === 'accepted') return swapPath(shiftId)
  const kind = what === 'asked' ? 'stand_in' : 'swap'
  return offerPath(makeOfferToken(site.keyring, { kind, id, userId: actor.userId, shiftId: linkShift }))
}
