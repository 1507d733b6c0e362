/** Failed attempts per account: one counter for all unknown devices, and one for each known device. */
export const MAX_ATTEMPTS = 10
const WINDOW_MS = 15 * 60_000
/** Between nodes. */
const MAX_CLOCK_SKEW_MS = 60_000

/** Attempts at or before this time no longer count. */
export const attemptWindowStart = (now: Date): Date => new Date(now.getTime() - WINDOW_MS)

/** Attempts after it were made before the clock was set back; they must not lock people out until the clock arrives there again. */
export const attemptWindowEnd = (now: Date): Date => new Date(now.getTime() + MAX_CLOCK_SKEW_MS)

/** Undefined: another attempt is allowed now. `attempts`: those within the window, newest first. */
export function nextAttemptAt(attempts: readonly Date[]): Date | undefined {
  const oldest = attempts[MAX_ATTEMPTS - 1]
  return oldest && new Date(oldest.getTime() + WINDOW_MS)
}
