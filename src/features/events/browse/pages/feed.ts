import { getCalendarOwner } from '#features/accounts/users/queries/calendar.ts'
import { findChildren } from '#features/accounts/users/queries/guardians.ts'
import { getOrganizationName } from '#features/operations/settings/queries.ts'
import { isIn, STATE, type State } from '#features/staffing/staffing/rules/model.ts'
import { open, signedIn } from '#platform/http/access.ts'
import { weakEtag } from '#platform/http/etag.ts'
import { type Download, type Page, viewPage } from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { translateEvents } from '../queries/own-texts.ts'
import { findEventFeedShifts, findFeedShifts } from '../queries/shifts.ts'
import { type IcalData, icalText } from '../views/ical.ts'

const CONTENT_TYPE = 'text/calendar; charset=utf-8'
const MAX_TOKEN_LENGTH = 200

/** Identical for every unknown token, so that tokens cannot be probed. */
const NOT_FOUND: Download = { content: 'Not found\n', contentType: 'text/plain; charset=utf-8', status: 404 }

const feedPage = viewPage({
  path: '/calendar/{token}/',
  access: open('calendar programs sign in nowhere; the secret address tells whose shifts they are'),
  isForPrograms: true,
  show: async ({ context, path, query }) => {
    const token = path.token
    const owner = token.length > MAX_TOKEN_LENGTH ? undefined : await getCalendarOwner(context.db, token)
    if (!owner) return NOT_FOUND
    const states: State[] = [STATE.confirmed]
    if (query.get('requested') === '1') states.push(STATE.requested)
    if (query.get('rejected') === '1') states.push(STATE.rejectedByResponsible)
    const own = await findFeedShifts(context, owner.userId, states)
    const children = (await findChildren(context, owner.userId)).filter(({ isInCalendar }) => isInCalendar)
    const theirs = await Promise.all(
      children.map(async ({ userId, name }) =>
        (await findFeedShifts(context, userId, states)).map((shift) => ({
          ...shift,
          child: { userId, name },
        })),
      ),
    )
    const shifts = [...own, ...theirs.flat()].sort((a, b) => a.start.getTime() - b.start.getTime())
    const words = wordsFor(owner.language, context.site.timeZone)
    const name = words.t('calendar.name', { site: (await getOrganizationName(context.db)) ?? 'Turnout' })
    return downloadOf({
      words,
      now: context.now,
      siteUrl: context.site.url,
      name,
      shifts: await translateEvents({ ...context, words }, shifts),
    })
  },
})

/** The caller's own shifts of the event, or all of them for people who do not take part yet. */
const eventCalendarPage = viewPage({
  path: '/events/{event:slug}/calendar.ics',
  access: signedIn,
  show: async ({ context, path }) => {
    const { id } = path.event
    const all = await translateEvents(context, await findEventFeedShifts(context, id))
    if (!all.length) throw new Problem('not_found')
    const own = all.filter(({ state }) => isIn(state))
    const shifts = own.length ? own : all
    const { words, now, site } = context
    const download = await downloadOf({ words, now, siteUrl: site.url, name: all[0]!.eventTitle, shifts })
    return { ...download, headers: { 'content-disposition': `attachment; filename="event-${id}.ics"` } }
  },
})

/** The ETag ignores DTSTAMP, which is the time of the request. */
async function downloadOf(data: IcalData): Promise<Download> {
  const content = await icalText(data)
  return { content, contentType: CONTENT_TYPE, etag: weakEtag(content.replaceAll(/^DTSTAMP:.*\r\n/gm, '')) }
}

export const feedPages: Page[] = [feedPage, eventCalendarPage]
