import { calendarPage as points } from '#features/events/events/points.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { signedIn } from '#platform/http/access.ts'
import { viewPage } from '#platform/http/page.ts'
import { addDays, type Day, monthFrom, readDay, readMonth, startOfDay, weekOf } from '#platform/i18n/days.ts'
import { NO_FAULTS } from '#platform/i18n/filter-days.ts'
import { loadListSettings } from '../queries/events.ts'
import { findCalendarShifts } from '../queries/shifts.ts'
import { type CalendarData, dayPageView, monthPageView, weekPageView } from '../views/calendar.ts'
import type { FilterChoice } from '../views/event-filters.ts'
import { FILTER_STYLES, filterOf, readChoice } from './filters.ts'

export const calendarPage = viewPage({
  path: '/events/calendar/',
  access: signedIn,
  keeps: true,
  show: async ({ context, query: raw }) => {
    const { words, now } = context
    const choice = {
      ...readChoice(raw, { isPast: false, today: words.inputDate(now) }),
      from: undefined,
      until: undefined,
      faults: NO_FAULTS,
    }
    const day = readDay(raw.get('day'))
    const head = { head: FILTER_STYLES, wide: true }
    if (day !== undefined) {
      const data = await load(context, choice, day, day)
      const title = words.date(startOfDay(day, words.timeZone))
      const breadcrumb = [{ href: '/events/calendar/', label: words.t('frame.calendar') }]
      return { title, breadcrumb, main: dayPageView({ ...data, day }), head: FILTER_STYLES }
    }
    const dayOfWeek = readDay(raw.get('week'))
    if (dayOfWeek !== undefined) {
      const week = weekOf(dayOfWeek, words.language)
      const data = await load(context, choice, week[0]!, week.at(-1)!)
      return { title: words.t('frame.calendar'), main: weekPageView({ ...data, week }), ...head }
    }
    const month = readMonth(raw.get('month'), words.language) ?? monthFrom(words.inputDate(now), words.language)
    const data = await load(context, choice, month.days[0]!, month.days.at(-1)!)
    return { title: words.t('frame.calendar'), main: monthPageView({ ...data, month }), ...head }
  },
})

/** From the first to the last day, both included, in the time zone of the instance. */
async function load(context: RequestContext, choice: FilterChoice, first: Day, last: Day): Promise<CalendarData> {
  const { words, now, site } = context
  const period = { from: startOfDay(first, site.timeZone), until: startOfDay(addDays(last, 1), site.timeZone) }
  const [{ shifts, isTruncated }, settings] = await Promise.all([
    findCalendarShifts(context, filterOf(choice), period),
    loadListSettings(context),
  ])
  return {
    words,
    now,
    choice,
    ...settings,
    actions: site.added(points.monthAction).filter(({ isFor }) => isFor(settings, context.actor)),
    isTruncated,
    shifts,
  }
}
