const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const USUAL_MS = 4 * HOUR_MS
const FIRST_RETRY_MS = 15 * MINUTE_MS
const LONGEST_MS = DAY_MS

/** Part of the waiting time by which it varies, so that requests of many people do not coincide. */
const JITTER = 0.2

/** `failures`: in a row, including the last one. `chance`: from 0 to 1. */
export function nextRefresh(now: Date, failures: number, chance: number): Date {
  const wait = failures === 0 ? USUAL_MS : Math.min(LONGEST_MS, FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 20))
  return new Date(now.getTime() + Math.round(wait * (1 + JITTER * (2 * chance - 1))))
}

const YEAR_DAYS = 365

/** Busy times are read until then. */
export const horizonOf = (now: Date): Date => new Date(now.getTime() + YEAR_DAYS * DAY_MS)

/** "Not changed" is no answer any more when the known times end a week too early: recurring entries go on after them. */
export const isHorizonNear = (coversUntil: Date, now: Date): boolean =>
  coversUntil.getTime() < horizonOf(now).getTime() - 7 * DAY_MS

/** Why a calendar could not be read. The page explains each. */
export const FAILURES = [
  'forbidden',
  'unreachable',
  'too_slow',
  'too_large',
  'encoded',
  'redirected',
  'not_found',
  'denied',
  'status',
  'secret',
  'not_a_calendar',
  'too_many_times',
  'too_complex',
] as const
export type Failure = (typeof FAILURES)[number]

export const isFailure = (text: string): text is Failure => (FAILURES as readonly string[]).includes(text)

/** `hasValidator`: the request said what is known already. */
export function judgeStatus(status: number, hasValidator: boolean): 'content' | 'unchanged' | Failure {
  if (status === 200) return 'content'
  if (status === 304 && hasValidator) return 'unchanged'
  if (status === 404 || status === 410) return 'not_found'
  return status === 401 || status === 403 ? 'denied' : 'status'
}

/** Calendar programs give addresses as `webcal:`, which stands for https. */
export const normalizeAddress = (text: string): string => text.trim().replace(/^webcals?:/i, 'https:')
