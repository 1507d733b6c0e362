import { holdsPlace } from '../rules/lapses.ts'
import type { PlaceLabel } from '../rules/model.ts'
import { assignRosterPlaces, type RosterPlaces } from '../rules/placement.ts'
import { getStructure } from '../structures/registry.ts'
import type { StaffedShift } from './staffing.ts'

/** All places in the order of the plan, and the place of each person. */
export type Places = RosterPlaces & { labels: readonly PlaceLabel[] }

/** Structures that assign people to places by their qualifications. */
const MATCHED_STRUCTURES = new Set(['qualification_mix', 'complex'])

export const hasMatchedPlaces = (structureSlug: string): boolean => MATCHED_STRUCTURES.has(structureSlug)

/** Of the shifts with a structure that assigns people. */
export function placesOf(shifts: readonly StaffedShift[]): Map<number, Places> {
  return new Map(
    shifts.flatMap((staffed) => {
      if (!hasMatchedPlaces(staffed.structureSlug)) return []
      const confirmed = staffed.people.filter(holdsPlace)
      const input = { ...staffed, people: confirmed }
      const seats = getStructure(staffed.structureSlug)?.seats(staffed.structureConfiguration, input)
      if (!seats) return []
      return [[staffed.id, { ...assignRosterPlaces(seats, staffed.people), labels: seats.map(({ label }) => label) }] as const]
    }),
  )
}
