import { offerKinds } from '#features/staffing/waiting-list/points.ts'
import { getOfferByLink } from '#features/staffing/waiting-list/queries/offered.ts'
import { open } from '#platform/http/access.ts'
import { viewPage } from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { findEventFeedShifts } from '../queries/shifts.ts'
import { icalText } from '../views/ical.ts'

/** The shift that a person is asked about by a link, for their calendar, without a session. */
export const offerCalendarPage = viewPage({
  path: '/offered/{token}/calendar.ics',
  access: open('the signed URL allows one person to read about one shift'),
  show: async ({ context, path }) => {
    const { db, site, now } = context
    const found = await getOfferByLink(db, { keyring: site.keyring, kinds: site.added(offerKinds) }, path.token)
    if (!found?.offer.isActive) throw new Problem('not_found')
    const { actor, shiftId, eventId } = found.offer
    const shifts = (await findEventFeedShifts({ ...context, actor }, eventId)).filter(({ id }) => id === shiftId)
    if (!shifts.length) throw new Problem('not_found')
    const words = wordsFor(actor.language, site.timeZone, site)
    return {
      content: await icalText({ words, now, siteUrl: site.url, name: shifts[0]!.eventTitle, shifts }),
      contentType: 'text/calendar; charset=utf-8',
      // Links are secrets, so caches must not keep the file.
      headers: { 'cache-control': 'no-store', 'content-disposition': `attachment; filename="shift-${shiftId}.ics"` },
    }
  },
})
