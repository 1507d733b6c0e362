import { Temporal } from 'temporal-polyfill'
import type { Span } from '#platform/time-span.ts'
import type { Opening } from './model.ts'

/**
 * Reads a stored time: a date-time, or an ISO 8601 duration such as `P3D` before the start of the shift, which stays valid in copies
 * of the shift. Days are calendar days: three days before 9:00 is 9:00, also across a change to daylight saving time. A date-time
 * without an offset is in the instance zone. Undefined if the text is invalid.
 */
export function readMoment(text: string, start: Date, timeZone: string): Date | undefined {
  if (!/^P/i.test(text)) return readFixedMoment(text, timeZone)
  try {
    const before = Temporal.Duration.from(text)
    const from = Temporal.Instant.fromEpochMilliseconds(start.getTime()).toZonedDateTimeISO(timeZone)
    return printable(from.subtract(before))
  } catch {
    return undefined
  }
}

/** Reads a date-time as above; undefined for a duration. */
export function readFixedMoment(text: string, timeZone: string): Date | undefined {
  try {
    if (/(Z|[+-]\d\d:?\d\d)$/i.test(text)) return printable(Temporal.Instant.from(text).toZonedDateTimeISO(timeZone))
    return printable(Temporal.PlainDateTime.from(text).toZonedDateTime(timeZone))
  } catch {
    return undefined
  }
}

/** Date-times of the API have a year of four digits (RFC 3339). */
const printable = (at: Temporal.ZonedDateTime): Date | undefined =>
  at.year >= 1 && at.year <= 9999 ? new Date(at.epochMilliseconds) : undefined

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

/** With the offset of the instance, in the format of the API. */
export const printInstant = (at: Date, timeZone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime())
    .toZonedDateTimeISO(timeZone)
    .toString({ timeZoneName: 'never', fractionalSecondDigits: 0 })

const DEADLINES = ['signup_from', 'signup_until'] as const

/**
 * The configuration of a flow for API clients, which parse deadlines as date-times. A duration before the start is replaced by the
 * time that it stands for, and shown under a key of its own: `signup_until_rule`. Texts that are not times become null.
 */
export function presentDeadlines(configuration: unknown, getStart: () => Date, timeZone: string): unknown {
  if (typeof configuration !== 'object' || configuration === null || Array.isArray(configuration)) return configuration
  const stored = configuration as Record<string, unknown>
  const replaced = DEADLINES.flatMap((key): [string, unknown][] => {
    const text = stored[key]
    if (typeof text !== 'string') return []
    const at = readMoment(text, getStart(), timeZone)
    if (!at) return [[key, null]]
    if (!/^P/i.test(text)) return []
    return [
      [key, printInstant(at, timeZone)],
      [`${key}_rule`, text],
    ]
  })
  return replaced.length ? { ...stored, ...Object.fromEntries(replaced) } : configuration
}
