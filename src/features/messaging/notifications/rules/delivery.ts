import { UNDO_SECONDS } from '#features/staffing/participations/rules/undo.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** How long a mail waits for further notifications of its bundle. */
export const SETTLE_SECONDS = 10
/** Mails about actions that can be undone wait until nobody can undo them any more. */
export const UNDO_SETTLE_SECONDS = UNDO_SECONDS + 15
/** If more notifications than this wait for one recipient, they become one mail. */
export const DIGEST_ABOVE = 5
/** After this time, the worker that claimed a mail is presumed dead. */
export const CLAIM_TIMEOUT_MS = 10 * MINUTE_MS
export const KEEP_MS = 90 * 24 * HOUR_MS

/** A channel of an extension that cannot be reached is tried again each minute for so long. */
export const CHANNEL_LIFETIME_MS = HOUR_MS

const RETRY_DELAYS_MS = [MINUTE_MS, 5 * MINUTE_MS, 20 * MINUTE_MS, HOUR_MS, 3 * HOUR_MS, 8 * HOUR_MS, 16 * HOUR_MS]

/** Undefined after the last attempt. */
export function nextAttempt(attempts: number, now: Date): Date | undefined {
  const delay = RETRY_DELAYS_MS[attempts - 1]
  return delay === undefined ? undefined : new Date(now.getTime() + delay)
}

/** For logs and operators: the error message without mail addresses. */
export function describeFailure(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.replaceAll(/[^\s<>"',;:]+@[^\s<>"',;]+/g, '…').slice(0, 300)
}
