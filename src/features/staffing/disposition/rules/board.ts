import type { Answer } from '#features/events/questionnaires/rules.ts'
import { holdsPlace, type Lapse } from '#features/staffing/staffing/rules/lapses.ts'
import {
  type Inclusions,
  isIn,
  type PlaceLabel,
  type Reason,
  type Seat,
  type Skills,
  STATE,
  type State,
  type Warning,
} from '#features/staffing/staffing/rules/model.ts'
import { isUnfit } from '#features/staffing/staffing/rules/reasons.ts'
import { covers } from '#features/staffing/staffing/rules/skills.ts'
import { type OpenSeat, type SuggestedSeat, suggest, type UnmatchedReason } from '#features/staffing/staffing/rules/suggestion.ts'
import type { Span } from '#platform/time-span.ts'
import { type CardBefore, type CardPerson, type CardReason, type SubmittedCard, writeTarget } from './cards.ts'

/** The reason is about the person (qualification, age, conflict, limits of working time), not about sign-up. */
export const isAboutPerson = (reason: Reason): boolean =>
  isUnfit(reason) || reason.code === 'conflict' || reason.code.startsWith('limit_')

/** `name`: the short name of the question. */
export type BoardAnswer = { questionId: number; name: string; answer: Answer }

export type BoardComment = { author: string; text: string; at: Date; level: 0 | 1 | 2 }

/** The stored record of a card that somebody else has changed. */
type CardNow = { version: number; state: State; span: Span; hasOwnTimes: boolean; place: PlaceLabel | undefined }
export type Stale = { now: CardNow | undefined; by: string | null; isOwn: boolean; at: Date | undefined }

/** A person on the board, with unsaved changes. */
export type BoardCard = {
  key: string
  who: CardPerson
  name: string
  /** The person who brings a placeholder. */
  broughtBy: string | undefined
  phone: string | null
  /** Id of the participation; negative for new cards. */
  id: number
  before: CardBefore
  /** The value of its move field. */
  to: string
  state: State
  start: string
  end: string
  which: { start: string; end: string }
  span: Span
  hasOwnTimes: boolean
  /** The shift was moved, and the individual times are outside of it now. */
  areTimesOutside: boolean
  /** Why the person does not count any more. */
  lapse: Lapse | undefined
  comment: string
  isHidden: boolean
  isChanged: boolean
  comments: readonly BoardComment[]
  answers: readonly BoardAnswer[]
  skills: Skills
  /** Qualifications held until the end, without included ones. */
  held: readonly number[]
  /** Held today, expired at the end of the person's time. */
  expiring: readonly number[]
  isMinor: boolean
  hints: readonly Reason[]
  warnings: readonly Warning[]
  structureData: unknown
  wish: PlaceLabel | undefined
  /** Set if somebody else has changed the record since the form was rendered. */
  stale: Stale | undefined
  reasons: readonly CardReason[]
  /** Why the matcher suggests this seat, or none. */
  advice: { code: 'seat'; seat: SuggestedSeat } | { code: 'nowhere'; reason: UnmatchedReason } | undefined
}

type Gap = { label: PlaceLabel; count: number; needs: readonly number[] }
export type BoardSection = {
  id: string
  /** Undefined for confirmed people without a place. */
  label: PlaceLabel | undefined
  /** Value to store for this section; null if people cannot be moved here. */
  place: string | null
  rows: readonly { card: BoardCard; position: string | null }[]
  gaps: readonly Gap[]
  required: number
  /** Null: unlimited. */
  places: number | null
}

const sectionOf = ({ place, position }: Seat): string => place ?? position.id.replace(/\.\w+$/, '')

/** Confirmed people by place, with gaps. Without seats (invalid configuration) all people are in one section. */
export function arrangeSections(cards: readonly BoardCard[], seats: readonly Seat[], inclusions: Inclusions): BoardSection[] {
  const confirmed = cards.filter(({ state }) => state === STATE.confirmed)
  const people = confirmed.filter(holdsPlace).map(({ id, skills }) => ({ id, skills, state: 'confirmed' as const }))
  const found = suggest({ people, seats, inclusions })
  const seatOf = new Map(found.seats.map((seat) => [seat.participationId, seat]))
  const byId = new Map(seats.map((seat) => [seat.position.id, seat]))
  const sections = [...Map.groupBy(seats, sectionOf)].map(([id, own]): BoardSection => {
    const ids = new Set(own.map(({ position }) => position.id))
    const rows = confirmed.flatMap((card) => {
      const seat = seatOf.get(card.id)
      return seat && ids.has(seat.positionId) ? [{ card, position: positionOf(seat.placeLabel), at: rankOf(byId, seat) }] : []
    })
    const counted = own.filter(({ position }) => !position.designationOnly)
    const sum = (some: readonly Seat[]) => some.reduce((total, { position }) => total + (position.places ?? 1), 0)
    return {
      id,
      label: own[0]!.label,
      place: own[0]!.place,
      rows: rows.sort((a, b) => a.at - b.at).map(({ card, position }) => ({ card, position })),
      gaps: found.open
        .filter(({ positionId, required }) => required && ids.has(positionId))
        .map(({ placeLabel, count, needs }) => ({ label: placeLabel, count: count ?? 1, needs: needs[0] ?? [] })),
      required: sum(counted.filter(({ position }) => position.required)),
      places: counted.some(({ isUnlimited }) => isUnlimited) ? null : sum(counted),
    }
  })
  const rest = confirmed.filter(({ id }) => !seatOf.has(id)).map((card) => ({ card, position: null }))
  if (!rest.length && sections.length) return sections
  return [...sections, { id: 'rest', label: undefined, place: null, rows: rest, gaps: [], required: 0, places: 0 }]
}

const positionOf = (label: PlaceLabel): string | null => (label.kind === 'unit' ? label.position : null)
const rankOf = (seats: ReadonlyMap<string, Seat>, { positionId }: SuggestedSeat): number => seats.get(positionId)!.position.rank

/** A place that people can be moved to; `needs`: qualifications of its positions. */
export type PlaceChoice = { place: string; label: PlaceLabel; needs: readonly Skills[] }

export function placesOf(seats: readonly Seat[]): PlaceChoice[] {
  const choosable = seats.filter(({ place, position }) => place !== null && !position.designationOnly)
  return [...Map.groupBy(choosable, ({ place }) => place!)].map(([place, own]) => {
    const { label } = own[0]!
    const whole: PlaceLabel = label.kind === 'unit' ? { ...label, position: null } : label
    return { place, label: whole, needs: own.flatMap(({ position }) => [...position.needs]) }
  })
}

export const isQualifiedFor = ({ needs }: PlaceChoice, skills: Skills): boolean => needs.some((needed) => covers(skills, needed))

type Proposal = { key: string; place: string | null; advice: NonNullable<BoardCard['advice']>; isSeated: boolean }

/**
 * Requests that the matcher would confirm. `gaps`: only those that fill required places; `all`: as many as there are places.
 * Never people who do not fit or are confirmed elsewhere at that time.
 */
export function propose(
  cards: readonly BoardCard[],
  { seats, inclusions, extent }: { seats: readonly Seat[]; inclusions: Inclusions; extent: 'gaps' | 'all' },
): { proposals: Proposal[]; open: OpenSeat[] } {
  const wanted = cards.filter(({ state }) => isIn(state))
  const people = wanted
    .filter(({ lapse }) => !lapse)
    .map(({ id, skills, state, hints }) => {
      const isRequested = state === STATE.requested
      return {
        id,
        skills,
        state: isRequested ? ('requested' as const) : ('confirmed' as const),
        blockedBy: isRequested ? hints[0] : undefined,
      }
    })
  const found = suggest({ people, seats, inclusions })
  const required = new Set(seats.filter(({ position }) => position.required).map(({ position }) => position.id))
  const keyOf = new Map(wanted.map(({ id, key }) => [id, key]))
  const seated = found.seats
    .filter(({ confirm, positionId }) => confirm && (extent === 'all' || required.has(positionId)))
    .map((seat): Proposal => {
      return { key: keyOf.get(seat.participationId)!, place: seat.place, isSeated: true, advice: { code: 'seat', seat } }
    })
  const others = found.unmatched
    .filter(({ state }) => state === 'requested')
    .map(({ participationId, reason }): Proposal => {
      return { key: keyOf.get(participationId)!, place: null, isSeated: false, advice: { code: 'nowhere', reason } }
    })
  return { proposals: [...seated, ...others], open: found.open.filter((one) => one.required) }
}

type BoardPlaces = {
  sections: readonly BoardSection[]
  places: readonly PlaceChoice[]
  /** People can be confirmed without choosing a place. */
  isPlaceOptional: boolean
  /** For requested and confirmed people. */
  seats: readonly Seat[]
}

/**
 * Default target when a person is confirmed: the place they wish for, else the one that lacks people most among those they are
 * qualified for.
 */
export function firstTarget({ places, isPlaceOptional, sections, seats }: BoardPlaces, skills: Skills, id?: number): string {
  const confirmed = (place: string | undefined) => writeTarget({ state: STATE.confirmed, place })
  if (!places.length) return confirmed(undefined)
  if (isPlaceOptional) return confirmed('')
  const wished = id === undefined ? undefined : seats.find(({ position }) => position.preferredBy?.has(id))?.place
  if (wished) return confirmed(wished)
  const openness = ({ place }: PlaceChoice) => {
    const section = sections.find((one) => one.place === place)
    if (!section || section.gaps.length) return section ? 2 : 0
    return section.places === null || section.rows.length < section.places ? 1 : 0
  }
  const fitting = places.filter((choice) => isQualifiedFor(choice, skills))
  const [best] = [...(fitting.length ? fitting : places)].sort((a, b) => openness(b) - openness(a))
  return confirmed(best!.place)
}

export const toSubmittedCard = (
  { key, who, before, to, start, end, which, comment, isHidden }: BoardCard,
  shiftId: number,
): SubmittedCard => ({
  shiftId,
  key,
  who,
  before,
  to,
  start,
  end,
  which,
  comment,
  isHidden,
})
