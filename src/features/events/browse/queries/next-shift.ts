import type { Kysely } from 'kysely'
import { getOwnCheckIn, type OwnCheckIn } from '#features/on-the-day/check-in/queries/self.ts'
import { findContacts } from '#features/staffing/eligibility/queries/contacts.ts'
import type { Candidacy } from '#features/staffing/eligibility/rules/candidacy.ts'
import { hasMatchedPlaces, placesOf } from '#features/staffing/staffing/queries/places.ts'
import { loadStaffing } from '#features/staffing/staffing/queries/staffing.ts'
import type { PlaceLabel } from '#features/staffing/staffing/rules/model.ts'
import { effectiveTeam } from '#features/staffing/staffing/structures/named-teams.ts'
import { getStructure } from '#features/staffing/staffing/structures/registry.ts'
import type { UserActor } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import type { DB } from '#platform/db/tables.ts'
import type { Contact } from '#platform/ui/contact.ts'
import type { ShiftSummary } from '../rules/summaries.ts'

export type NextShift = {
  /** Those who plan the event, if the reader may reach them. */
  contacts: readonly Contact[]
  /** The place of the reader; undefined if the shift has no places with names. */
  place: PlaceLabel | undefined
  checkIn: OwnCheckIn | undefined
}

/** What a person needs to know about a shift that they take part in. */
export async function getNextShift(
  context: RequestContext<UserActor>,
  { id, eventId }: ShiftSummary,
  own: Candidacy['own'],
): Promise<NextShift> {
  const { db, actor } = context
  const [contacts, place, checkIn] = await Promise.all([
    findContacts(context, eventId),
    own && getPlace(db, id, own.id),
    own && getOwnCheckIn(context, { eventId, participationId: own.id, userId: actor.userId }),
  ])
  return { contacts: contacts.filter(({ email, phone }) => phone !== null || email !== null), place, checkIn }
}

async function getPlace(db: Kysely<DB>, shiftId: number, participationId: number): Promise<PlaceLabel | undefined> {
  const [staffed] = await loadStaffing(db, [shiftId])
  if (!staffed) return undefined
  if (hasMatchedPlaces(staffed.structureSlug)) return placesOf([staffed]).get(shiftId)?.placeOf.get(participationId)
  const person = staffed.people.find((one) => one.participationId === participationId)
  const seats = getStructure(staffed.structureSlug)?.seats(staffed.structureConfiguration, staffed) ?? []
  return person && seats.find(({ place }) => place !== null && place === effectiveTeam(person))?.label
}
