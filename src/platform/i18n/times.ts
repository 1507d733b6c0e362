import type { Language } from './languages.ts'
import { zoneOf } from './zone.ts'

type DayParts = { weekday: string; day: string; month: string; year: string }

export type Times = {
  /** "Sat 14 Nov"; with the year when `now` is given and in another year. */
  day(at: Date, now?: Date): string
  /** "08:00", always 24 hours; an hour that the clock change repeats also names its zone. */
  time(at: Date): string
  /** "Sat 14 Nov 08:00–16:00", over midnight "Sat 14 Nov 20:00 → Sun 02:00". */
  span(start: Date, end: Date, now?: Date): string
  /** A span without its first day, for lists that have the day as a heading: "20:00 → Sun 02:00". */
  hours(start: Date, end: Date, now?: Date): string
  /** "14 November 2026" */
  date(at: Date): string
  /** "14 Nov 2026", in German "14.11.2026", as people type it. */
  shortDate(at: Date): string
  /** "14–20 Nov 2026", both days included. */
  dates(first: Date, last: Date): string
  /** "November 2026" */
  month(at: Date): string
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

/** Where the language alone would mean the habits of another country. */
const LOCALES: Readonly<Record<string, string>> = { en: 'en-GB', de: 'de-DE' }
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Pages write thousands of times, and `toISOString` takes ten times as long. */
const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'))
const wrap = (value: number, size: number): number => ((value % size) + size) % size

export function localeOf(language: Language): string {
  return LOCALES[language] ?? language
}

export function timesFor(language: Language, timeZone: string): Times {
  const locale = localeOf(language)
  const zone = zoneOf(timeZone)
  const long = new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'long' })
  const month = new Intl.DateTimeFormat(locale, { timeZone, month: 'long', year: 'numeric' })
  const zoneName = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'short' })
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const partsOfDay = dayPartsFor(locale)
  const dot = endsDaysWithDot(locale) ? '.' : ''
  const numericSeparator = numericSeparatorOf(locale)

  const wall = (at: Date) => at.getTime() + zone.offsetAt(at.getTime())
  const dayNumber = (at: Date) => Math.floor(wall(at) / DAY)
  const partsOf = (at: Date) => partsOfDay(dayNumber(at))
  const wallText = (at: Date) => new Date(wall(at)).toISOString()

  const dayOf = (parts: DayParts, now: Date | undefined) => {
    const day = `${parts.weekday} ${parts.day}${dot} ${parts.month}`
    return now !== undefined && partsOf(now).year !== parts.year ? `${day} ${parts.year}` : day
  }

  function time(at: Date): string {
    const minutes = Math.floor(wall(at) / MINUTE)
    const text = `${TWO_DIGITS[wrap(Math.floor(minutes / 60), 24)]}:${TWO_DIGITS[wrap(minutes, 60)]}`
    if (!zone.isRepeated(at.getTime())) return text
    const name = zoneName.formatToParts(at).find((part) => part.type === 'timeZoneName')?.value
    return name ? `${text} ${name}` : text
  }

  function hours(start: Date, end: Date, now?: Date): string {
    const days = dayNumber(end) - dayNumber(start)
    if (days === 0) return `${time(start)}–${time(end)}`
    // Within a day the weekday says enough; later the date is needed.
    const isNight = days === 1 && end.getTime() - start.getTime() < DAY
    return `${time(start)} → ${isNight ? partsOf(end).weekday : dayOf(partsOf(end), now)} ${time(end)}`
  }

  /** The month and the year once if they are the same. */
  function dates(first: Date, last: Date): string {
    const [from, to] = [partsOf(first), partsOf(last)]
    const end = `${to.day}${dot} ${to.month} ${to.year}`
    if (from.year !== to.year) return `${from.day}${dot} ${from.month} ${from.year} – ${end}`
    return from.month === to.month ? `${from.day}${dot}–${end}` : `${from.day}${dot} ${from.month} – ${end}`
  }

  function relativeTo(at: Date, now: Date): string {
    const difference = at.getTime() - now.getTime()
    const size = Math.abs(difference)
    if (size < MINUTE) return relative.format(0, 'second')
    if (size < HOUR) return relative.format(Math.trunc(difference / MINUTE), 'minute')
    const days = dayNumber(at) - dayNumber(now)
    if (days === 0 || size < 6 * HOUR) return relative.format(Math.round(difference / HOUR), 'hour')
    if (Math.abs(days) < 14) return relative.format(days, 'day')
    if (Math.abs(days) < 60) return relative.format(Math.round(days / 7), 'week')
    if (Math.abs(days) < 365) return relative.format(Math.round(days / 30.44), 'month')
    return relative.format(Math.round(days / 365.25), 'year')
  }

  return {
    day: (at, now) => dayOf(partsOf(at), now),
    time,
    span: (start, end, now) => `${dayOf(partsOf(start), now)} ${hours(start, end, now)}`,
    hours,
    date: (at) => long.format(at),
    dates,
    shortDate: (at) => {
      const [year, monthNumber, dayOfMonth] = wallText(at).slice(0, 10).split('-')
      // Names of months are read back in English and German only.
      if (language === 'en') return `${partsOf(at).day} ${partsOf(at).month} ${year}`
      return [dayOfMonth, monthNumber, year].join(numericSeparator)
    },
    month: (at) => month.format(at),
    dateTime: (at) => `${dayOf(partsOf(at), undefined)} ${partsOf(at).year}, ${time(at)}`,
    relative: relativeTo,
    dayParts: partsOf,
    sameDay: (a, b) => dayNumber(a) === dayNumber(b),
    inputDate: (at) => wallText(at).slice(0, 10),
    inputTime: (at) => wallText(at).slice(11, 16),
    inputDateTime: (at) => wallText(at).slice(0, 16),
  }
}

/** As in "14. Nov". */
const endsDaysWithDot = (locale: string): boolean =>
  /^14\./.test(
    new Intl.DateTimeFormat(locale, { timeZone: 'UTC', day: 'numeric', month: 'short' }).format(Date.UTC(2026, 10, 14)),
  )

/** Between day, month and year in numbers. Both are read back. */
function numericSeparatorOf(locale: string): '.' | '/' {
  const parts = new Intl.DateTimeFormat(locale, {
    timeZone: 'UTC',
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
  }).formatToParts(0)
  return parts.some(({ type, value }) => type === 'literal' && value.startsWith('.')) ? '.' : '/'
}

/** Put together here and not by Intl, whose punctuation changes from one version of its data to the next. */
function dayPartsFor(locale: string): (day: number) => DayParts {
  const format = new Intl.DateTimeFormat(locale, {
    timeZone: 'UTC',
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  })
  const known = new Map<number, DayParts>()
  return (day) => {
    let parts = known.get(day)
    if (!parts) {
      const found = Object.fromEntries(format.formatToParts(day * DAY).map(({ type, value }) => [type, value]))
      const { weekday = '', month = '', year = '' } = found
      parts = { weekday: weekday.replace(/\.$/, ''), day: found.day ?? '', month, year }
      // Bounded, because old dates come from what people type.
      if (known.size >= 2000) known.clear()
      known.set(day, parts)
    }
    return parts
  }
}
