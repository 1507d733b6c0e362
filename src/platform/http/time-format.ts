import { zoneOf } from '#platform/i18n/zone.ts'

/**
 * Formats a time from the database for the API, with the offset that the instance's zone has at that moment:
 * `2031-05-04 06:00:00.5+00` in Berlin → `2031-05-04T08:00:00.500000+02:00`
 */
export function wireTime(text: string, timeZone: string): string {
  // Fast path for whole seconds: a page of a list has hundreds of times.
  if (text.length === WHOLE_SECONDS_LENGTH) return formatAt(readWholeSeconds(text), timeZone, '')
  // Connections use UTC (`makePool`), so every text ends with `+00`. A fraction has microseconds on the wire.
  const [, year, day, clock, fraction, era] = /^(\d+)(-\S+) (\d\d:\d\d:\d\d)(?:\.(\d+))?\+00( BC)?$/.exec(text)!
  // The year before the year 1 is 0 in ISO 8601, and `0001 … BC` in PostgreSQL.
  const isoYear = era ? 1 - Number(year) : Number(year)
  const instant = Date.parse(`${isoYear < 0 ? '-' : '+'}${String(Math.abs(isoYear)).padStart(6, '0')}${day}T${clock}Z`)
  return formatAt(instant, timeZone, fraction ? `.${fraction.padEnd(6, '0')}` : '')
}

const WHOLE_SECONDS_LENGTH = '2031-05-04 06:00:00+00'.length

/** Reads the digits one by one, which takes a third of the time of `Date.parse`. */
function readWholeSeconds(text: string): number {
  const digits = (from: number) => (text.charCodeAt(from) - 48) * 10 + text.charCodeAt(from + 1) - 48
  const year = digits(0) * 100 + digits(2)
  const instant = Date.UTC(year, digits(5) - 1, digits(8), digits(11), digits(14), digits(17))
  // `Date.UTC` takes years before 100 for years of the 20th century.
  return year < 100 ? new Date(instant).setUTCFullYear(year) : instant
}

const DAY_MS = 86_400_000

function formatAt(instant: number, timeZone: string, fraction: string): string {
  const offset = zoneOf(timeZone).offsetAt(instant)
  const local = instant + offset
  const day = Math.floor(local / DAY_MS)
  const seconds = (local - day * DAY_MS) / 1000
  const clock = `${twoDigits(Math.floor(seconds / 3600))}:${twoDigits(Math.floor(seconds / 60) % 60)}:${twoDigits(seconds % 60)}`
  return `${formatDay(day)}T${clock}${fraction}${formatOffset(offset)}`
}

const MAX_FORMATTED_DAYS = 10_000
const formattedDays = new Map<number, string>()

/** Most times of an instance are on the same few thousand days; `toISOString` takes most of the time that a list needs for its times. */
function formatDay(day: number): string {
  const known = formattedDays.get(day)
  if (known !== undefined) return known
  const date = new Date(day * DAY_MS).toISOString().slice(0, -14)
  const formatted = date.startsWith('+') ? date.replace(/^\+0*/, '') : date
  if (formattedDays.size >= MAX_FORMATTED_DAYS) formattedDays.clear()
  formattedDays.set(day, formatted)
  return formatted
}

const TWO_DIGITS = Array.from({ length: 100 }, (_, value) => String(value).padStart(2, '0'))
const twoDigits = (value: number): string => TWO_DIGITS[value]!

/** A zone has few offsets, and each time needs one. */
const formattedOffsets = new Map<number, string>()

/** Before standard time, offsets have seconds. */
function formatOffset(milliseconds: number): string {
  const known = formattedOffsets.get(milliseconds)
  if (known !== undefined) return known
  const seconds = Math.abs(milliseconds) / 1000
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, ...(seconds % 60 ? [seconds % 60] : [])]
  const formatted = `${milliseconds < 0 ? '-' : '+'}${parts.map(twoDigits).join(':')}`
  formattedOffsets.set(milliseconds, formatted)
  return formatted
}

export const wireTimeOrNull = (text: string | null, timeZone: string): string | null =>
  text === null ? null : wireTime(text, timeZone)

/** A time that is not read as text. */
export function wireDate(at: Date, timeZone: string): string {
  const milliseconds = ((at.getTime() % 1000) + 1000) % 1000
  const fraction = milliseconds ? `.${String(milliseconds).padStart(3, '0')}000` : ''
  return formatAt(at.getTime() - milliseconds, timeZone, fraction)
}

/** Whole numbers keep a decimal place in JSON: `16200.0`. */
export function wireFloat(value: number): unknown {
  const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => unknown }
  return Number.isInteger(value) ? rawJSON(`${value}.0`) : value
}
