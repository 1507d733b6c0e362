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
export type Attempt = { status: number | null; error: string | null; durationMs: number }

export type Verdict =
  | { kind: 'delivered' }
  | { kind: 'retry'; nextAt: Date; failures: number; failingSince: Date }
  | { kind: 'off'; reason: 'gone' | 'failing'; failures: number; failingSince: Date }

type Situation = { failures: number; failingSince: Date | null; now: Date; chance: number }

export const isDelivered = ({ status }: Pick<Attempt, 'status'>): boolean => status !== null && status >= 200 && status < 300

const GONE = 410

export function judgeAttempt(attempt: Attempt, { failures: before, failingSince: since, now, chance }: Situation): Verdict {
  if (isDelivered(attempt)) return { kind: 'delivered' }
  const failures = before + 1
  const failingSince = since ?? now
  if (attempt.status === GONE) return { kind: 'off', reason: 'gone', failures, failingSince }
  if (now.getTime() - failingSince.getTime() >= GIVE_UP_MS) return { kind: 'off', reason: 'failing', failures, failingSince }
  // The last attempt is made when the three days are over, not hours later.
  const end = failingSince.getTime() + GIVE_UP_MS
  const nextAt = new Date(Math.min(now.getTime() + retryDelayMs(failures, chance), end))
  return { kind: 'retry', nextAt, failures, failingSince }
}

const SPECIFIC: Record<string, string> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  ENOTFOUND: 'unknown_host',
  EAI_AGAIN: 'unknown_host',
  CERT_HAS_EXPIRED: 'certificate',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate',
}

/** Errors that the delivery log explains. */
const ERRORS = ['forbidden', 'unreachable', 'too_slow', 'refused', 'reset', 'unknown_host', 'certificate', 'secret'] as const
type DeliveryError = (typeof ERRORS)[number]

export const isDeliveryError = (text: string): text is DeliveryError => (ERRORS as readonly string[]).includes(text)

/** `code`: of the outbound client. `causes`: codes of the errors behind it. */
export function errorOf(code: string, causes: readonly string[]): DeliveryError {
  const specific = causes.flatMap((cause) => SPECIFIC[cause] ?? [])[0]
  const found = code === 'unreachable' ? (specific ?? code) : code
  return isDeliveryError(found) ? found : 'unreachable'
}
