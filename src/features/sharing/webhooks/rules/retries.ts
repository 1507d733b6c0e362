const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Waiting times after failures in a row; the last one repeats. */
const DELAYS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR]
/** After failing for so long, a webhook is switched off. */
const GIVE_UP_MS = 3 * 24 * HOUR
/** Part of the waiting time by which it varies, so that attempts of many webhooks do not coincide. */
const JITTER = 0.2

/** `failures`: in a row, including the last one. `chance`: from 0 to 1. */
function retryDelayMs(failures: number, chance: number): number {
  const delay = DELAYS[Math.min(failures, DELAYS.length) - 1]!
  return Math.round(delay * (1 + JITTER * (2 * chance - 1)))
}

/** What came of an attempt: the status of the response, or why there was none. */
export type Attempt = { status: number | null; error: string | null; durationMs: number | null }

type Failure = { failures: number; failingSince: Date; refusals: number }

export type Verdict =
  | { kind: 'delivered' }
  /** The change is passed over: the receiver does not take this one. */
  | { kind: 'refused' }
  | ({ kind: 'retry'; nextAt: Date } & Failure)
  | ({ kind: 'off'; reason: 'gone' | 'failing' } & Failure)

/** How the last attempts went. `refusals`: of this change, in a row. `passedOver`: changes in a row. */
export type Standing = { failures: number; failingSince: Date | null; refusals: number; passedOver: number }

type Situation = Standing & { now: Date; chance: number }

export const isDelivered = ({ status }: Pick<Attempt, 'status'>): boolean => status !== null && status >= 200 && status < 300

const GONE = 410
/** These judge the message. Others, such as 401, 404 and 429, are about the receiver: a later attempt may go better. */
const REFUSALS: readonly (number | null)[] = [400, 409, 413, 415, 422]
/** After so many refusals in a row, in about 13 minutes, a change is passed over. */
const MAX_REFUSALS = 5
/** A receiver that refuses so many changes in a row does not judge them one by one: it fails. */
const MAX_PASSED_OVER = 10

export function judgeAttempt(attempt: Attempt, situation: Situation): Verdict {
  const { now, chance, passedOver } = situation
  if (isDelivered(attempt)) return { kind: 'delivered' }
  const failures = situation.failures + 1
  const failingSince = situation.failingSince ?? now
  const refusals = REFUSALS.includes(attempt.status) ? situation.refusals + 1 : 0
  if (refusals >= MAX_REFUSALS && passedOver < MAX_PASSED_OVER) return { kind: 'refused' }
  const failure = { failures, failingSince, refusals }
  if (attempt.status === GONE) return { kind: 'off', reason: 'gone', ...failure }
  if (now.getTime() - failingSince.getTime() >= GIVE_UP_MS) return { kind: 'off', reason: 'failing', ...failure }
  // The last attempt is made when the three days are over, not hours later.
  const end = failingSince.getTime() + GIVE_UP_MS
  const nextAt = new Date(Math.min(now.getTime() + retryDelayMs(failures, chance), end))
  return { kind: 'retry', nextAt, ...failure }
}

const SPECIFIC: Record<string, string> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  CERT_HAS_EXPIRED: 'certificate',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate',
}

/** Errors that the delivery log explains. */
const ERRORS = ['forbidden', 'unreachable', 'too_slow', 'refused', 'reset', 'certificate', 'secret', 'record'] as const
type DeliveryError = (typeof ERRORS)[number]

export const isDeliveryError = (text: string): text is DeliveryError => (ERRORS as readonly string[]).includes(text)

/** `code`: of the outbound client. `causes`: codes of the errors behind it. */
export function errorOf(code: string, causes: readonly string[]): DeliveryError {
  const specific = causes.flatMap((cause) => SPECIFIC[cause] ?? [])[0]
  const found = code === 'unreachable' ? (specific ?? code) : code
  return isDeliveryError(found) ? found : 'unreachable'
}
