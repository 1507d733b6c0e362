/** The only place that reads the time; all other code gets a clock or a `now`. */
export type Clock = {
  now: () => Date
  /** For durations: it never goes back when the time of the machine is set. Defaults to `now` in tests. */
  monotonicMs?: () => number
}

export const systemClock: Clock = { now: () => new Date(), monotonicMs: () => performance.now() }

export const monotonicMs = (clock: Clock): number => clock.monotonicMs?.() ?? clock.now().getTime()
