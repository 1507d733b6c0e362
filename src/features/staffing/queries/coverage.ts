import type { Kysely } from 'kysely'
import type { DB } from '#platform/db/tables.ts'
import { computeCoverage, listShortages, type Segment, type Shortage } from '../rules/coverage.ts'
import { holdsPlace } from '../rules/lapses.ts'
import { getStructure } from '../structures/registry.ts'
import { loadStaffing } from './staffing.ts'

export type Coverage = { segments: Segment[]; shortages: Shortage[] }

/** Coverage by confirmed people, by shift. The caller checks access. Shifts with an invalid structure are left out. */
export async function findCoverage(db: Kysely<DB>, shiftIds: readonly number[]): Promise<Map<number, Coverage>> {
  if (!shiftIds.length) return new Map()
  const shifts = await loadStaffing(db, shiftIds)
  return new Map(
    shifts.flatMap((shift) => {
      const confirmed = shift.people.filter(holdsPlace)
      const seats = getStructure(shift.structureSlug)?.seats(shift.structureConfiguration, { ...shift, people: confirmed })
      if (!seats) return []
      const ids = new Set(confirmed.map(({ participationId }) => participationId))
      const segments = computeCoverage({
        shift: shift.span,
        seats,
        inclusions: shift.qualifications,
        people: confirmed.map(({ participationId: id, skills }) => ({ id, state: 'confirmed', skills })),
        presence: new Map([...shift.presence].filter(([id]) => ids.has(id))),
      })
      return [[shift.id, { segments, shortages: listShortages(segments) }] as const]
    }),
  )
}
