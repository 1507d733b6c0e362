import { Temporal } from 'temporal-polyfill'
import { instantOf, type ShiftTimes, wallOf } from './shift-times.ts'

/** The day of the instance on which something is. */
export const dayOf = (at: Date, timeZone: string): string => wallOf(at, timeZone).toPlainDate().toString()

export const daysBetween = (from: string, to: string): number =>
  Temporal.PlainDate.from(from).until(Temporal.PlainDate.from(to), { largestUnit: 'days' }).days

/** The same clock, that many days of the calendar later: eight o'clock stays eight o'clock when the clock changes between. */
export const moveByDays = (at: Date, days: number, timeZone: string): Date =>
  new Date(Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone).add({ days }).epochMilliseconds)

/** A night in which the clock changes could turn the order around; then the lengths are kept instead of the clocks. */
export function moveTimes({ meeting, start, end }: ShiftTimes, days: number, timeZone: string): ShiftTimes {
  const from = moveByDays(start, days, timeZone)
  const until = moveByDays(end, days, timeZone)
  const before = moveByDays(meeting, days, timeZone)
  const later = (milliseconds: number) => new Date(from.getTime() + milliseconds)
  return {
    start: from,
    end: until > from ? until : later(end.getTime() - start.getTime()),
    meeting: before <= from ? before : later(meeting.getTime() - start.getTime()),
  }
}

/** With the offset of the instance, as the API tells times. */
export const printInstant = (at: Date, timeZone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime())
    .toZonedDateTimeISO(timeZone)
    .toString({ timeZoneName: 'never', fractionalSecondDigits: 0 })

/** A stored time moves along if it is fixed; what counts from the start (`P3D`), and what nobody can read, stays as it is. */
export function moveStoredTime(text: string, days: number, timeZone: string): string {
  if (/^P/i.test(text)) return text
  try {
    if (/(Z|[+-]\d\d:?\d\d)$/i.test(text))
      return printInstant(moveByDays(new Date(Temporal.Instant.from(text).epochMilliseconds), days, timeZone), timeZone)
    return printInstant(moveByDays(instantOf(Temporal.PlainDateTime.from(text), timeZone), days, timeZone), timeZone)
  } catch {
    return text
  }
}
