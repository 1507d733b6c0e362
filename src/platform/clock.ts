/** The only place that reads the time; all other code gets a clock or a `now`. */
export type Clock = { now: () => Date }

export const systemClock: Clock = { now: () => new Date() }
