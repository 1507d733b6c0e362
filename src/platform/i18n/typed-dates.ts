import { Temporal } from 'temporal-polyfill'
import { addDays, type Day } from './days.ts'
import { LANGUAGES } from './languages.ts'

/** Day first as in Europe, or month first as in the United States. */
export type DateOrder = 'dmy' | 'mdy'

/** How people shorten months besides what `Intl` knows. */
const MONTHS = [
  'janner jaenner',
  'feber fev',
  'mrz maerz',
  'avr',
  'mai',
  '',
  'juil',
  '',
  'sep sept set',
  'okt oct ott',
  'листоп',
  '',
].map((names) => names.split(' '))

/** The same of weekdays, from Monday. */
const WEEKDAYS = [
  'mo mon',
  'di die tu tue tues',
  'mi mit we wed weds',
  'do don th thu thur thurs',
  'fr fre fri',
  'sa sat sonnabend',
  'so son su sun',
].map((names) => names.split(' '))

/** Days near today besides how `Intl` writes them, by their distance in days. */
const NEAR_DAYS: readonly [distance: number, names: readonly string[]][] = [
  [-2, ['day before yesterday', 'the day before yesterday', 'avantieri', 'altro ieri', 'antes de ayer', 'antier']],
  [-1, ['вчора']],
  [0, ['dziś']],
  [2, ['day after tomorrow', 'the day after tomorrow', 'uebermorgen', 'dopo domani']],
]

const ISO = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ]\d{1,2}:\d{2}.*)?$/
const DOTS = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4}|\d{2})$/
const SLASHES = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4}|\d{2})$/
const DAY_NAME = /^(\d{1,2})(?:\.|st|nd|rd|th|er|º|°)?\s+(?:(?:of|de)\s+)?(\p{L}+)\.?,?\s+(?:de\s+)?(\d{4})(?:\s?[rр]\.)?$/u
const NAME_DAY = /^(\p{L}+)\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})$/u
const SHORT_DOTS = /^(\d{1,2})\.\s?(\d{1,2})\.?$/
const SHORT_SLASHES = /^(\d{1,2})\/(\d{1,2})$/
const SHORT_DAY_NAME = /^(\d{1,2})(?:\.|st|nd|rd|th|er|º|°)?\s*(?:(?:of|de)\s+)?(\p{L}+)\.?$/u
const SHORT_NAME_DAY = /^(\p{L}+)\.?\s+(\d{1,2})(?:\.|st|nd|rd|th)?$/u
const WEEKDAY_FIRST = /^([\p{L}’ʼ']+)\.?,?\s+(?:(?:the|den|dem|am|der|le|il|el)\s+)?(?=.*\d)(.+)$/u

const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/[\p{M}.’ʼ']/gu, '')
    .toLowerCase()

type Names = Record<'months' | 'weekdays' | 'nearDays', ReadonlyMap<string, number>>

/**
 * Months and weekdays by their folded names, long and short, and the days near today, in all languages of the pages. No name means two
 * months, two weekdays or two days.
 */
function loadNames(): Names {
  const months = new Map(MONTHS.flatMap((names, index) => names.map((name) => [name, index + 1])))
  const weekdays = new Map(WEEKDAYS.flatMap((names, index) => names.map((name) => [name, index + 1])))
  const nearDays = new Map(NEAR_DAYS.flatMap(([distance, names]) => names.map((name) => [fold(name), distance])))
  for (const language of LANGUAGES) {
    const near = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
    for (let distance = -2; distance <= 2; distance++) {
      const name = fold(near.format(distance, 'day'))
      if (!/\d/.test(name)) nearDays.set(name, distance)
    }
    for (const length of ['long', 'short'] as const) {
      const nameOf = (part: 'month' | 'weekday', more: Intl.DateTimeFormatOptions = {}) => {
        const format = new Intl.DateTimeFormat(language, { [part]: length, ...more, timeZone: 'UTC' })
        return (date: number) => fold(format.formatToParts(date).find(({ type }) => type === part)!.value)
      }
      // With a day, many languages have another form.
      for (const name of [nameOf('month'), nameOf('month', { day: 'numeric' })])
        for (let month = 1; month <= 12; month++) months.set(name(Date.UTC(2024, month - 1, 1)), month)
      const name = nameOf('weekday')
      for (let day = 1; day <= 7; day++) weekdays.set(name(Date.UTC(2024, 0, day)), day)
    }
  }
  return { months, weekdays, nearDays }
}

let names: Names | undefined
function namesOf(kind: keyof Names): ReadonlyMap<string, number> {
  names ??= loadNames()
  return names[kind]
}

const monthOf = (name: string): number => namesOf('months').get(fold(name)) ?? 0
const weekdayOf = (name: string): number => namesOf('weekdays').get(fold(name)) ?? 0

/** Short years are in the hundred years up to `lastYear`. */
function fullYear(text: string, lastYear: number): number {
  if (text.length === 4) return Number(text)
  const year = Math.floor(lastYear / 100) * 100 + Number(text)
  return year > lastYear ? year - 100 : year
}

function makeDay(year: number, month: number, day: number): string | undefined {
  try {
    return Temporal.PlainDate.from({ year, month, day }, { overflow: 'reject' }).toString()
  } catch {
    return undefined
  }
}

/** `lastYear`: the latest year that a short year can mean. */
type DateReading = { order: DateOrder | undefined; lastYear: number }

/** `YYYY-MM-DD`; undefined if the text is no date, `ambiguous` if it needs an order. */
export function parseDay(text: string, { order, lastYear }: DateReading): string | 'ambiguous' | undefined {
  const [, ...iso] = ISO.exec(text) ?? []
  if (iso.length) return makeDay(Number(iso[0]), Number(iso[1]), Number(iso[2]))
  const [, ...dots] = DOTS.exec(text) ?? []
  if (dots.length) return makeDay(fullYear(dots[2]!, lastYear), Number(dots[1]), Number(dots[0]))
  const [, first, second, year] = SLASHES.exec(text) ?? []
  if (first !== undefined && second !== undefined && year !== undefined) {
    const used = order ?? orderOf(text) ?? (Number(first) === Number(second) ? 'dmy' : undefined)
    if (!used) return Number(first) > 12 ? undefined : 'ambiguous'
    const [day, month] = used === 'dmy' ? [first, second] : [second, first]
    return makeDay(fullYear(year, lastYear), Number(month), Number(day))
  }
  const [, ...named] = DAY_NAME.exec(text) ?? []
  if (named.length) return makeDay(Number(named[2]), monthOf(named[1]!), Number(named[0]))
  const [, ...american] = NAME_DAY.exec(text) ?? []
  return american.length ? makeDay(Number(american[2]), monthOf(american[0]!), Number(american[1])) : undefined
}

/** The order that one date proves. */
function orderOf(text: string): DateOrder | undefined {
  const [, first, second] = SLASHES.exec(text) ?? []
  if (first === undefined || Number(first) > 12 === Number(second) > 12) return undefined
  return Number(first) > 12 ? 'dmy' : 'mdy'
}

/**
 * The order of the dates with slashes in a column: `none` if there are no such dates, `ambiguous` if none of them proves an order, and
 * `mixed` if some prove one order and some the other.
 */
export type FoundOrder = DateOrder | 'none' | 'ambiguous' | 'mixed'

export function detectOrder(texts: Iterable<string>): FoundOrder {
  const found = new Set<DateOrder>()
  let isAmbiguous = false
  for (const text of texts) {
    if (!SLASHES.test(text)) continue
    const order = orderOf(text)
    if (order) found.add(order)
    else isAmbiguous = true
  }
  if (found.size === 2) return 'mixed'
  const [order] = found
  return order ?? (isAmbiguous ? 'ambiguous' : 'none')
}

/**
 * A date without a year is the first such day from `from` on, or the last one up to `until`; without either, a date needs its year.
 * `today`: for words such as “tomorrow”, which are no dates without it.
 * `order`: of dates with slashes that do not prove one themselves; all languages of the pages write the day first.
 */
export type TypedReading = {
  from?: Day | undefined
  until?: Day | undefined
  today?: Day | undefined
  order?: DateOrder | undefined
}
type TypedDay = { ok: true; day: Day } | { ok: false; code: 'unreadable' | 'wrong_weekday' }

/** A date as people write it when they plan: 14.11.2026, 14.11., Sa 14.11., 14 Nov, Nov 14, 2026-11-14, 14/11/2026, tomorrow. */
export function readTypedDay(text: string, reading: TypedReading): TypedDay {
  const typed = text.trim().replaceAll(/\s+/g, ' ')
  const distance = reading.today === undefined ? undefined : namesOf('nearDays').get(fold(typed))
  if (distance !== undefined) return { ok: true, day: addDays(reading.today!, distance) }
  const [, name = '', rest = ''] = WEEKDAY_FIRST.exec(typed) ?? []
  const named = weekdayOf(name)
  const after = named ? findDay(rest, reading) : undefined
  // “Mar” is March in front of a number, and a Tuesday in front of a date.
  const weekday = after === undefined ? 0 : named
  const day = after ?? findDay(typed, reading)
  // Years beyond these are typing mistakes.
  if (day === undefined || !/^(19|20|21)/.test(day)) return { ok: false, code: 'unreadable' }
  if (weekday && Temporal.PlainDate.from(day).dayOfWeek !== weekday) return { ok: false, code: 'wrong_weekday' }
  return { ok: true, day }
}

function findDay(text: string, { order, ...near }: TypedReading): Day | undefined {
  const full = parseDay(text, { order: orderOf(text) ?? order ?? 'dmy', lastYear: LAST_SHORT_YEAR })
  if (full !== undefined) return full
  const [, ...dots] = SHORT_DOTS.exec(text) ?? []
  if (dots.length) return nearestDay(near, Number(dots[1]), Number(dots[0]))
  const [, first, second] = SHORT_SLASHES.exec(text) ?? []
  if (first !== undefined && second !== undefined) {
    const isMonthFirst = Number(second) > 12 || (order === 'mdy' && Number(first) <= 12)
    return isMonthFirst ? nearestDay(near, Number(first), Number(second)) : nearestDay(near, Number(second), Number(first))
  }
  const [, ...named] = SHORT_DAY_NAME.exec(text) ?? []
  if (named.length) return nearestDay(near, monthOf(named[1]!), Number(named[0]))
  const [, ...american] = SHORT_NAME_DAY.exec(text) ?? []
  return american.length ? nearestDay(near, monthOf(american[0]!), Number(american[1])) : undefined
}

/** 70 to 99 are years of birth. */
const LAST_SHORT_YEAR = 2069
/** 29 February is missing in up to seven years in a row. */
const YEARS_WITHOUT_LEAP_DAY = 8

function nearestDay({ from, until }: Pick<TypedReading, 'from' | 'until'>, month: number, day: number): Day | undefined {
  const limit = from ?? until
  if (limit === undefined) return undefined
  const step = from === undefined ? -1 : 1
  for (let years = 0; years <= YEARS_WITHOUT_LEAP_DAY; years++) {
    const found = makeDay(Number(limit.slice(0, 4)) + step * years, month, day)
    if (found !== undefined && (step > 0 ? found >= limit : found <= limit)) return found
  }
  return undefined
}

/** The content of a field for a date: as browsers write it, or as people do where a browser has no such field. Needs the year. */
export function readFieldDay(text: string | null | undefined): Day | undefined {
  const read = readTypedDay(text ?? '', {})
  return read.ok ? read.day : undefined
}

const MOMENT = /^(.+?(?:\d{4}(?:\s?[rр]\.)?|\d\.\s?\d\d|-\d\d)),?\s+(?:(?:um|at|à|a las|alle|om|o|о) )?(.+)$/iu

/** The same of a date with a time, such as 14.11.2026 8:00 or Nov 14, 2026 at 8am, as `YYYY-MM-DDTHH:MM`. */
export function readFieldMoment(text: string): string | undefined {
  const [, date, clock] = MOMENT.exec(text.trim()) ?? []
  const day = readFieldDay(date)
  const time = clock === undefined ? undefined : readTypedTime(clock)
  return day === undefined || time === undefined || time === '24:00' ? undefined : `${day}T${time}`
}

const CLOCK = /^(\d{1,2})(?:(?::|\.|\s?h\s?| uhr )(\d{2}))?(?::00)?\s?(?:uhr|uur|h|o[’']clock)?\s?(?:([ap])\.?\s?m\.?)?$/i
const DIGITS = /^(\d{1,2})(\d{2})\s?(?:uhr|h)?$/i

/** A time of day as people write it: 8, 8:00, 08.00, 8 Uhr, 8h30, 830, 0800, 8am. `HH:MM`, for the end of a day `24:00`. */
export function readTypedTime(text: string): string | undefined {
  const typed = text.trim()
  const [, hours = '', minutes = '00', half] = CLOCK.exec(typed) ?? DIGITS.exec(typed) ?? []
  if (hours === '') return undefined
  let hour = Number(hours)
  if (half !== undefined) {
    if (hour < 1 || hour > 12) return undefined
    hour = (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  }
  if (hour > 24 || Number(minutes) > 59 || (hour === 24 && minutes !== '00')) return undefined
  return `${String(hour).padStart(2, '0')}:${minutes}`
}

const BETWEEN = /^(.+?)(?:\s?(?:-|–|—|→|bis|until|till|tot|to)\s?|\s(?:à|a|al|alle|do|до)\s)(.+)$/iu

/** Two times in one text: 8–12, 20:00 - 02:00 Uhr, 8am to 4pm. */
export function readTypedSpan(text: string): { start: string; end: string } | undefined {
  const [, first, second] = BETWEEN.exec(text.trim()) ?? []
  const start = first === undefined ? undefined : readTypedTime(first)
  const end = second === undefined ? undefined : readTypedTime(second)
  return start === undefined || end === undefined ? undefined : { start, end }
}
