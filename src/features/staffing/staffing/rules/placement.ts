import type { StructurePerson } from '../structures/structure.ts'
import { holdsPlace } from './lapses.ts'
import { match } from './matching.ts'
import type { PlaceLabel, Seat } from './model.ts'
import { normalizeUnitPaths } from './units.ts'

export type RosterPlaces = {
  /** Place of each person by participation: assigned, or else wished for. */
  placeOf: ReadonlyMap<number, PlaceLabel>
  /** Required places without a person, in the order of the plan. */
  open: readonly PlaceLabel[]
}

/** Places on the printed roster: confirmed people by the matching, requests by their wish. */
export function assignRosterPlaces(seats: readonly Seat[], people: readonly StructurePerson[]): RosterPlaces {
  const confirmed = people.filter((person) => holdsPlace(person) && isPlaceable(seats, person.participationId))
  const { assignment } = match({
    people: confirmed.map(({ participationId, skills }) => ({ id: participationId, state: 'confirmed', skills })),
    positions: seats.map(({ position }) => position),
  })
  const byId = new Map(seats.map((seat) => [seat.position.id, seat]))
  const placeOf = new Map([...assignment].map(([id, seatId]) => [id, byId.get(seatId)!.label]))
  for (const { participationId, structureData, lapse } of people) {
    const wish = lapse || placeOf.has(participationId) ? undefined : wishedSeat(seats, structureData)
    if (wish) placeOf.set(participationId, withoutPosition(wish.label))
  }
  const taken = Map.groupBy(assignment.values(), (seatId) => seatId)
  const open = seats.flatMap(({ position, label }) => {
    const free = position.required ? (position.places ?? 1) - (taken.get(position.id)?.length ?? 0) : 0
    return Array.from({ length: free }, () => label)
  })
  return { placeOf, open }
}

/** The matching does not assign people to teams: only people who chose a team or were assigned to one are placed. */
function isPlaceable(seats: readonly Seat[], id: number): boolean {
  return seats.every(({ label }) => label.kind !== 'team') || seats.some(({ position }) => position.designatedFor.has(id))
}

function wishedSeat(seats: readonly Seat[], structureData: unknown): Seat | undefined {
  const values = Object.values(normalizeUnitPaths(structureData))
  return seats.find(({ place }) => place !== null && values.includes(place))
}

export const withoutPosition = (label: PlaceLabel): PlaceLabel => (label.kind === 'unit' ? { ...label, position: null } : label)
