import type { SignupFacts } from '#features/staffing/eligibility/rules/candidacy.ts'
import { hasMatchedPlaces, placesOf } from '#features/staffing/staffing/queries/places.ts'
import { loadStaffing } from '#features/staffing/staffing/queries/staffing.ts'
import type { PlaceLabel } from '#features/staffing/staffing/rules/model.ts'
import { effectiveTeam } from '#features/staffing/staffing/structures/named-teams.ts'
import { getStructure } from '#features/staffing/staffing/structures/registry.ts'
import type { RequestContext } from '#platform/auth/context.ts'

type OwnPlace = { shiftId: number; participationId: number; facts: SignupFacts }

/** The place of a person in a shift; undefined if its places have no names. */
export async function getOwnPlace(
  { db }: Pick<RequestContext, 'db'>,
  { shiftId, participationId, facts }: OwnPlace,
): Promise<PlaceLabel | undefined> {
  if (facts.shifts.get(shiftId)?.structureSlug === 'uniform') return undefined
  const [staffed] = await loadStaffing(db, [shiftId], {
    qualifications: facts.inclusions,
    blocks: facts.blocks,
    shifts: facts.shifts,
  })
  if (!staffed) return undefined
  if (hasMatchedPlaces(staffed.structureSlug)) return placesOf([staffed]).get(shiftId)?.placeOf.get(participationId)
  const person = staffed.people.find((one) => one.participationId === participationId)
  const seats = getStructure(staffed.structureSlug)?.seats(staffed.structureConfiguration, staffed) ?? []
  return person && seats.find(({ place }) => place !== null && place === effectiveTeam(person))?.label
}
