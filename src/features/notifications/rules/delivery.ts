const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Seconds that a mail waits, so that what is done in one go can become one. */
export const SETTLE_SECONDS = 10
/** More news than these for one person become one mail. */
export const DIGEST_ABOVE = 5
/** A worker that claimed a mail this long ago has died with it. */
export const LEASE_MS = 10 * MINUTE
/** How long before a shift people are reminded. */
export const REMIND_BEFORE_MS = DAY
/** How long people can read what they were told. */
export const KEEP_MS = 90 * DAY

const PAUSES = [MINUTE, 5 * MINUTE, 20 * MINUTE, HOUR, 3 * HOUR, 8 * HOUR, 16 * HOUR]

/** When to try again after so many attempts; undefined: not any more. */
export function nextAttempt(attempts: number, now: Date): Date | undefined {
  const pause = PAUSES[attempts - 1]
  return pause === undefined ? undefined : new Date(now.getTime() + pause)
}

/** An error for operators: what the server said, without anybody's address. */
export function describeFailure(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.replaceAll(/[^\s<>"',;:]+@[^\s<>"',;]+/g, '…').slice(0, 300)
}
