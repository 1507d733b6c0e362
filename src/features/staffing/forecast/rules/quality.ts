import { FEWEST_SHIFTS, type Forecast, forecastShift, type PastShift, takenAt } from './pickup.ts'

const DAY_MS = 24 * 3_600_000
/** Days before the start at which past shifts are forecast to see how good that is. */
const TRIED_DAYS = [14, 7, 3] as const
/** With fewer tries, a small error says nothing. */
const FEWEST_TRIES = 10
/** The newest shifts of a type that are tried, so that the work has a limit. */
const MOST_TRIED_SHIFTS = 60
/** Forecasts of a type are shown if their error is at most this share of the error of "as full as now". */
const LARGEST_ERROR_SHARE = 0.9

/** A forecast of a past shift, and how it ended. */
export type Try = { days: number; needed: number; taken: number; forecast: Forecast; final: number }

/** `error`, `plainError`: people by which the forecast and "as full as now" were wrong, on average. */
export type Quality = { tries: number; error: number; plainError: number }

/**
 * Forecasts past shifts as it would have been done then, from the shifts that had begun by that time. Only shifts that lacked people then
 * count, because only these have a forecast.
 */
export function tryPastShifts(past: readonly PastShift[]): Try[] {
  const byStart = [...past].sort((a, b) => a.start.getTime() - b.start.getTime())
  const first = Math.max(FEWEST_SHIFTS, byStart.length - MOST_TRIED_SHIFTS)
  return byStart.slice(first).flatMap((shift, nth) =>
    TRIED_DAYS.flatMap((days) => {
      const { weekday, needed, final } = shift
      const taken = Math.round(takenAt(shift, days))
      if (taken >= needed) return []
      const then = shift.start.getTime() - days * DAY_MS
      const known = byStart.slice(0, first + nth).filter(({ start }) => start.getTime() < then)
      const forecast = forecastShift(known, { weekday, needed, taken, daysLeft: days })
      return forecast ? [{ days, needed, taken, forecast, final }] : []
    }),
  )
}

export function judgeQuality(past: readonly PastShift[]): Quality {
  const tries = tryPastShifts(past)
  const mean = (error: (each: Try) => number) => tries.reduce((sum, each) => sum + error(each), 0) / Math.max(1, tries.length)
  return {
    tries: tries.length,
    error: mean(({ forecast, final }) => Math.abs(forecast.middle - final)),
    plainError: mean(({ taken, final }) => Math.abs(taken - final)),
  }
}

export const isGoodEnough = ({ tries, error, plainError }: Quality): boolean =>
  tries >= FEWEST_TRIES && plainError > 0 && error <= LARGEST_ERROR_SHARE * plainError
