import { dayOf } from '#features/accounts/users/rules.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { readFieldDay } from '#platform/i18n/typed-dates.ts'
import { readId } from '#platform/ids.ts'
import type { HoursFilter } from '../queries.ts'
import { yearPeriod } from '../rules.ts'
import type { HoursQuery } from '../views/hours.ts'

export const currentYear = ({ now, site }: RequestContext): string => dayOf(now, site.timeZone).slice(0, 4)

/** Invalid values count as absent; without a period, the current year is shown. */
export function readHoursQuery(context: RequestContext, raw: URLSearchParams): HoursQuery {
  const year = yearPeriod(currentYear(context))
  const from = readFieldDay(raw.get('from'))
  const to = readFieldDay(raw.get('to'))
  const isGiven = from !== undefined || to !== undefined
  return {
    from: from ?? (isGiven ? '1900-01-01' : year.from),
    to: to ?? (isGiven ? dayOf(context.now, context.site.timeZone) : year.to),
    type: readId(raw.get('type')),
  }
}

export const filterOf = ({ from, to, type }: HoursQuery): HoursFilter => ({ from, to, typeId: type })
