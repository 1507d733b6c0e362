import { match } from './matching.ts'
import type { Inclusions, MatchPerson, MatchState, MissingAnyOf, PlaceLabel, Reason, Seat, Skills } from './model.ts'
import { covers, dropIncluded } from './skills.ts'

/** `blockedBy`: why a requester cannot be confirmed, even on a free place. */
export type Candidate = MatchPerson & { blockedBy?: Reason | undefined }

/** Why a person is suggested for a place, with the data that its text needs. */
export type SeatReason =
  /** Assigned by a responsible, or chosen earlier and already counted. */
  | { code: 'assigned' }
  | { code: 'wished' }
  /** Fills a required place with these needs. */
  | { code: 'needed'; needs: readonly number[] }
  | { code: 'room' }
  /** Not a place of the plan: "allow more", or more people than places. */
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
  /** The place that the person wished for, if it is another one. */
  wishMissed: PlaceLabel | undefined
}

export type UnmatchedReason = { code: 'not_qualified'; missingAnyOf: MissingAnyOf } | { code: 'full' } | Reason
type UnmatchedPerson = { participationId: number; state: MatchState; reason: UnmatchedReason }

/** How to fill an open place: move a person whose place others can take, or find a new person. */
type SeatHelp = { code: 'move'; participationId: number; from: PlaceLabel } | { code: 'find' }

export type OpenSeat = {
  positionId: string
  place: string | null
  placeLabel: PlaceLabel
  required: boolean
  /** Null: any number. */
  count: number | null
  /** Any one of these sets is enough; `[[]]` requires nothing. */
  needs: readonly (readonly number[])[]
  /** For required places only. */
  help: readonly SeatHelp[]
}

type Suggestion = { seats: SuggestedSeat[]; unmatched: UnmatchedPerson[]; open: OpenSeat[] }

type SuggestionInput = {
  people: readonly Candidate[]
  seats: readonly Seat[]
  inclusions: Inclusions
  /** Positions of an earlier suggestion, by participation. */
  previous?: ReadonlyMap<number, string> | undefined
}

/** Suggests a place for each person and which requests to confirm; lists people without a place and open places. */
export function suggest(input: SuggestionInput): Suggestion {
  const people = [...input.people].sort((a, b) => a.id - b.id)
  const free = people.filter(({ blockedBy }) => !blockedBy)
  const seatOf = new Map(input.seats.map((seat) => [seat.position.id, seat]))
  const assignment = assign(input, free, input.seats)
  const seats = free.flatMap((person) => {
    const seat = seatOf.get(assignment.get(person.id) ?? '')
    return seat ? [describeSeat(person, seat, input)] : []
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

function describeSeat({ id, state }: Candidate, seat: Seat, { seats, inclusions }: SuggestionInput): SuggestedSeat {
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

/** `full` for people who are qualified for a place; for others the qualifications that would be enough. */
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

/** Each attempt is one matching; bounds the time for very large plans. */
const MAX_ATTEMPTS = 12

/**
 * The matching already moves people who are not assigned. So only people whom a responsible assigned elsewhere can help: each qualified
 * one is released in turn, and the move helps if more required places are filled then.
 */
function makeAdvisor(input: SuggestionInput, people: readonly Candidate[], assignment: ReadonlyMap<number, string>) {
  const required = new Map(input.seats.map(({ position }) => [position.id, position.required]))
  const filled = (found: ReadonlyMap<number, string>) => [...found.values()].filter((id) => required.get(id)).length
  const filledNow = filled(assignment)
  const seatOf = new Map(input.seats.map((seat) => [seat.position.id, seat]))
  const released = new Map<number, boolean>()
  const wouldHelp = (id: number) => {
    const known = released.get(id)
    if (known !== undefined || released.size >= MAX_ATTEMPTS) return known ?? false
    const seats = input.seats.map((seat) => withoutDesignation(seat, id))
    const helps = filled(assign(input, people, seats)) > filledNow
    released.set(id, helps)
    return helps
  }
  return (open: Seat): SeatHelp[] => {
    const movable = people.find(({ id, skills }) => {
      const from = seatOf.get(assignment.get(id) ?? '')
      if (!from?.position.designatedFor.has(id) || from.place === open.place) return false
      return open.position.needs.some((needed) => covers(skills, needed)) && wouldHelp(id)
    })
    const from = movable && seatOf.get(assignment.get(movable.id)!)
    return from ? [{ code: 'move', participationId: movable.id, from: from.label }] : [{ code: 'find' }]
  }
}

function withoutDesignation(seat: Seat, id: number): Seat {
  if (!seat.position.designatedFor.has(id)) return seat
  const designatedFor = new Set([...seat.position.designatedFor].filter((one) => one !== id))
  return { ...seat, position: { ...seat.position, designatedFor } }
}
