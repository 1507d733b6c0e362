/** Wrong passwords for one account: from all unknown devices together, and from each known one by itself. */
export const GUESSES = 10
/** Mails with a link for a new password, for one typed address: more would only fill somebody's mailbox. */
export const RESETS = 3
const WINDOW = 15 * 60_000

/** Guesses at or before this time do not count any more. */
export const guessesCountSince = (now: Date): Date => new Date(now.getTime() - WINDOW)

/** Undefined: one more guess may be made now. Otherwise when; `guesses` are those that count, newest first. */
export function nextGuessAt(guesses: readonly Date[], most = GUESSES): Date | undefined {
  const oldest = guesses[most - 1]
  return oldest && new Date(oldest.getTime() + WINDOW)
}
