import { Temporal } from 'temporal-polyfill'
import { addDays, type Day, startOfDay } from '#platform/i18n/days.ts'
import { type DayFaults, readFilterDays } from '#platform/i18n/filter-days.ts'
import { readId } from '#platform/ids.ts'

export const REPORTS = '/planning/reports/'
export const REPORT_TO_PRINT = '/planning/reports/print/'
export const REPORT_EXPORT = '/planning/reports/export/'

/** The choices of the page; all of them are query parameters of its URL. */
export type ReportChoice = {
  from: Day
  /** Included. */
  until: Day
  type: number | undefined
  group: number | undefined
  /** Days that were typed and left out. */
  faults: DayFaults
}

/** Longer periods would not fit into a chart. */
export const MAX_MONTHS = 36

const firstOfMonth = (day: Day): Day => `${day.slice(0, 8)}01`

function addMonths(day: Day, months: number): Day {
  return Temporal.PlainDate.from(day).add({ months }).toString()
}

/** Twelve months, the current one included. */
const lastMonths = (today: Day): Pick<ReportChoice, 'from' | 'until'> => ({
  from: addMonths(firstOfMonth(today), -11),
  until: today,
})

/** The year until today. Undefined for what is no year that has begun. */
function yearUntil(text: string | null, today: Day): Pick<ReportChoice, 'from' | 'until'> | undefined {
  if (!/^(19|20)\d\d$/.test(text ?? '') || text! > today.slice(0, 4)) return undefined
  const end = `${text}-12-31`
  return { from: `${text}-01-01`, until: end < today ? end : today }
}

/** Ignores choices it does not know: people edit URLs by hand. The page names days that cannot be read. Reports end today at the latest, and cover at most `MAX_MONTHS`. */
export function readReportChoice(raw: URLSearchParams, today: Day): ReportChoice {
  const usual = yearUntil(raw.get('year'), today) ?? lastMonths(today)
  const { first, last, faults } = readFilterDays(raw, { first: 'from', last: 'until' }, { until: today })
  const until = last !== undefined && last < today ? last : last ? today : usual.until
  const from = first !== undefined && first <= until ? first : usual.from <= until ? usual.from : until
  const earliest = addMonths(firstOfMonth(until), 1 - MAX_MONTHS)
  return {
    from: from < earliest ? earliest : from,
    until,
    type: readId(raw.get('type')),
    group: readId(raw.get('group')),
    faults,
  }
}

export function reportQuery(
  { from, until, type, group }: Omit<ReportChoice, 'faults'>,
  more: Record<string, string> = {},
): string {
  const query = new URLSearchParams({ from, until, ...more })
  if (type !== undefined) query.set('type', String(type))
  if (group !== undefined) query.set('group', String(group))
  return `?${query}`
}

/** First days of the months of a period; the first one is the first day of the period. */
export function monthsOf({ from, until }: Pick<ReportChoice, 'from' | 'until'>): Day[] {
  const months: Day[] = []
  for (let day = from; day <= until; day = addMonths(firstOfMonth(day), 1)) months.push(day)
  return months
}

/** Starts of the months, and the end of the period. */
export const boundsOf = (choice: Pick<ReportChoice, 'from' | 'until'>, timeZone: string): Date[] =>
  [...monthsOf(choice), addDays(choice.until, 1)].map((day) => startOfDay(day, timeZone))
