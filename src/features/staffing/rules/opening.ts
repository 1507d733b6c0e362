import { Temporal } from 'temporal-polyfill'
import type { Span } from '#platform/time-span.ts'
import type { Opening } from './model.ts'

/**
 * A stored time: a date-time, or a duration such as `P3D`, which means that long before the start and survives copying. Days are
 * days of the calendar: three days before nine o'clock is nine o'clock, also when the clock changes between. Without an offset it
 * is the clock of the instance. Undefined: nobody can read it.
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

/** Without a closing time, and at the latest, sign-up closes with the end of the shift. Undefined: a time cannot be read. */
export function readOpening(
  { from, until }: { from: string | null; until: string | null },
  shift: Span,
  timeZone: string,
): Opening | undefined {
  const opensAt = from === null ? null : readMoment(from, shift.start, timeZone)
  const told = until === null ? shift.end : readMoment(until, shift.start, timeZone)
  if (opensAt === undefined || told === undefined) return undefined
  return { opensAt, closesAt: told < shift.end ? told : shift.end }
}
