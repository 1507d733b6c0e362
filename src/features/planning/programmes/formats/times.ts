import { Temporal } from 'temporal-polyfill'

/** Names of zones as Windows programs write them, by CLDR; only zones that are in use where calendars are exchanged most. */
const WINDOWS_ZONES: Record<string, string> = {
  'AUS Eastern Standard Time': 'Australia/Sydney',
  'Central Europe Standard Time': 'Europe/Budapest',
  'Central European Standard Time': 'Europe/Warsaw',
  'Central Standard Time': 'America/Chicago',
  'China Standard Time': 'Asia/Shanghai',
  'E. Europe Standard Time': 'Europe/Chisinau',
  'Eastern Standard Time': 'America/New_York',
  'FLE Standard Time': 'Europe/Kiev',
  'GMT Standard Time': 'Europe/London',
  'GTB Standard Time': 'Europe/Bucharest',
  'Greenwich Standard Time': 'Atlantic/Reykjavik',
  'India Standard Time': 'Asia/Kolkata',
  'Mountain Standard Time': 'America/Denver',
  'Pacific Standard Time': 'America/Los_Angeles',
  'Romance Standard Time': 'Europe/Paris',
  'Tokyo Standard Time': 'Asia/Tokyo',
  'Turkey Standard Time': 'Europe/Istanbul',
  'W. Europe Standard Time': 'Europe/Berlin',
  UTC: 'UTC',
}

/** The IANA name of a zone; undefined if it is unknown. */
export function readZone(name: string): string | undefined {
  const zone = WINDOWS_ZONES[name] ?? name.replace(/^\/[^/]+\/(?:[^/]+\/)?(?=\w+\/\w)/, '')
  if (!/^[A-Za-z]/.test(zone)) return undefined
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone)
    return zone
  } catch {
    return undefined
  }
}

const HAS_OFFSET = /(Z|[+-]\d\d(:?\d\d)?)$/i

/** An ISO time with or without an offset as an instant in UTC; without one it counts in `zone`. Undefined: not a time. */
export function readTime(text: string, zone: string): string | undefined {
  const iso = text.trim().replace(' ', 'T')
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(iso)) return undefined
  try {
    return HAS_OFFSET.test(iso.slice(10))
      ? printInstant(Temporal.Instant.from(iso))
      : toUtc(Temporal.PlainDateTime.from(iso), zone)
  } catch {
    return undefined
  }
}

/** A local time that daylight saving skips becomes one hour later. */
export const toUtc = (wall: Temporal.PlainDateTime, zone: string): string => printInstant(wall.toZonedDateTime(zone).toInstant())

const printInstant = (instant: Temporal.Instant): string => new Date(instant.epochMilliseconds).toISOString()

export const addMinutes = (at: string, minutes: number): string => new Date(Date.parse(at) + minutes * 60_000).toISOString()

/** Minutes of `HH:MM`, `D:HH:MM`, an ISO duration or a number of minutes; undefined if it is none or not positive. */
export function readDuration(value: unknown): number | undefined {
  if (typeof value === 'number') return value > 0 && value < MAX_MINUTES ? value : undefined
  const text = typeof value === 'string' ? value.trim() : ''
  const clock = /^(?:(\d{1,2}):)?(\d{1,3}):(\d\d)$/.exec(text)
  const minutes = clock
    ? Number(clock[1] ?? 0) * 1440 + Number(clock[2]) * 60 + Number(clock[3])
    : /^\d{1,5}$/.test(text)
      ? Number(text)
      : readIsoDuration(text)
  return minutes !== undefined && minutes > 0 && minutes < MAX_MINUTES ? minutes : undefined
}

const MAX_MINUTES = 31 * 1440

function readIsoDuration(text: string): number | undefined {
  try {
    return Temporal.Duration.from(text).total({ unit: 'minutes', relativeTo: '2000-01-01' })
  } catch {
    return undefined
  }
}
