import { ownSwapOf } from '#features/offers/pages/swap.ts'
import { makeOfferToken } from '#features/offers/queries/offered.ts'
import { findOwnStandIns } from '#features/offers/queries/stand-in.ts'
import { findOpenSwaps } from '#features/offers/queries/swap.ts'
import { offerPath, standInPath, swapPath } from '#features/offers/rules/links.ts'
import { shiftNameOf } from '#features/offers/views/swap.ts'
import { MEMBER_LINKS } from '#features/participations/rules/links.ts'
import { loadReasonContext } from '#features/staffing/queries/qualifications.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import type { Html } from '#platform/html/html.ts'
import { signedIn } from '#platform/http/access.ts'
import { type PageRequest, type ViewPage, viewPage } from '#platform/http/page.ts'
import type { Words } from '#platform/i18n/words.ts'
import type { EventRowData } from '#platform/ui/event-row.ts'
import { findUpcomingEvents } from '../queries/events.ts'
import { findEndedLinks } from '../queries/partner-events.ts'
import { findOwnShifts, findShiftsToDecide, findShiftsToJoin } from '../queries/shifts.ts'
import { type HomeSection, homeView } from '../views/home.ts'
import { signupDataOf } from './event.ts'

const MAX_SHIFTS = 6
const MAX_EVENTS = 8

/** A section that another feature adds; undefined if it has nothing to show. */
type SectionLoader = (request: PageRequest) => Promise<HomeSection | undefined>

type HomeOptions = {
  sections: readonly SectionLoader[]
  /** Stands first. */
  intro: (request: PageRequest) => Promise<Html | false>
  /** Shown to people with coming shifts. */
  offer: (words: Words) => Html
}

export const homePage = ({ sections, intro, offer }: HomeOptions): ViewPage =>
  viewPage({
    path: '/',
    access: signedIn,
    show: async (request) => {
      const { context, csrfToken } = request
      const { words, actor, site } = context
      const [{ confirmed, requested, lines }, toDecide, events, toJoin, endedLinks, exchanges, first, more] = await Promise.all([
        findOwnShifts(context, MAX_SHIFTS),
        findShiftsToDecide(context, MAX_SHIFTS),
        findUpcomingEvents(context, MAX_EVENTS),
        findShiftsToJoin(context, MAX_SHIFTS),
        findEndedLinks(context),
        findExchanges(context),
        intro(request),
        Promise.all(sections.map((load) => load(request))),
      ])
      const main = homeView({
        ...(await loadReasonContext(context)),
        links: MEMBER_LINKS,
        csrfToken,
        endedLinks,
        intro: first,
        offer: confirmed.count + requested.count > 0 && offer(words),
        lines: lines.map(({ line: { id, isOffered, until, position }, ...shift }) => ({
          ...shift,
          position,
          offer:
            isOffered && until !== null && actor.kind === 'user'
              ? {
                  until: new Date(until),
                  path: offerPath(makeOfferToken(site.keyring, { kind: 'line', id, userId: actor.userId, shiftId: shift.id })),
                }
              : undefined,
        })),
        exchanges,
        sections: more.filter((section) => section !== undefined),
        name: actor.kind === 'user' ? actor.displayName : '',
        confirmed,
        requested,
        toDecide,
        events,
        toJoin: toJoin.map((shift) => ({ ...shift, signup: signupDataOf(shift.candidacy) })),
      })
      return { title: words.t('frame.home'), main, live: true }
    },
  })

/** Swaps and searches for stand-ins that concern the reader, with the page on which they answer. */
async function findExchanges({ db, now, actor, site, words }: RequestContext): Promise<EventRowData[]> {
  if (actor.kind !== 'user') return []
  const { userId } = actor
  const [swaps, standIns] = await Promise.all([findOpenSwaps(db, userId, { now }), findOwnStandIns(db, userId, now)])
  const ofSwaps = swaps.map((swap): EventRowData => {
    const own = ownSwapOf({ site }, userId, swap)
    const mine = own.isMine ? swap.proposer : swap.other
    const isAsked = own.state === 'open' && own.answerPath !== undefined
    const note = own.state === 'accepted' ? 'accepted' : own.isMine ? 'out' : 'in'
    return {
      href: isAsked ? own.answerPath! : swapPath(mine.shiftId),
      title: shiftNameOf(mine),
      start: mine.start,
      end: mine.end,
      notes: [{ tone: isAsked ? 'warn' : 'info', text: words.t(`swap.home_${note}`, { name: own.name }) }],
    }
  })
  const ofStandIns = standIns.map(({ askedId: id, shiftId, ...shift }): EventRowData => {
    const token = id === null ? undefined : makeOfferToken(site.keyring, { kind: 'stand_in', id, userId, shiftId })
    return {
      href: token === undefined ? standInPath(shiftId) : offerPath(token),
      title: shiftNameOf(shift),
      start: shift.start,
      end: shift.end,
      location: shift.location,
      notes: [{ tone: token ? 'warn' : 'info', text: words.t(token ? 'swap.home_asked' : 'swap.home_sought') }],
    }
  })
  return [...ofSwaps, ...ofStandIns].sort((a, b) => a.start.getTime() - b.start.getTime())
}
