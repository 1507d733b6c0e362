/** The time of the next request. `chance` (0 to 1) adds jitter. */
const MINUTE = 60_000
const USUAL_MS = 3 * MINUTE
const LONGEST_MS = 60 * MINUTE
const AFTER_END_MS = 6 * 60 * MINUTE

export function nextAttempt(now: Date, { failures, hasEnded }: { failures: number; hasEnded: boolean }, chance: number): Date {
  const wait = hasEnded ? AFTER_END_MS : failures === 0 ? USUAL_MS : Math.min(LONGEST_MS, MINUTE * 2 ** failures)
  return new Date(now.getTime() + Math.round(wait * (0.8 + 0.4 * chance)))
}

export type Health = 'ended' | 'paused' | 'waiting' | 'failing' | 'well'

export function getHealth(host: {
  paused: boolean
  endedByPartnerAt: Date | null
  lastSuccessAt: Date | null
  failuresInRow: number
}): Health {
  if (host.endedByPartnerAt) return 'ended'
  if (host.paused) return 'paused'
  if (host.failuresInRow > 0) return 'failing'
  return host.lastSuccessAt ? 'well' : 'waiting'
}
