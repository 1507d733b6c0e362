import { eventPath, slugOf } from '#features/events/events/rules/slug.ts'
import { findResourcesOfEvent } from '#features/events/resources/queries.ts'
import { findShiftDetails, getEventDetails } from '#features/staffing/participations/queries/event-details.ts'
import { findQualificationTitles } from '#features/staffing/staffing/queries/qualifications.ts'
import { isOn } from '#platform/features/modules.ts'
import { html } from '#platform/html/html.ts'
import { signedIn } from '#platform/http/access.ts'
import { csvDownloadInTurns } from '#platform/http/csv-download.ts'
import { type Page, type PageRequest, viewPage } from '#platform/http/page.ts'
import { requireFound } from '#platform/http/problem.ts'
import { assetUrl } from '#platform/ui/assets.ts'
import { findRoster } from '../queries/roster.ts'
import { type RosterData, rosterSheet, rosterView } from '../views/roster.ts'

function optionsIn(query: URLSearchParams): RosterData['options'] {
  const shift = query.get('shift') ?? ''
  return {
    shiftId: /^\d{1,15}$/.test(shift) ? Number(shift) : undefined,
    // A hidden field sends 0; a ticked checkbox sends 1 after it.
    requests: query.getAll('requests').at(-1) !== '0',
    sheet: query.get('sheet') === '1',
    privateComments: query.get('comments') === 'all',
  }
}

async function requireRoster({ context, path, query }: PageRequest<{ event: number }>): Promise<RosterData> {
  const event = requireFound(await getEventDetails(context, path.event))
  const options = optionsIn(query)
  const [{ shifts: all }, shifts, resources, titleOf] = await Promise.all([
    findShiftDetails(context, event.id),
    findRoster(context, event.id, options),
    isOn(context.site, 'resources') ? findResourcesOfEvent(context, event.id) : [],
    findQualificationTitles(context),
  ])
  return {
    words: context.words,
    now: context.now,
    options,
    titleOf,
    mayReadPrivate: event.is_responsible,
    event: {
      id: event.id,
      title: event.title,
      location: event.location,
      time: event.start_time && event.end_time ? { start: event.start_time, end: event.end_time } : undefined,
      cancelledBecause: event.cancelled_at && event.cancellation_reason,
    },
    choices: all,
    shifts: shifts.map((shift) => ({
      ...shift,
      resources: resources.filter(({ shiftId }) => shiftId === shift.id).map(({ title }) => title),
    })),
  }
}

const rosterPage = viewPage({
  path: '/events/{event}/roster/',
  access: signedIn,
  show: async (request) => {
    const data = await requireRoster(request)
    const { words } = request.context
    return {
      title: words.t('roster.of', { event: data.event.title }),
      main: rosterView(data),
      wide: true,
      breadcrumb: [
        { href: '/events/', label: words.t('event.list') },
        { href: eventPath(data.event.id, data.event.title), label: data.event.title },
      ],
      head: html`<link rel="stylesheet" href="${assetUrl('roster.css')}">`,
      scripts: [assetUrl('roster.js')],
    }
  },
})

const rosterCsv = viewPage({
  path: '/events/{event}/roster.csv',
  access: signedIn,
  show: async (request) => {
    const data = await requireRoster(request)
    const { id, title } = data.event
    const { lines, ...sheet } = rosterSheet(data)
    return csvDownloadInTurns(data.words, lines, { ...sheet, name: `roster-${slugOf(title, id)}` })
  },
})

export const rosterPages: Page[] = [rosterPage, rosterCsv]
