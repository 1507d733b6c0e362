import { Temporal } from 'temporal-polyfill'
import { zoneOf } from './zone.ts'

/** Which of two equal local times is meant, when the clocks are set back. */
export type Which = 'earlier' | 'later'
type LocalTime = { ok: true; at: Date } | { ok: false; reason: 'skipped' | 'ambiguous' }

/** The moment of a local time. Refuses times that the change of clocks skips, and those that occur twice if `which` does not say. */
export function resolveLocalTime(wall: Temporal.PlainDateTime, timeZone: string, which?: Which): LocalTime {
  const earlier = wall.toZonedDateTime(timeZone, { disambiguation: 'earlier' })
  const later = wall.toZonedDateTime(timeZone, { disambiguation: 'later' })
  if (earlier.epochMilliseconds === later.epochMilliseconds) return { ok: true, at: new Date(earlier.epochMilliseconds) }
  if (!earlier.toPlainDateTime().equals(wall)) return { ok: false, reason: 'skipped' }
  if (!which) return { ok: false, reason: 'ambiguous' }
  return { ok: true, at: new Date((which === 'earlier' ? earlier : later).epochMilliseconds) }
}

/** For a moment whose local time occurs twice: which one it is. Undefined for all others. */
export function whichOf(at: Date, timeZone: string): Which | undefined {
  if (!zoneOf(timeZone).isRepeated(at.getTime())) return undefined
  const wall = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone).toPlainDateTime()
  const earlier = wall.toZonedDateTime(timeZone, { disambiguation: 'earlier' }).epochMilliseconds
  const later = wall.toZonedDateTime(timeZone, { disambiguation: 'later' }).epochMilliseconds
  if (earlier === later) return undefined
  return at.getTime() === earlier ? 'earlier' : 'later'
}

export const readWhich = (text: string | undefined): Which | undefined =>
  text === 'earlier' || text === 'later' ? text : undefined
