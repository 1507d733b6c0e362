import { zoneOf } from '#platform/i18n/zone.ts'

/**
 * Formats a time from the database for the API, with the offset that the instance's zone has at that moment:
 * `2031-05-04 06:00:00.5+00` in Berlin → `2031-05-04T08:00:00.500000+02:00`
 */
export function wireTime(text: string, timeZone: string): string {
  const { date, clock, fraction } = readStored(text)
  const instant = Date.parse(`${date.length > 10 ? `+${date.padStart(12, '0')}` : date}T${clock}Z`)
  const offset = zoneOf(timeZone).offsetAt(instant)
  const local = new Date(instant + offset).toISOString().slice(0, -5)
  return `${local.startsWith('+') ? local.replace(/^\+0*/, '') : local}${fraction}${formatOffset(offset)}`
}

type Stored = { date: string; clock: string; fraction: string }

/** Connections use UTC (`makePool`), so every text ends with `+00`. A fraction has microseconds on the wire. */
function readStored(text: string): Stored {
  // Fast path for whole seconds: a page of a list has hundreds of times.
  if (text.length === 22) return { date: text.slice(0, 10), clock: text.slice(11, 19), fraction: '' }
  const [, date, clock, fraction] = /^(\S+) (\d\d:\d\d:\d\d)(?:\.(\d+))?\+00$/.exec(text)!
  return { date: date!, clock: clock!, fraction: fraction ? `.${fraction.padEnd(6, '0')}` : '' }
}

const twoDigits = (value: number): string => String(value).padStart(2, '0')

/** Before standard time, offsets have seconds. */
function formatOffset(milliseconds: number): string {
  const seconds = Math.abs(milliseconds) / 1000
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, ...(seconds % 60 ? [seconds % 60] : [])]
  return `${milliseconds < 0 ? '-' : '+'}${parts.map(twoDigits).join(':')}`
}

export const wireTimeOrNull = (text: string | null, timeZone: string): string | null =>
  text === null ? null : wireTime(text, timeZone)

/** Whole numbers keep a decimal place in JSON: `16200.0`. */
export function wireFloat(value: number): unknown {
  const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => unknown }
  return Number.isInteger(value) ? rawJSON(`${value}.0`) : value
}
