import { Temporal } from 'temporal-polyfill'
import type { Span } from '#platform/time-span.ts'
import type { Opening } from './model.ts'

/**
 * Reads a stored time: a date-time, or an ISO 8601 duration such as `P3D` before the start of the shift, which stays valid in copies
 * of the shift. Days are calendar days: three days before 9:00 is 9:00, also across a change to daylight saving time. A date-time
 * without an offset is in the instance zone. Undefined if the text is invalid.
 */
export function readMoment(text: string, start: Date, timeZone: string): Date | undefined {
  try {
    if (/^P/i.test(text)) {
      const before = Temporal.Duration.from(text)
      const from = Temporal.Instant.fromEpochMilliseconds(start.getTime()).toZonedDateTimeISO(timeZone)
      return new Date(from.subtract(before).epochMilliseconds)
    }
    if (/(Z|[+-]\d\d:?\d\d)$/i.test(text)) return new Date(Temporal.Instant.from(text).epochMilliseconds)
    return new Date(Temporal.PlainDateTime.from(text).toZonedDateTime(timeZone).epochMilliseconds)
  } catch {
    return undefined
  }
}

/** Sign-up closes at the end of the shift at the latest. Undefined if a time is invalid. */
export function readOpening(
  { from, until }: { from: string | null; until: string | null },
  shift: Span,
  timeZone: string,
): Opening | undefined {
  const opensAt = from === null ? null : readMoment(from, shift.start, timeZone)
  const closing = until === null ? shift.end : readMoment(until, shift.start, timeZone)
  if (opensAt === undefined || closing === undefined) return undefined
  return { opensAt, closesAt: closing < shift.end ? closing : shift.end }
}
