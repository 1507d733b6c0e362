import { Temporal } from 'temporal-polyfill'
import { remembered } from '../remembered.ts'
import type { Language } from './languages.ts'
import { localeOf } from './times.ts'

/** A day of the calendar without a zone, as `<input type="date">` writes it. */
export type Day = string

/** Of a locale, from Monday as 1. */
const readFirstWeekday = remembered((name) => {
  const locale: Intl.Locale & { getWeekInfo?: () => { firstDay: number } } = new Intl.Locale(name)
  return locale.getWeekInfo?.().firstDay ?? 1
}, 100)

const firstWeekdayOf = (language: Language): number => readFirstWeekday(localeOf(language))

/** Undefined for what is no day. Years beyond these are typing mistakes, and some databases end there. */
export function readDay(text: string | null | undefined): Day | undefined {
  if (!text || !/^(19|20|21)\d\d-\d\d-\d\d$/.test(text)) return undefined
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' }).toString()
  } catch {
    return undefined
  }
}

export const addDays = (day: Day, days: number): Day => Temporal.PlainDate.from(day).add({ days }).toString()

/** The Monday of the day's week. */
export function mondayOf(day: Day): Day {
  const date = Temporal.PlainDate.from(day)
  return date.subtract({ days: date.dayOfWeek - 1 }).toString()
}

/** In milliseconds, of a day and a zone. A calendar asks for the same 32 days of a month. */
const readStartOfDay = remembered((text) => {
  const [day, timeZone] = text.split(' ') as [Day, string]
  return Temporal.PlainDate.from(day).toZonedDateTime(timeZone).epochMilliseconds
}, 1_000)

/** The moment at which a day begins there; on some days of clock changes that is not midnight. */
export const startOfDay = (day: Day, timeZone: string): Date => new Date(readStartOfDay(`${day} ${timeZone}`))

/** A day with the moments between which it lies there: 23 hours, 24, or 25. */
export function spanOfDay(day: Day, timeZone: string): { day: Day; start: Date; end: Date } {
  return { day, start: startOfDay(day, timeZone), end: startOfDay(addDays(day, 1), timeZone) }
}

export type Month = {
  /** `2031-05` */
  name: string
  days: Day[]
  /** Days of the week before the first one, beginning with the reader's first weekday. */
  gap: number
  previous: string
  next: string
}

/** Undefined for what is no month. */
export function readMonth(text: string | null | undefined, language: Language): Month | undefined {
  const first = /^\d{4}-\d\d$/.test(text ?? '') ? readDay(`${text}-01`) : undefined
  return first === undefined ? undefined : monthFrom(first, language)
}

export function monthFrom(day: Day, language: Language): Month {
  const first = Temporal.PlainDate.from(day).with({ day: 1 })
  const nameOf = (date: Temporal.PlainDate) => date.toString().slice(0, 7)
  return {
    name: nameOf(first),
    days: Array.from({ length: first.daysInMonth }, (_, index) => first.add({ days: index }).toString()),
    gap: (first.dayOfWeek - firstWeekdayOf(language) + 7) % 7,
    previous: nameOf(first.subtract({ months: 1 })),
    next: nameOf(first.add({ months: 1 })),
  }
}

/** The week of the reader that contains the day. */
export function weekOf(day: Day, language: Language): Day[] {
  const { dayOfWeek } = Temporal.PlainDate.from(day)
  const first = addDays(day, -((dayOfWeek - firstWeekdayOf(language) + 7) % 7))
  return Array.from({ length: 7 }, (_, index) => addDays(first, index))
}

/** The seven days of some week in the reader's order, for the heads of columns. */
export const weekFor = (language: Language): Day[] => weekOf('2024-01-01', language)
