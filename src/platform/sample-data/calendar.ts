import { Temporal } from 'temporal-polyfill'

export const HOUR = 3_600_000
export const DAY = 24 * HOUR

/** Days and times in the instance zone. Week 0 contains `now`; weekday 1 is Monday. */
export type Calendar = {
  /** Of today. */
  weekday: number
  /** `hours` later in local time, also across a change to daylight saving time. */
  at: (week: number, weekday: number, clock: string, hours?: number) => Date
  /** `YYYY-MM-DD`, `days` from today, in the year `years` away. */
  dayFrom: (days: number, years?: number) => string
  endOfDay: (days: number) => Date
  /** ISO 8601 with the offset of the zone. */
  iso: (at: Date) => string
  /** Completed years on the day of `at`. */
  ageAt: (birthday: string, at: Date) => number
}

export function makeCalendar(now: Date, timeZone: string): Calendar {
  const zoned = (at: Date) => Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone)
  const today = zoned(now).toPlainDate()
  const monday = today.subtract({ days: today.dayOfWeek - 1 })
  const instant = (date: Temporal.PlainDateTime) => new Date(date.toZonedDateTime(timeZone).epochMilliseconds)
  return {
    weekday: today.dayOfWeek,
    at: (week, weekday, clock, hours = 0) => {
      const date = monday.add({ days: 7 * week + weekday - 1 }).toPlainDateTime(Temporal.PlainTime.from(clock))
      return instant(date.add({ minutes: Math.round(hours * 60) }))
    },
    dayFrom: (days, years = 0) => today.add({ years }).add({ days }).toString(),
    endOfDay: (days) => new Date(instant(today.add({ days: days + 1 }).toPlainDateTime('00:00')).getTime() - 1000),
    iso: (at) => zoned(at).toString({ timeZoneName: 'never', smallestUnit: 'second' }),
    ageAt: (birthday, at) => Temporal.PlainDate.from(birthday).until(zoned(at).toPlainDate(), { largestUnit: 'years' }).years,
  }
}
