import { NO_STATS, type SignupStats, STATE, type State } from './model.ts'

type PeopleCount = Pick<SignupStats, 'requestedCount' | 'confirmedCount'>

export function countPeople(people: Iterable<{ state: State }>): PeopleCount {
  let requestedCount = 0
  let confirmedCount = 0
  for (const { state } of people) {
    if (state === STATE.requested) requestedCount++
    if (state === STATE.confirmed) confirmedCount++
  }
  return { requestedCount, confirmedCount }
}

/** A group of places that the counted people fill: a uniform shift, a team, a requirement, a position. */
export function boundedStats(count: PeopleCount, { min, max }: { min: number | null; max: number | null }): SignupStats {
  return {
    ...count,
    missing: Math.max((min ?? 0) - count.confirmedCount, 0),
    free: max === null ? null : Math.max(max - count.confirmedCount, 0),
    minCount: min,
    maxCount: max,
  }
}

/** People without a place in the structure: they count, and change neither `missing` nor `free`. */
export function extraStats(count: PeopleCount): SignupStats {
  return { ...NO_STATS, ...count }
}

/** For a structure with an invalid configuration: only the number of people is known. */
export function fallbackStats(people: Iterable<{ state: State }>): SignupStats {
  return { ...countPeople(people), missing: 0, free: null, minCount: null, maxCount: null }
}

/** `missing` and `free` are added, not derived from the sums: a surplus in one part must not hide a gap in another. */
export function addStats(a: SignupStats, b: SignupStats): SignupStats {
  return {
    requestedCount: a.requestedCount + b.requestedCount,
    confirmedCount: a.confirmedCount + b.confirmedCount,
    missing: a.missing + b.missing,
    free: a.free === null || b.free === null ? null : a.free + b.free,
    minCount: a.minCount === null && b.minCount === null ? null : (a.minCount ?? 0) + (b.minCount ?? 0),
    maxCount: a.maxCount === null || b.maxCount === null ? null : a.maxCount + b.maxCount,
    ...(a.shortfall === undefined && b.shortfall === undefined ? {} : { shortfall: shortfallOf(a) + shortfallOf(b) }),
  }
}

/** The shift is short whenever something that is needed is missing at any time. */
export const shortfallOf = ({ missing, shortfall }: Pick<SignupStats, 'missing' | 'shortfall'>): number =>
  Math.max(missing, shortfall ?? 0)

export function sumStats(parts: Iterable<SignupStats>): SignupStats {
  let sum = NO_STATS
  for (const part of parts) sum = addStats(sum, part)
  return sum
}

/** `open` with count null: unlimited. */
export type StaffingLabel = { kind: 'missing'; count: number } | { kind: 'open'; count: number | null } | { kind: 'full' }

export function staffingLabel({ missing, free }: Pick<SignupStats, 'missing' | 'free'>): StaffingLabel {
  if (missing > 0) return { kind: 'missing', count: missing }
  return free === 0 ? { kind: 'full' } : { kind: 'open', count: free }
}
