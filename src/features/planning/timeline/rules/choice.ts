import { pickDay } from '#features/events/events/rules/shift-days.ts'
import { timelinePath } from '#features/staffing/disposition/rules/paths.ts'
import { addDays, type Day } from '#platform/i18n/days.ts'
import type { Words } from '#platform/i18n/words.ts'
import type { Span } from '#platform/time-span.ts'

/** More days side by side take too long to scroll through. */
const MAX_DAYS_TOGETHER = 7

/** What the address chooses: a day, all days, or undefined for today or the next day with shifts. */
export type TimelineChoice = { day: Day | 'all' | undefined; isWide: boolean }

export function readChoice(query: URLSearchParams): TimelineChoice {
  const day = query.get('day') ?? ''
  return { day: /^(\d{4}-\d\d-\d\d|all)$/.test(day) ? day : undefined, isWide: query.get('zoom') === 'wide' }
}

function writeChoice({ day, isWide }: TimelineChoice): string {
  const query = new URLSearchParams({ ...(day && { day }), ...(isWide && { zoom: 'wide' }) })
  return query.size ? `?${query}` : ''
}

export const timelineUrl = (eventId: number, choice: TimelineChoice): string => timelinePath(eventId) + writeChoice(choice)

/** The page with the times of a shift; `choice`: the grid to return to. */
export const timesPath = (shiftId: number, choice: TimelineChoice): string => `/shifts/${shiftId}/times/${writeChoice(choice)}`

type Clock = Pick<Words, 'inputDate'>

/** Days on which a shift takes place. */
export function daysOf(shifts: readonly Span[], words: Clock): Day[] {
  const days = shifts.flatMap(({ start, end }) => {
    const last = words.inputDate(new Date(Math.max(start.getTime(), end.getTime() - 1)))
    const own = [words.inputDate(start)]
    while (own.at(-1)! < last) own.push(addDays(own.at(-1)!, 1))
    return own
  })
  return [...new Set(days)].sort()
}

export const canShowAll = (days: readonly Day[]): boolean => days.length > 1 && daysBetween(days).length <= MAX_DAYS_TOGETHER

/** The days that the grid shows. */
export function pickDays(shifts: readonly Span[], wanted: TimelineChoice['day'], now: Date, words: Clock): Day[] {
  const days = daysOf(shifts, words)
  if (wanted === 'all' && canShowAll(days)) return daysBetween(days)
  return [pickDay(shifts, wanted && wanted !== 'all' ? wanted : null, now, words)]
}

/** Also days without shifts. At most one more than are shown together. */
function daysBetween(days: readonly Day[]): Day[] {
  const all = [days[0]!]
  while (all.at(-1)! < days.at(-1)! && all.length <= MAX_DAYS_TOGETHER) all.push(addDays(all.at(-1)!, 1))
  return all
}
