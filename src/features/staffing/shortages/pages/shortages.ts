import { dayOf } from '#features/accounts/users/rules.ts'
import { plansEvents } from '#features/events/events/queries/planned-events.ts'
import { loadReasonContext } from '#features/staffing/staffing/queries/qualifications.ts'
import { hasPermission } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import type { HomeLink } from '#platform/features/home.ts'
import { isOn } from '#platform/features/modules.ts'
import { html } from '#platform/html/html.ts'
import { signedIn } from '#platform/http/access.ts'
import { type UserRequest, viewPage } from '#platform/http/page.ts'
import { addDays, type Day, startOfDay } from '#platform/i18n/days.ts'
import type { Span } from '#platform/time-span.ts'
import { assetUrl } from '#platform/ui/assets.ts'
import { shortagesPage as points } from '../points.ts'
import { findDetails } from '../queries/details.ts'
import { findFilterOptions, findShortShifts, NO_SHORTAGE_FILTER } from '../queries/shortages.ts'
import { PLANNING, readShortageChoice, shortagePath, USUAL_DAYS } from '../rules/choice.ts'
import { groupByEvent, sortShortShifts } from '../rules/urgency.ts'
import { shortagesView } from '../views/shortages.ts'

/** Events. */
const PAGE_SIZE = 10

const periodOf = ({ site }: RequestContext, from: Day, until: Day): Span => ({
  start: startOfDay(from, site.timeZone),
  end: startOfDay(addDays(until, 1), site.timeZone),
})

export const shortagesPage = viewPage({
  path: PLANNING,
  access: signedIn,
  show: async ({ context, query }) => {
    const { words, now, site } = context
    const today = dayOf(now, site.timeZone)
    const choice = readShortageChoice(query, today)
    const period = periodOf(context, choice.from, choice.until)
    const filter = { typeId: choice.type, groupId: choice.group, place: choice.place }
    const [{ shifts, isCut }, options] = await Promise.all([
      findShortShifts(context, period, filter),
      findFilterOptions(context, period),
    ])
    const events = groupByEvent(sortShortShifts(shifts, choice.sort, now))
    const first = (choice.page - 1) * PAGE_SIZE
    // The list may have become shorter since the link was rendered.
    if (events.length > 0 && first >= events.length)
      return { redirect: shortagePath({ ...choice, page: Math.ceil(events.length / PAGE_SIZE) }, today) }
    const shown = events.slice(first, first + PAGE_SIZE)
    const details = await findDetails(
      context,
      shown.map(({ worst }) => worst.id),
    )
    const isPlanner = shifts.length > 0 || options.types.length > 0 || (await plansEvents(context))
    const main = shortagesView({
      ...(await loadReasonContext(context)),
      today,
      choice,
      options,
      count: shifts.length,
      eventCount: events.length,
      pageSize: PAGE_SIZE,
      isCut,
      actions: site
        .added(points.action)
        .filter(({ isFor }) => isFor?.({ isPlanner }) ?? true)
        .map(({ href, label, icon }) => ({ href, label: words.t(label), icon })),
      canAsk: isOn(context.site, 'inquiries'),
      isPlanner,
      mayCopy: hasPermission(context.actor, 'add_event'),
      rows: shown.map(({ worst, others }) => ({ ...worst, ...details.get(worst.id)!, others })),
    })
    const head = html`<link rel="stylesheet" href="${assetUrl('find.css')}"><link rel="stylesheet" href="${assetUrl('shortages.css')}">`
    return { title: words.t('shortages.title'), main, head, wide: true }
  },
})

/** For people who plan: how many shifts need people. */
export async function shortagesLink({ context }: UserRequest): Promise<HomeLink | undefined> {
  const { words, now, site } = context
  const today = dayOf(now, site.timeZone)
  const period = periodOf(context, today, addDays(today, USUAL_DAYS - 1))
  const { shifts } = await findShortShifts(context, period, NO_SHORTAGE_FILTER)
  if (!shifts.length) return undefined
  return { href: PLANNING, label: words.t('shortages.home'), icon: 'triangle-alert', count: shifts.length }
}
