import { NIGHT } from '#features/staffing/working-time-limits/rules.ts'
import { zoneOf } from '#platform/i18n/zone.ts'
import type { Span } from '#platform/time-span.ts'

/** What a person did in the last twelve months, and what they have promised. Nights and weekends are of both. */
export type Ledger = {
  /** As on the pages of working hours. */
  doneHours: number
  /** Of confirmed shifts that have not ended. */
  promisedHours: number
  nights: number
  weekends: number
  /** Requests that a planner rejected. */
  refusals: number
}

/** Points for one hour, one night, one shift on a weekend; a rejected request takes points away. */
export type Weights = { hours: number; nights: number; weekends: number; refusals: number }
export const DEFAULT_WEIGHTS: Weights = { hours: 1, nights: 3, weekends: 2, refusals: 4 }

export const EMPTY_LEDGER: Ledger = Object.freeze({ doneHours: 0, promisedHours: 0, nights: 0, weekends: 0, refusals: 0 })

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const SATURDAY = 6

/** Counts the night and the weekend of a shift. */
export function addTimes(ledger: Ledger, { start, end }: Span, timeZone: string): Ledger {
  // Clock time as milliseconds, so that days and hours are divisions.
  const from = start.getTime() + zoneOf(timeZone).offsetAt(start.getTime())
  const until = from + (end.getTime() - start.getTime())
  const midnight = Math.floor(from / DAY_MS) * DAY_MS
  const nights = [midnight - DAY_MS, midnight].map((day) => {
    const [start, end] = [day + NIGHT.from * HOUR_MS, day + DAY_MS + NIGHT.until * HOUR_MS]
    return Math.min(until, end) - Math.max(from, start)
  })
  const weekday = new Date(midnight).getUTCDay()
  return {
    ...ledger,
    nights: ledger.nights + (Math.max(...nights) > NIGHT.moreThanHours * HOUR_MS ? 1 : 0),
    weekends: ledger.weekends + (weekday === SATURDAY || weekday === 0 ? 1 : 0),
  }
}

export const hoursOf = ({ start, end }: Span): number => (end.getTime() - start.getTime()) / HOUR_MS

export const pointsOf = ({ doneHours, promisedHours, nights, weekends, refusals }: Ledger, weights: Weights): number =>
  Math.max(
    0,
    (doneHours + promisedHours) * weights.hours +
      nights * weights.nights +
      weekends * weights.weekends -
      refusals * weights.refusals,
  )

/** Cost of a person from 0 to 100, relative to the person with the most points. */
export function loadCosts(points: readonly number[]): number[] {
  const most = Math.max(0, ...points)
  return points.map((value) => (most === 0 ? 0 : Math.round((100 * value) / most)))
}
