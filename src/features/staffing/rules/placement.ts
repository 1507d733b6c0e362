import { match } from './matching.ts'
import { type PlaceLabel, type Seat, type Skills, STATE, type State } from './model.ts'

export type RosterPerson = { participationId: number; state: State; skills: Skills; structureData: unknown }
export type RosterPlaces = {
  /** Where each person is, or wishes to be. */
  placeOf: ReadonlyMap<number, PlaceLabel>
  /** Places that must be filled and are not, in the order of the plan. */
  open: readonly PlaceLabel[]
}

/** Who stands where on the paper: confirmed people by the matching, requests by what they wish for. */
export function assignRosterPlaces(seats: readonly Seat[], people: readonly RosterPerson[]): RosterPlaces {
  const confirmed = people.filter(
    ({ participationId, state }) => state === STATE.confirmed && isPlaceable(seats, participationId),
  )
  const { assignment } = match({
    people: confirmed.map(({ participationId, skills }) => ({ id: participationId, state: 'confirmed', skills })),
    positions: seats.map(({ position }) => position),
  })
  const byId = new Map(seats.map((seat) => [seat.position.id, seat]))
  const placeOf = new Map([...assignment].map(([id, seatId]) => [id, byId.get(seatId)!.label]))
  for (const { participationId, structureData } of people) {
    const wish = placeOf.has(participationId) ? undefined : wishedSeat(seats, structureData)
    if (wish) placeOf.set(participationId, withoutPosition(wish.label))
  }
  const taken = Map.groupBy(assignment.values(), (seatId) => seatId)
  const open = seats.flatMap(({ position, label }) => {
    const free = position.required ? (position.places ?? 1) - (taken.get(position.id)?.length ?? 0) : 0
    return Array.from({ length: Math.max(free, 0) }, () => label)
  })
  return { placeOf, open }
}

/** Teams are made of those who were given or chose them; nobody is put into one by the mere plan. */
function isPlaceable(seats: readonly Seat[], id: number): boolean {
  return seats.every(({ label }) => label.kind !== 'team') || seats.some(({ position }) => position.designatedFor.has(id))
}

function wishedSeat(seats: readonly Seat[], structureData: unknown): Seat | undefined {
  const values: unknown[] = typeof structureData === 'object' && structureData ? Object.values(structureData) : []
  return seats.find(({ place }) => place !== null && values.includes(place))
}

const withoutPosition = (label: PlaceLabel): PlaceLabel => (label.kind === 'unit' ? { ...label, position: null } : label)
