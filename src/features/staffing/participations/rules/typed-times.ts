import { Temporal } from 'temporal-polyfill'
import type { Span } from '#platform/time-span.ts'

/**
 * The local time that a field of own times means: a date with a time, or a time alone as `HH:MM`. That is on the day on which the shift
 * starts; an end that would not be after the start is on the day after it.
 */
export function readOwnTime(text: string, field: 'start' | 'end', shift: Span, timeZone: string): Temporal.PlainDateTime {
  if (!/^\d\d:\d\d$/.test(text)) return Temporal.PlainDateTime.from(text.slice(0, 16))
  const start = Temporal.Instant.fromEpochMilliseconds(shift.start.getTime()).toZonedDateTimeISO(timeZone).toPlainDateTime()
  const sameDay = start.toPlainDate().toPlainDateTime(text)
  const isNextDay = field === 'end' && Temporal.PlainDateTime.compare(sameDay, start) <= 0
  return isNextDay ? sameDay.add({ days: 1 }) : sameDay
}
