import { dayOf } from '#features/accounts/users/rules.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { readFilterDays } from '#platform/i18n/filter-days.ts'
import { readId } from '#platform/ids.ts'
import type { HoursFilter } from '../queries.ts'
import { yearPeriod } from '../rules.ts'
import type { HoursQuery } from '../views/hours.ts'

export const currentYear = ({ now, site }: RequestContext): string => dayOf(now, site.timeZone).slice(0, 4)

/** Without a period, the current year is shown. Days without a year are in the past. */
export function readHoursQuery(context: RequestContext, raw: URLSearchParams): HoursQuery {
  const year = yearPeriod(currentYear(context))
  const today = dayOf(context.now, context.site.timeZone)
  const { first: from, last: to, faults } = readFilterDays(raw, { first: 'from', last: 'to' }, { until: today })
  const isGiven = from !== undefined || to !== undefined
  return {
    from: from ?? (isGiven ? '1900-01-01' : year.from),
    to: to ?? (isGiven ? today : year.to),
    type: readId(raw.get('type')),
    faults,
  }
}

export const filterOf = ({ from, to, type }: HoursQuery): HoursFilter => ({ from, to, typeId: type })
