import { match } from './matching.ts'
import type { Inclusions, MatchPerson, MatchState, MissingAnyOf, PlaceLabel, Reason, Seat, Skills } from './model.ts'
import { covers, dropIncluded } from './skills.ts'

/** `blockedBy`: why a requester cannot be confirmed, whatever is free. */
export type Candidate = MatchPerson & { blockedBy?: Reason | undefined }

/** Why somebody should sit there. Each says what pages need to put it into words. */
export type SeatReason =
  /** Put there by a responsible, or by an earlier choice that counts already. */
  | { code: 'assigned' }
  | { code: 'wished' }
  /** Fills a place that the plan needs; `needs` is what it asks for. */
  | { code: 'needed'; needs: readonly number[] }
  | { code: 'room' }
  /** The plan does not count on it: "allow more", or more people than places. */
  | { code: 'more' | 'beyond' }

export type SuggestedSeat = {
  participationId: number
  state: MatchState
  /** A requester who should be confirmed. */
  confirm: boolean
  /** A change of what is stored: accepting the suggestion means to put the person there. */
  isMove: boolean
  place: string | null
  placeLabel: PlaceLabel
  positionId: string
  reason: SeatReason
  /** What the person wished for instead. */
  wishMissed: PlaceLabel | undefined
}

export type UnmatchedReason = { code: 'not_qualified'; missingAnyOf: MissingAnyOf } | { code: 'full' } | Reason
export type UnmatchedPerson = { participationId: number; state: MatchState; reason: UnmatchedReason }

/** What would fill an open place: somebody who sits where others could, or somebody new. */
export type SeatHelp = { code: 'move'; participationId: number; from: PlaceLabel } | { code: 'find' }

export type OpenSeat = {
  positionId: string
  place: string | null
  placeLabel: PlaceLabel
  required: boolean
  /** Null: any number. */
  count: number | null
  /** Any one of these sets is enough; `[[]]` asks for nothing. */
  needs: readonly (readonly number[])[]
  /** For required places only. */
  help: readonly SeatHelp[]
}

export type Suggestion = { seats: SuggestedSeat[]; unmatched: UnmatchedPerson[]; open: OpenSeat[] }

export type SuggestionInput = {
  people: readonly Candidate[]
  seats: readonly Seat[]
  inclusions: Inclusions
  /** Positions of an earlier suggestion, by participation. */
  previous?: ReadonlyMap<number, string> | undefined
}

/** Who should sit where, who of those who asked should be confirmed, who fits nowhere, and what stays open. */
export function suggest(input: SuggestionInput): Suggestion {
  const people = [...input.people].sort((a, b) => a.id - b.id)
  const free = people.filter(({ blockedBy }) => !blockedBy)
  const seatOf = new Map(input.seats.map((seat) => [seat.position.id, seat]))
  const assignment = assign(input, free, input.seats)
  const seats = free.flatMap((person) => {
    const seat = seatOf.get(assignment.get(person.id) ?? '')
    return seat ? [seatedAt(person, seat, input)] : []
  })
  const unmatched = people
    .filter(({ id }) => !assignment.has(id))
    .map(({ id, state, skills, blockedBy }) => ({
      participationId: id,
      state,
      reason: blockedBy ?? explainUnmatched(skills, input),
    }))
  return { seats, unmatched, open: openSeats(input, free, assignment) }
}

function assign({ inclusions, previous }: SuggestionInput, people: readonly Candidate[], seats: readonly Seat[]) {
  const positions = seats.map(({ position }) => position)
  return match({ people, positions, inclusions, ...(previous ? { previous } : {}) }).assignment
}

const needsOf = ({ position }: Seat, inclusions: Inclusions): number[][] =>
  position.needs.map((needed) => dropIncluded(needed, inclusions))

function seatedAt({ id, state }: Candidate, seat: Seat, { seats, inclusions }: SuggestionInput): SuggestedSeat {
  const { position, place, label } = seat
  const isAssigned = position.designatedFor.has(id)
  const wished = isAssigned ? undefined : seats.find((one) => one.position.preferredBy?.has(id))
  const isWished = position.preferredBy?.has(id) ?? false
  return {
    participationId: id,
    state,
    place,
    placeLabel: label,
    positionId: position.id,
    confirm: state === 'requested',
    isMove: place !== null && !isAssigned,
    reason: reasonFor(seat, { isAssigned, isWished, inclusions }),
    wishMissed:
      wished && !isWished ? { ...wished.label, ...(wished.label.kind === 'unit' ? { position: null } : {}) } : undefined,
  }
}

type SeatContext = { isAssigned: boolean; isWished: boolean; inclusions: Inclusions }

function reasonFor(seat: Seat, { isAssigned, isWished, inclusions }: SeatContext): SeatReason {
  const { position } = seat
  if (position.designationOnly) return { code: 'beyond' }
  if (isAssigned) return { code: 'assigned' }
  if (isWished) return { code: 'wished' }
  if (position.required) return { code: 'needed', needs: needsOf(seat, inclusions)[0] ?? [] }
  return position.real ? { code: 'room' } : { code: 'more' }
}

/** Somebody who is qualified for a place finds none free; somebody else learns what would be enough. */
function explainUnmatched(skills: Skills, { seats, inclusions }: SuggestionInput): UnmatchedReason {
  const needs = seats.filter(({ position }) => !position.designationOnly).flatMap(({ position }) => position.needs)
  if (!needs.length || needs.some((needed) => covers(skills, needed))) return { code: 'full' }
  const ways = needs.map((needed) =>
    dropIncluded(
      [...needed].filter((id) => !skills.has(id)),
      inclusions,
    ),
  )
  const distinct = [...new Map(ways.map((way) => [way.join(), way])).values()]
  return { code: 'not_qualified', missingAnyOf: distinct.sort((a, b) => a.length - b.length) }
}

function openSeats(input: SuggestionInput, people: readonly Candidate[], assignment: ReadonlyMap<number, string>): OpenSeat[] {
  const taken = new Map<string, number>()
  for (const id of assignment.values()) taken.set(id, (taken.get(id) ?? 0) + 1)
  const advise = makeAdvisor(input, people, assignment)
  return [...input.seats]
    .sort((a, b) => a.position.rank - b.position.rank)
    .flatMap((seat) => {
      const { position, place, label, isUnlimited } = seat
      const left = (position.places ?? 1) - (taken.get(position.id) ?? 0)
      if (position.designationOnly || (left <= 0 && !isUnlimited)) return []
      const { id: positionId, required } = position
      const help = required ? advise(seat) : []
      return [
        {
          positionId,
          place,
          placeLabel: label,
          required,
          count: isUnlimited ? null : left,
          needs: needsOf(seat, input.inclusions),
          help,
        },
      ]
    })
}

/** A matching for each; more would be too slow for very large plans, and nobody reads more. */
const MAX_ATTEMPTS = 12

/**
 * Nobody who could be moved freely would help, or they had been. People who were put somewhere else stay there; each who is
 * qualified is tried: the move helps if more required places are filled then.
 */
function makeAdvisor(input: SuggestionInput, people: readonly Candidate[], assignment: ReadonlyMap<number, string>) {
  const required = new Map(input.seats.map(({ position }) => [position.id, position.required]))
  const filled = (found: ReadonlyMap<number, string>) => [...found.values()].filter((id) => required.get(id)).length
  const now = filled(assignment)
  const seatOf = new Map(input.seats.map((seat) => [seat.position.id, seat]))
  const released = new Map<number, boolean>()
  const wouldHelp = (id: number) => {
    const known = released.get(id)
    if (known !== undefined || released.size >= MAX_ATTEMPTS) return known ?? false
    const seats = input.seats.map((seat) => withoutDesignation(seat, id))
    const helps = filled(assign(input, people, seats)) > now
    released.set(id, helps)
    return helps
  }
  return (open: Seat): SeatHelp[] => {
    const mover = people.find(({ id, skills }) => {
      const from = seatOf.get(assignment.get(id) ?? '')
      if (!from?.position.designatedFor.has(id) || from.place === open.place) return false
      return open.position.needs.some((needed) => covers(skills, needed)) && wouldHelp(id)
    })
    const from = mover && seatOf.get(assignment.get(mover.id)!)
    return from ? [{ code: 'move', participationId: mover.id, from: from.label }] : [{ code: 'find' }]
  }
}

function withoutDesignation(seat: Seat, id: number): Seat {
  if (!seat.position.designatedFor.has(id)) return seat
  const designatedFor = new Set([...seat.position.designatedFor].filter((one) => one !== id))
  return { ...seat, position: { ...seat.position, designatedFor } }
}
