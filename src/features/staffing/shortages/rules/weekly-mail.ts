import { Temporal } from 'temporal-polyfill'

const MONDAY = 1
const FROM_HOUR = 7
/** A server that was off at seven sends the mail later in the morning. */
const UNTIL_HOUR = 12

/** Monday from 7:00 until noon in the zone of the instance. */
export function isWeeklyMailDue(now: Date, timeZone: string): boolean {
  const local = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone)
  return local.dayOfWeek === MONDAY && local.hour >= FROM_HOUR && local.hour < UNTIL_HOUR
}
