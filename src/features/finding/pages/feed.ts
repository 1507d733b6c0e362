import { getOrganizationName } from '#features/instance/queries.ts'
import { getCalendarOwner } from '#features/users/queries/calendar.ts'
import { open, signedIn } from '#platform/http/access.ts'
import { weakEtag } from '#platform/http/etag.ts'
import { type Download, type Page, viewPage } from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { type FeedShift, findEventCalendar, findFeedAbroad, findFeedShifts } from '../queries/shifts.ts'
import { type IcalData, type IcalShift, icalText } from '../views/ical.ts'

const CONTENT_TYPE = 'text/calendar; charset=utf-8'
const LONGEST_TOKEN = 200

/** The same for everybody who has no calendar here, down to the last byte. */
const NONE: Download = { content: 'Not found\n', contentType: 'text/plain; charset=utf-8', status: 404 }

const feedPage = viewPage({
  path: '/calendar/{token}/',
  access: open('calendar programs sign in nowhere; the secret address tells whose shifts they are'),
  show: async ({ context, path, query }) => {
    const token = path.token
    const owner = token.length > LONGEST_TOKEN ? undefined : await getCalendarOwner(context.db, token)
    if (!owner) return NONE
    const states = [1, ...(query.get('requested') === '1' ? [0] : []), ...(query.get('rejected') === '1' ? [3] : [])]
    const wanted = states as (0 | 1 | 3)[]
    const found = await Promise.all([
      findFeedShifts(context, owner.userId, wanted),
      findFeedAbroad(context, owner.userId, wanted),
    ])
    const shifts = found.flat().sort((a, b) => a.start_time.getTime() - b.start_time.getTime())
    const words = wordsFor(owner.language, context.site.timeZone)
    const name = words.t('calendar.name', { site: (await getOrganizationName(context.db)) ?? 'Turnout' })
    return downloadOf({ words, now: context.now, siteUrl: context.site.url, name, shifts: shifts.map(icalShiftOf) })
  },
})

/** Of somebody who is in, their own shifts; of everybody else all of them, to think about. */
const eventCalendarPage = viewPage({
  path: '/events/{event:slug}/calendar.ics',
  access: signedIn,
  show: async ({ context, path }) => {
    const { id } = path.event
    const all = await findEventCalendar(context, id)
    if (!all.length) throw new Problem('not_found')
    const own = all.filter(({ state }) => state === 0 || state === 1)
    const shifts = (own.length ? own : all).map(icalShiftOf)
    const { words, now, site } = context
    const download = downloadOf({ words, now, siteUrl: site.url, name: all[0]!.event_title, shifts })
    return { ...download, headers: { 'content-disposition': `attachment; filename="event-${id}.ics"` } }
  },
})

/** When it was written is no change. */
function downloadOf(data: IcalData): Download {
  const content = icalText(data)
  return { content, contentType: CONTENT_TYPE, etag: weakEtag(content.replaceAll(/^DTSTAMP:.*\r\n/gm, '')) }
}

const icalShiftOf = (row: FeedShift): IcalShift => ({
  id: row.shift_id,
  label: row.label,
  event: { id: row.event_id, title: row.event_title },
  location: row.location,
  description: row.description,
  meeting: row.meeting_time,
  start: row.start_time,
  end: row.end_time,
  state: row.state ?? undefined,
  cancelledBecause: row.cancellation_reason,
  revision: row.revision,
  organizer: row.organizer,
  abroad: row.abroad,
})

export const feedPages: Page[] = [feedPage, eventCalendarPage]
