import { Temporal } from 'temporal-polyfill'
import { SCOPES, type Scope } from '#platform/auth/scopes.ts'

/** Known to secret scanners: a token that leaks into a repository is found by it. */
export const TOKEN_PREFIX = 'turnout_pat_'
export const DEFAULT_DAYS = 90
const PRESETS = [7, 30, 90, 365]
const DAY = 24 * 3600 * 1000
/** So long before a token ends, its owner is told. */
export const WARNING_DAYS = 7

/** `lastDay` is a day (`YYYY-MM-DD`) of the instance's zone, at whose end the token ends. */
export type Lifetime = { days: number } | { lastDay: string }
export type TokenWish = { description: string; scopes: readonly string[] } & Lifetime
export type TokenRefusal = 'no_description' | 'long_description' | 'no_scope' | 'unknown_scope' | 'bad_days'
export type Bounds = { now: Date; timeZone: string; mostDays: number }

/** All reasons at once; none: the token can be made. */
export function judgeToken(wish: TokenWish, bounds: Bounds): TokenRefusal[] {
  const { description, scopes } = wish
  const reasons: TokenRefusal[] = []
  if (!description.trim()) reasons.push('no_description')
  if (description.length > 1000) reasons.push('long_description')
  if (!scopes.length) reasons.push('no_scope')
  if (scopes.some((scope) => !SCOPES.includes(scope as Scope))) reasons.push('unknown_scope')
  if (!expiryOf(wish, bounds)) reasons.push('bad_days')
  return reasons
}

/** Undefined: not a time that a token may live. */
export function expiryOf(lifetime: Lifetime, { now, timeZone, mostDays }: Bounds): Date | undefined {
  if ('days' in lifetime) {
    const { days } = lifetime
    return Number.isInteger(days) && days >= 1 && days <= mostDays ? daysAfter(now, days) : undefined
  }
  const { lastDay } = lifetime
  const { first, last } = daysToChoose({ now, timeZone, mostDays })
  if (!isDay(lastDay) || lastDay < first || lastDay > last) return undefined
  const end = Temporal.PlainDate.from(lastDay).add({ days: 1 }).toZonedDateTime(timeZone).epochMilliseconds
  // The end of the last day there is may be some hours too late.
  return new Date(Math.min(end, daysAfter(now, mostDays).getTime()))
}

/** From tomorrow to the last day that is allowed. */
export function daysToChoose({ now, timeZone, mostDays }: Bounds): { first: string; last: string } {
  const dayOf = (at: Date) => Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone).toPlainDate()
  return { first: dayOf(now).add({ days: 1 }).toString(), last: dayOf(daysAfter(now, mostDays)).toString() }
}

/** Tokens that end until then are announced. */
export const warnUntil = (now: Date): Date => daysAfter(now, WARNING_DAYS)

const daysAfter = (at: Date, days: number): Date => new Date(at.getTime() + days * DAY)

/** Not 2031-02-30: some would read it as a day of March. */
function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/** Lifetimes to choose from, none longer than allowed. */
export function presetsFor(mostDays: number): number[] {
  const allowed = PRESETS.filter((days) => days <= mostDays)
  return allowed.length ? allowed : [mostDays]
}

export type TokenState = 'active' | 'soon' | 'expired' | 'revoked'

export function tokenState({ expiresAt, revokedAt }: { expiresAt: Date | null; revokedAt: Date | null }, now: Date): TokenState {
  if (revokedAt) return 'revoked'
  if (!expiresAt) return 'active'
  if (expiresAt <= now) return 'expired'
  return expiresAt <= warnUntil(now) ? 'soon' : 'active'
}

/** A call that the token can make, to try it out. */
export function samplePath(scopes: readonly string[]): string {
  if (scopes.includes('PUBLIC_READ')) return '/api/events/?limit=2'
  if (scopes.includes('ME_READ')) return '/api/users/me/'
  if (scopes.includes('CONFIDENTIAL_READ')) return '/api/users/?limit=2'
  return '/api/'
}
