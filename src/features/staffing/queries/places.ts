import type { RequestContext } from '#platform/auth/context.ts'
import { holdsPlace } from '../rules/lapses.ts'
import type { PlaceLabel } from '../rules/model.ts'
import { assignRosterPlaces, type RosterPlaces } from '../rules/placement.ts'
import { getStructure } from '../structures/registry.ts'
import { loadStaffing } from './staffing.ts'

/** All places in the order of the plan, and the place of each person. */
export type Places = RosterPlaces & { labels: readonly PlaceLabel[] }

/** Structures that assign people to places by their qualifications. */
const MATCHED_STRUCTURES = new Set(['qualification_mix', 'complex'])

export async function findPlaces(
  { db }: RequestContext,
  shifts: readonly { id: number; structure_slug: string }[],
): Promise<Map<number, Places>> {
  const ids = shifts.filter(({ structure_slug }) => MATCHED_STRUCTURES.has(structure_slug)).map(({ id }) => id)
  const staffing = ids.length ? await loadStaffing(db, ids) : []
  return new Map(
    staffing.flatMap((staffed) => {
      const confirmed = staffed.people.filter(holdsPlace)
      const input = { ...staffed, people: confirmed }
      const seats = getStructure(staffed.structureSlug)?.seats(staffed.structureConfiguration, input)
      if (!seats) return []
      return [[staffed.id, { ...assignRosterPlaces(seats, staffed.people), labels: seats.map(({ label }) => label) }] as const]
    }),
  )
}
