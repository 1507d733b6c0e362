import { Temporal } from 'temporal-polyfill'
import type { Span } from '#platform/time-span.ts'

/**
 * The local time that a field of own times means: a date with a time, or a time alone as `HH:MM`. That is on the day on which the shift
 * starts; on a shift over midnight, an end that would not be after its start is on the day after it.
 */
export function readOwnTime(text: string, field: 'start' | 'end', shift: Span, timeZone: string): Temporal.PlainDateTime {
  if (!/^\d\d:\d\d$/.test(text)) return Temporal.PlainDateTime.from(text.slice(0, 16))
  const local = (at: Date) => Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone).toPlainDateTime()
  const start = local(shift.start)
  const sameDay = start.toPlainDate().toPlainDateTime(text)
  const isOverMidnight = !local(shift.end).toPlainDate().equals(start.toPlainDate())
  const isNextDay = field === 'end' && isOverMidnight && Temporal.PlainDateTime.compare(sameDay, start) <= 0
  return isNextDay ? sameDay.add({ days: 1 }) : sameDay
}
