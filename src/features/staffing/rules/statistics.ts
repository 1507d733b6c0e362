/** `free` and `maxCount` null: unlimited; `minCount` null: none asked for. */
export type SignupStats = {
  requestedCount: number
  confirmedCount: number
  missing: number
  free: number | null
  minCount: number | null
  maxCount: number | null
}

/** What an event without shifts shows; adding it changes nothing. */
export const NO_STATS: SignupStats = Object.freeze({
  requestedCount: 0,
  confirmedCount: 0,
  missing: 0,
  free: 0,
  minCount: null,
  maxCount: 0,
})

/** `missing` and `free` are added, not derived from the sums: a surplus in one part must not hide a gap in another. */
export function addStats(a: SignupStats, b: SignupStats): SignupStats {
  return {
    requestedCount: a.requestedCount + b.requestedCount,
    confirmedCount: a.confirmedCount + b.confirmedCount,
    missing: a.missing + b.missing,
    free: a.free === null || b.free === null ? null : a.free + b.free,
    minCount: a.minCount === null && b.minCount === null ? null : (a.minCount ?? 0) + (b.minCount ?? 0),
    maxCount: a.maxCount === null || b.maxCount === null ? null : a.maxCount + b.maxCount,
  }
}

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
