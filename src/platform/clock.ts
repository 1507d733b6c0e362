/** The only place that reads the time; everything else is handed a clock or a `now`. */
export type Clock = { now: () => Date }

export const systemClock: Clock = { now: () => new Date() }
