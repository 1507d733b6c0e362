import type { Kysely } from 'kysely'
import type { DB } from '#platform/db/tables.ts'
import { listShortages, type Segment, type Shortage } from '../rules/coverage.ts'
import { coverShift } from '../structures/registry.ts'
import { type LoadedSkills, loadStaffing, type StaffedShift } from './staffing.ts'

export type Coverage = { segments: Segment[]; shortages: Shortage[] }

/** Coverage by confirmed people, by shift. The caller checks access. Shifts with an invalid structure are left out. */
export async function findCoverage(
  db: Kysely<DB>,
  shiftIds: readonly number[],
  loaded?: LoadedSkills,
): Promise<Map<number, Coverage>> {
  return coverageOf(await loadStaffing(db, shiftIds, loaded))
}

export function coverageOf(shifts: readonly StaffedShift[]): Map<number, Coverage> {
  return new Map(
    shifts.flatMap((shift) => {
      const segments = coverShift(shift)
      if (!segments) return []
      return [[shift.id, { segments, shortages: listShortages(segments) }] as const]
    }),
  )
}
