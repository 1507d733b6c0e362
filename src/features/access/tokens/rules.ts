import { Temporal } from 'temporal-polyfill'
import { SCOPES, type Scope } from '#platform/auth/scopes.ts'

/** A fixed prefix lets secret scanners find leaked tokens in repositories. */
export const TOKEN_PREFIX = 'turnout_pat_'
export const KEY_PREFIX = 'turnout_key_'
export const DEFAULT_DAYS = 90
const PRESET_DAYS = [7, 30, 90, 365]
const DAY_MS = 24 * 3600 * 1000
/** Of tokens for assistants, which are made again when they are needed. */
export const MAX_ASSISTANT_DAYS = 7
/** How long before the expiry the owner gets a mail. */
export const WARNING_DAYS = 7

/** With `lastDay` (`YYYY-MM-DD`), the token expires at the end of that day in the time zone of the instance. */
export type Lifetime = { days: number } | { lastDay: string }
/** `isForAssistant`: works at the address of the Model Context Protocol only. */
export type TokenInput = { description: string; scopes: readonly string[]; isForAssistant?: boolean } & Lifetime
export type TokenRefusal = 'no_description' | 'long_description' | 'no_scope' | 'unknown_scope' | 'bad_days'
export type Bounds = { now: Date; timeZone: string; maxDays: number }

/** All reasons; empty if the token can be created. */
export function checkToken(input: TokenInput, bounds: Bounds): TokenRefusal[] {
  const { description, scopes } = input
  const reasons: TokenRefusal[] = []
  if (!description.trim()) reasons.push('no_description')
  if (description.length > 1000) reasons.push('long_description')
  if (!scopes.length) reasons.push('no_scope')
  if (scopes.some((scope) => !SCOPES.includes(scope as Scope))) reasons.push('unknown_scope')
  if (!getExpiry(input, bounds)) reasons.push('bad_days')
  return reasons
}

/** Undefined if the lifetime is not allowed. */
export function getExpiry(lifetime: Lifetime, { now, timeZone, maxDays }: Bounds): Date | undefined {
  if ('days' in lifetime) {
    const { days } = lifetime
    return Number.isInteger(days) && days >= 1 && days <= maxDays ? daysAfter(now, days) : undefined
  }
  const { lastDay } = lifetime
  const { first, last } = getDateRange({ now, timeZone, maxDays })
  if (!isDay(lastDay) || lastDay < first || lastDay > last) return undefined
  const end = Temporal.PlainDate.from(lastDay).add({ days: 1 }).toZonedDateTime(timeZone).epochMilliseconds
  // The end of the last allowed day may be some hours after the limit.
  return new Date(Math.min(end, daysAfter(now, maxDays).getTime()))
}

/** From tomorrow to the last allowed day. */
export function getDateRange({ now, timeZone, maxDays }: Bounds): { first: string; last: string } {
  const dayOf = (at: Date) => Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone).toPlainDate()
  return { first: dayOf(now).add({ days: 1 }).toString(), last: dayOf(daysAfter(now, maxDays)).toString() }
}

export const warningThreshold = (now: Date): Date => daysAfter(now, WARNING_DAYS)

const daysAfter = (at: Date, days: number): Date => new Date(at.getTime() + days * DAY_MS)

/** Refuses days such as 2031-02-30, which `Date` would read as a day in March. */
function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

export function getPresetDays(maxDays: number): number[] {
  const allowed = PRESET_DAYS.filter((days) => days <= maxDays)
  return allowed.length ? allowed : [maxDays]
}

export type TokenState = 'active' | 'soon' | 'expired' | 'revoked'

export function getTokenState(
  { expiresAt, revokedAt }: { expiresAt: Date | null; revokedAt: Date | null },
  now: Date,
): TokenState {
  if (revokedAt) return 'revoked'
  if (!expiresAt) return 'active'
  if (expiresAt <= now) return 'expired'
  return expiresAt <= warningThreshold(now) ? 'soon' : 'active'
}

/** The path of an API request that the scopes permit. */
export function getSamplePath(scopes: readonly string[]): string {
  if (scopes.includes('PUBLIC_READ')) return '/api/events/?limit=2'
  if (scopes.includes('ME_READ')) return '/api/users/me/'
  if (scopes.includes('CONFIDENTIAL_READ')) return '/api/users/?limit=2'
  return '/api/'
}
