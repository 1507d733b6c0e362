import { Temporal } from 'temporal-polyfill'
import type { Language } from './catalogue.ts'

export type DayParts = { weekday: string; day: string; month: string; year: string }

export type Times = {
  /** "Sat 14 Nov"; with the year when `now` is given and in another year. */
  day(at: Date, now?: Date): string
  /** "08:00", always 24 hours; an hour that the clock change repeats also names its zone. */
  time(at: Date): string
  /** "Sat 14 Nov 08:00–16:00", over midnight "Sat 14 Nov 20:00 → Sun 02:00". */
  span(start: Date, end: Date, now?: Date): string
  /** The same without the first day, for lists that have the day as a heading: "20:00 → Sun 02:00". */
  hours(start: Date, end: Date, now?: Date): string
  /** "14 November 2026" */
  date(at: Date): string
  /** "Sat 14 Nov 2026, 08:00" */
  dateTime(at: Date): string
  /** "in 3 days", "tomorrow", "20 minutes ago" */
  relative(at: Date, now: Date): string
  dayParts(at: Date): DayParts
  sameDay(a: Date, b: Date): boolean
  /** The value of `<input type="date">`. */
  inputDate(at: Date): string
  /** The value of `<input type="time">`. */
  inputTime(at: Date): string
  /** The value of `<input type="datetime-local">`. */
  inputDateTime(at: Date): string
}

type Parts = Record<'weekday' | 'day' | 'month' | 'year' | 'hour' | 'minute', string>

const LOCALE: Record<Language, string> = { en: 'en-GB', de: 'de-DE' }
const MINUTE = 60_000
const HOUR = 60 * MINUTE

export function localeOf(language: Language): string {
  return LOCALE[language]
}

export function timesFor(language: Language, timeZone: string): Times {
  const locale = LOCALE[language]
  const short = new Intl.DateTimeFormat(locale, {
    timeZone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  const long = new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'long' })
  const zoneName = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'short' })
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })

  const zoned = (at: Date) => Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone)
  const dayNumber = (at: Date) => zoned(at).toPlainDate()
  const daysBetween = (from: Date, to: Date) => dayNumber(from).until(dayNumber(to)).days

  function partsOf(at: Date): Parts {
    const parts: Partial<Parts> = {}
    for (const { type, value } of short.formatToParts(at)) if (type in PART) parts[type as keyof Parts] = value
    // Put together here and not by Intl: its punctuation changes from one version of its data to the next.
    return { ...PART, ...parts, weekday: (parts.weekday ?? '').replace(/\.$/, '') }
  }
  const dayOf = (parts: Parts, withYear: boolean) =>
    `${parts.weekday} ${parts.day}${language === 'de' ? '.' : ''} ${parts.month}${withYear ? ` ${parts.year}` : ''}`
  const isOtherYear = (parts: Parts, now: Date | undefined) => now !== undefined && partsOf(now).year !== parts.year

  function timeOf(parts: Parts, at: Date): string {
    const time = `${parts.hour}:${parts.minute}`
    if (!isRepeated(at, timeZone)) return time
    const zone = zoneName.formatToParts(at).find((part) => part.type === 'timeZoneName')?.value
    return zone ? `${time} ${zone}` : time
  }

  function endOf(start: Date, end: Date, now: Date | undefined): string {
    const parts = partsOf(end)
    const time = timeOf(parts, end)
    const days = daysBetween(start, end)
    if (days === 0) return `–${time}`
    // Within a day the weekday says enough; later the date is needed.
    const isNight = days === 1 && end.getTime() - start.getTime() < 24 * HOUR
    return ` → ${isNight ? parts.weekday : dayOf(parts, isOtherYear(parts, now))} ${time}`
  }

  const hours = (start: Date, end: Date, now?: Date) => timeOf(partsOf(start), start) + endOf(start, end, now)

  return {
    day: (at, now) => {
      const parts = partsOf(at)
      return dayOf(parts, isOtherYear(parts, now))
    },
    time: (at) => timeOf(partsOf(at), at),
    span: (start, end, now) => {
      const parts = partsOf(start)
      return `${dayOf(parts, isOtherYear(parts, now))} ${hours(start, end, now)}`
    },
    hours,
    date: (at) => long.format(at),
    dateTime: (at) => {
      const parts = partsOf(at)
      return `${dayOf(parts, true)}, ${timeOf(parts, at)}`
    },
    relative: (at, now) => {
      const difference = at.getTime() - now.getTime()
      const size = Math.abs(difference)
      if (size < MINUTE) return relative.format(0, 'second')
      if (size < HOUR) return relative.format(Math.trunc(difference / MINUTE), 'minute')
      const days = daysBetween(now, at)
      if (days === 0 || size < 6 * HOUR) return relative.format(Math.round(difference / HOUR), 'hour')
      if (Math.abs(days) < 14) return relative.format(days, 'day')
      if (Math.abs(days) < 60) return relative.format(Math.round(days / 7), 'week')
      if (Math.abs(days) < 365) return relative.format(Math.round(days / 30.44), 'month')
      return relative.format(Math.round(days / 365.25), 'year')
    },
    dayParts: (at) => {
      const { weekday, day, month, year } = partsOf(at)
      return { weekday, day, month, year }
    },
    sameDay: (a, b) => daysBetween(a, b) === 0,
    inputDate: (at) => zoned(at).toPlainDate().toString(),
    inputTime: (at) => zoned(at).toPlainTime().toString({ smallestUnit: 'minute' }),
    inputDateTime: (at) => zoned(at).toPlainDateTime().toString({ smallestUnit: 'minute' }),
  }
}

const PART: Parts = { weekday: '', day: '', month: '', year: '', hour: '', minute: '' }

function isRepeated(at: Date, timeZone: string): boolean {
  const wall = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone).toPlainDateTime()
  const first = wall.toZonedDateTime(timeZone, { disambiguation: 'earlier' })
  const second = wall.toZonedDateTime(timeZone, { disambiguation: 'later' })
  return first.epochMilliseconds !== second.epochMilliseconds
}
