import { Temporal } from 'temporal-polyfill'

/** `YYYY-MM-DD` in the zone of the instance: ages and days are of that zone. */
export function dayOf(instant: Date, timeZone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(timeZone).toPlainDate().toString()
}

/** Completed years; who is born on 29 February has a birthday on 1 March in other years. */
export function ageOn(dateOfBirth: string, day: string): number {
  const years = Number(day.slice(0, 4)) - Number(dateOfBirth.slice(0, 4))
  return day.slice(5) < dateOfBirth.slice(5) ? years - 1 : years
}

/** Nobody is a minor by an unknown birth date. */
export const isMinorOn = (dateOfBirth: string | null, day: string): boolean =>
  dateOfBirth !== null && ageOn(dateOfBirth, day) < 18

const SOON = 60 * 24 * 3600 * 1000

/** How it stands with a qualification that somebody holds until a certain time; null: without end. */
export function validityOf(expiresAt: Date | null, now: Date): 'valid' | 'soon' | 'expired' {
  if (!expiresAt) return 'valid'
  if (expiresAt < now) return 'expired'
  return expiresAt.getTime() - now.getTime() <= SOON ? 'soon' : 'valid'
}
