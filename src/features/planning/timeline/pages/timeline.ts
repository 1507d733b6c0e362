import { eventPath } from '#features/events/events/rules/slug.ts'
import { getEventDetails } from '#features/staffing/participations/queries/event-details.ts'
import { shortfallOf } from '#features/staffing/staffing/rules/statistics.ts'
import { html } from '#platform/html/html.ts'
import { signedIn } from '#platform/http/access.ts'
import { viewPage } from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'
import type { Day } from '#platform/i18n/days.ts'
import { overlaps } from '#platform/time-span.ts'
import { assetUrl } from '#platform/ui/assets.ts'
import { findGaps, findTimelineShifts } from '../queries/shifts.ts'
import { daysOf, pickDays, readChoice } from '../rules/choice.ts'
import { columnsOf, missingByHour, spanOf } from '../rules/layout.ts'
import type { TimelineShift } from '../rules/model.ts'
import { timelineView } from '../views/timeline.ts'

const sumShortfalls = (shifts: readonly TimelineShift[]): number => shifts.reduce((sum, shift) => sum + shortfallOf(shift), 0)

export const timelinePage = viewPage({
  path: '/events/{event}/grid/',
  access: signedIn,
  show: async ({ context, path, query }) => {
    const { words, now } = context
    const event = await getEventDetails(context, path.event)
    // 404 instead of 403, so hidden ids cannot be probed.
    if (!event) throw new Problem('not_found')
    const choice = readChoice(query)
    const shifts = await findTimelineShifts(context, event.id)
    const isCancelled = event.cancelled_at !== null
    const open = shifts.filter(({ end }) => !isCancelled && end >= now)
    const shown = pickDays(shifts, choice.day, now, words)
    const columns = columnsOf(shown, shifts, words.timeZone)
    const span = spanOf(columns)
    const short = open.filter((shift) => shortfallOf(shift) > 0)
    const shortInView = short.filter((shift) => overlaps(shift, span))
    // A shift over midnight counts on the day on which it begins.
    const beginsOn = (days: readonly Day[]) => (shift: TimelineShift) => days.includes(words.inputDate(shift.start))
    const gaps = await findGaps(
      context,
      shortInView.map(({ id }) => id),
    )
    return {
      title: words.t('timeline.title_of', { event: event.title }),
      wide: true,
      breadcrumb: [{ href: eventPath(event.id, event.title), label: event.title }],
      head: timelineHead(),
      scripts: [assetUrl('timeline.js')],
      main: timelineView({
        words,
        now,
        event: { id: event.id, title: event.title, isCancelled, mayChange: event.is_responsible },
        choice,
        days: daysOf(shifts, words).map((day) => ({
          day,
          missing: sumShortfalls(short.filter(beginsOn([day]))),
        })),
        shown,
        columns,
        shifts,
        count: shifts.filter(beginsOn(shown)).length,
        lacking: sumShortfalls(short.filter(beginsOn(shown))),
        missing: missingByHour(columns, gaps),
      }),
    }
  },
})

export const timelineHead = () => html`<link rel="stylesheet" href="${assetUrl('timeline.css')}">`
