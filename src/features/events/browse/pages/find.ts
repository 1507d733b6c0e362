import { findOrigin, MEMBER_LINKS } from '#features/staffing/participations/rules/links.ts'
import { loadReasonContext } from '#features/staffing/staffing/queries/qualifications.ts'
import { ownWaitingListOf } from '#features/staffing/waiting-list/rules/waiting-list.ts'
import { signedIn } from '#platform/http/access.ts'
import { viewPage } from '#platform/http/page.ts'
import { loadFilterSettings } from '../queries/events.ts'
import { findOpenShifts } from '../queries/open-shifts.ts'
import { findOpenPartnerEvents, partnerEventConditions } from '../queries/partner-events.ts'
import { FIRST_SHOWN, findPath, findView, MOST_SHOWN } from '../views/find.ts'
import { signupDataOf } from './event-shift.ts'
import { FILTER_STYLES, filterOf, nextDay, periodOf, readChoice } from './filters.ts'

const readShown = (raw: string | null): number => {
  const shown = /^\d{1,3}$/.test(raw ?? '') ? Number(raw) : FIRST_SHOWN
  return Math.min(Math.max(shown, FIRST_SHOWN), MOST_SHOWN)
}

/** Where people look for something to do: shifts, soonest first, and the events of partners among them. */
export const findPage = viewPage({
  path: '/shifts/',
  access: signedIn,
  keeps: true,
  show: async ({ context, csrfToken, query }) => {
    const { words, now } = context
    const choice = { ...readChoice(query, { isPast: false, today: words.inputDate(now) }), state: undefined, fits: false }
    const shown = readShown(query.get('shown'))
    const filter = { ...filterOf(choice), ...periodOf(context, choice), fitsMe: !choice.all }
    // What fits is unknown at partners: their events are shown unless the filter asks for more than they publish.
    const theirs = partnerEventConditions(context, { ...filter, fitsMe: false })
    const { hasPartners, types } = await loadFilterSettings(context)
    const [found, partnerEvents, reasonContext] = await Promise.all([
      filter.whose === 'others' ? { shifts: [], searchedUntil: undefined } : findOpenShifts(context, filter, shown + 1),
      hasPartners && theirs ? findOpenPartnerEvents(context, theirs, filter, shown + 1) : [],
      loadReasonContext(context),
    ])
    const items = [
      ...found.shifts.map(({ candidacy, ...shift }) => ({
        start: shift.start,
        shift: { ...shift, signup: signupDataOf(candidacy), waitingList: ownWaitingListOf(candidacy) },
      })),
      ...partnerEvents.map((event) => ({ start: event.start, event })),
    ].sort((a, b) => a.start.getTime() - b.start.getTime())
    const searchedUntil = shown === MOST_SHOWN ? items[shown]?.start : found.searchedUntil
    const main = findView({
      ...reasonContext,
      links: MEMBER_LINKS,
      csrfToken,
      from: findOrigin(findPath(choice, shown)),
      choice,
      types,
      hasPartners,
      shown,
      items: items.slice(0, shown),
      hasMore: items.length > shown,
      continueFrom: searchedUntil && nextDay(words.inputDate(searchedUntil), choice.from),
    })
    return { title: words.t('find.title'), main, head: FILTER_STYLES, live: true }
  },
})
