import { Temporal } from 'temporal-polyfill'

const pad = (value: number, length = 2): string => String(value).padStart(length, '0')

/** `+0200`; historical offsets have seconds. */
function offsetText(nanoseconds: number): string {
  const seconds = Math.round(Math.abs(nanoseconds) / 1e9)
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return `${nanoseconds < 0 ? '-' : '+'}${pad(hours)}${pad(minutes)}${rest ? pad(rest) : ''}`
}

/** Local time at this offset from UTC. */
function wallText(instant: Temporal.Instant, offset: number): string {
  const { year, month, day, hour, minute, second } = instant.add({ nanoseconds: offset }).toZonedDateTimeISO('UTC')
  return `${pad(year, 4)}${pad(month)}${pad(day)}T${pad(hour)}${pad(minute)}${pad(second)}`
}

function observance(kind: 'STANDARD' | 'DAYLIGHT', start: string, from: number, to: number): string[] {
  return [`BEGIN:${kind}`, `DTSTART:${start}`, `TZOFFSETFROM:${offsetText(from)}`, `TZOFFSETTO:${offsetText(to)}`, `END:${kind}`]
}

/**
 * VTIMEZONE of a zone between two instants (RFC 5545, section 3.6.5): one observance for each transition, including the last one
 * before `from`.
 */
export function timeZoneData(timeZone: string, from: Date, until: Date): string {
  const first = Temporal.Instant.fromEpochMilliseconds(from.getTime()).toZonedDateTimeISO(timeZone)
  const lines: string[] = []
  let change = first.add({ nanoseconds: 1 }).getTimeZoneTransition('previous')
  if (!change) lines.push(...observance('STANDARD', '19700101T000000', first.offsetNanoseconds, first.offsetNanoseconds))
  change ??= first.getTimeZoneTransition('next')
  while (change && change.epochMilliseconds <= until.getTime()) {
    const before = change.subtract({ nanoseconds: 1 }).offsetNanoseconds
    const after = change.offsetNanoseconds
    const start = wallText(change.toInstant(), before)
    lines.push(...observance(after > before ? 'DAYLIGHT' : 'STANDARD', start, before, after))
    change = change.getTimeZoneTransition('next')
  }
  return ['BEGIN:VTIMEZONE', `TZID:${timeZone}`, ...lines, 'END:VTIMEZONE'].join('\r\n')
}

/** The local time identifies the instant: in a repeated hour it means the first occurrence. */
export function isUnambiguous(at: Date, timeZone: string): boolean {
  const zoned = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone)
  return zoned.toPlainDateTime().toZonedDateTime(timeZone).epochMilliseconds === zoned.epochMilliseconds
}
