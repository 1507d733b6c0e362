/** Days before the start at which it is stored how many places of a past shift were taken. */
export const LEAD_DAYS = [0, 1, 2, 3, 4, 5, 6, 7, 10, 14, 21, 28, 42] as const
/** Shifts that begin sooner or later have no forecast: soon there is nothing to wait for, and late nobody has signed up yet. */
export const FEWEST_DAYS = 1
export const MOST_DAYS = 42

/** With fewer comparable shifts, nothing is said. */
export const FEWEST_SHIFTS = 8
/** Of a type, the newest ones. */
export const MOST_PAST_SHIFTS = 200
/** Of the comparable shifts that ended so, from this share on a shift is said to stay short. */
const LIKELY = 0.7

type Described = {
  /** From Monday as 1. */
  weekday: number
  /** How many people are needed. */
  needed: number
}

/** A past shift: how many places were taken, requests included, at each of `LEAD_DAYS`, and how many people were confirmed in the end. */
export type PastShift = Described & { start: Date; taken: readonly number[]; final: number }

export type ComingShift = Described & {
  /** Confirmed people and requests. */
  taken: number
  daysLeft: number
}

export type Forecast = {
  /** Percent of the needed people who had usually signed up by now. */
  usualPercent: number
  /** People in the end: in four of five comparable shifts at least `low`, in one of five more than `high`. */
  low: number
  middle: number
  high: number
  /** It will probably lack people when it begins. */
  staysShort: boolean
  /** How many past shifts it is compared with. */
  comparedWith: number
}

/** How many places of a past shift were taken so many days before its start; a straight line between the days that are stored. */
export function takenAt({ taken }: Pick<PastShift, 'taken'>, days: number): number {
  const next = LEAD_DAYS.findIndex((lead) => lead >= days)
  if (next === -1) return taken.at(-1)!
  if (next === 0) return taken[0]!
  const [from, to] = [LEAD_DAYS[next - 1]!, LEAD_DAYS[next]!]
  const share = (days - from) / (to - from)
  return taken[next - 1]! * (1 - share) + taken[next]! * share
}

const isWeekend = ({ weekday }: Described): boolean => weekday > 5
const isOfSize = (past: Described, { needed }: Described): boolean => past.needed <= 2 * needed && needed <= 2 * past.needed

/** Past shifts of the same type: if there are enough, of the same part of the week and about the same size. */
function findComparable(past: readonly PastShift[], coming: ComingShift): readonly PastShift[] {
  const ofSize = past.filter((shift) => isOfSize(shift, coming))
  const ofWeek = ofSize.filter((shift) => isWeekend(shift) === isWeekend(coming))
  return [ofWeek, ofSize, past].find((shifts) => shifts.length >= FEWEST_SHIFTS) ?? []
}

/** Of sorted values; `share` between 0 and 1. */
function quantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share
  const [below, above] = [sorted[Math.floor(at)]!, sorted[Math.ceil(at)]!]
  return below + (above - below) * (at - Math.floor(at))
}

const ascending = (a: number, b: number): number => a - b

/**
 * From past shifts of the same type: those that were about as full at this time say how many people still come. Undefined if there are too
 * few of them, or if the shift begins too soon or too late.
 */
export function forecastShift(past: readonly PastShift[], coming: ComingShift): Forecast | undefined {
  const { needed, taken, daysLeft } = coming
  if (daysLeft < FEWEST_DAYS || daysLeft > MOST_DAYS) return undefined
  const comparable = findComparable(past, coming).map((shift) => ({
    fill: takenAt(shift, daysLeft) / shift.needed,
    end: shift.final / shift.needed,
  }))
  if (!comparable.length) return undefined
  const now = taken / needed
  const usual = quantile(comparable.map(({ fill }) => fill).sort(ascending), 0.5)
  const distance = ({ fill }: { fill: number }) => Math.abs(fill - now)
  const halfOf = Math.max(FEWEST_SHIFTS, Math.ceil(comparable.length / 2))
  const farthest = comparable.map(distance).sort(ascending)[halfOf - 1] ?? Infinity
  const likeThis = comparable.filter((shift) => distance(shift) <= farthest)
  const ends = likeThis.map(({ fill, end }) => Math.max(0, Math.round(taken + (end - fill) * needed))).sort(ascending)
  const people = (share: number) => Math.round(quantile(ends, share))
  const shortShare = ends.filter((end) => end < needed).length / ends.length
  return {
    usualPercent: Math.round(usual * 100),
    low: people(0.2),
    middle: people(0.5),
    high: people(0.8),
    staysShort: shortShare >= LIKELY,
    comparedWith: comparable.length,
  }
}
