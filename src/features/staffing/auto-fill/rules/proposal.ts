import type { CardPerson } from '#features/staffing/disposition/rules/cards.ts'
import type { PlaceLabel, Reason, Warning } from '#features/staffing/staffing/rules/model.ts'
import { describeWork, findBreaches, type Limit, type WorkSpan } from '#features/staffing/working-time-limits/rules.ts'
import { overlaps, type Span } from '#platform/time-span.ts'
import { hoursOf, type Ledger, type Weights } from './ledger.ts'
import type { Pool } from './pool.ts'
import type { FillOption, FillPlace, FillProblem, FillShift } from './problem.ts'
import { type FillSolution, solve } from './solve.ts'

/** Why a person cannot take any place of a shift. */
export type Obstacle = 'unavailable' | 'declined' | 'rejected' | 'not_visible' | 'not_qualified' | 'too_young' | 'busy' | 'limit'

/** What one person can do about one shift. `qualifiedFor`: ids of open places. */
export type Chance = {
  obstacle: Obstacle | undefined
  qualifiedFor: readonly string[]
  isRequested: boolean
  /** The place that the person wished for, if it is one of the open ones. */
  wished: string | undefined
  hasOtherWish: boolean
  /** The person said that this time suits them. */
  isAvailable: boolean
  warnings: readonly Warning[]
}

export type Candidate = {
  /** Number of the person in the problem. */
  id: number
  loadCost: number
  limits: readonly Limit[]
  /** Shifts on whose day the person is a minor. */
  minorOn: ReadonlySet<number>
  /** Shifts on which the person is confirmed already. */
  engagements: readonly WorkSpan[]
  /** By shift. */
  chances: ReadonlyMap<number, Chance>
}

export type OpenPlace = {
  id: string
  shiftId: number
  count: number
  isRequired: boolean
  label: PlaceLabel
  /** What a board stores for a person on this place; null if nothing. */
  place: string | null
  needs: readonly (readonly number[])[]
}

/** Filling a required place is worth more than all costs of a person together. */
const VALUES = { required: 1000, optional: 300 } as const
const COSTS = {
  fixed: -1_000_000,
  requested: -150,
  wished: -30,
  otherWish: 20,
  available: -40,
  warning: 60,
  repeat: 20,
  shortRest: 60,
} as const

/** Between two shifts that together are longer than a working day. Who would have less is proposed if nobody else fits. */
const GOOD_REST_HOURS = 11
const WORKING_DAY_HOURS = 8

function restCostOf(a: Span, b: Span): number {
  const rest = Math.max(hoursOf({ start: b.end, end: a.start }), hoursOf({ start: a.end, end: b.start }))
  return rest < GOOD_REST_HOURS && hoursOf(a) + hoursOf(b) > WORKING_DAY_HOURS ? COSTS.shortRest : 0
}

const costOf = (
  { loadCost, engagements }: Candidate,
  chance: Chance,
  { placeId, shift, isFixed }: { placeId: string; shift: Span; isFixed: boolean },
): number =>
  (isFixed ? COSTS.fixed : 0) +
  loadCost +
  (chance.isRequested ? COSTS.requested : 0) +
  (chance.wished === placeId ? COSTS.wished : chance.wished || chance.hasOtherWish ? COSTS.otherWish : 0) +
  (chance.isAvailable ? COSTS.available : 0) +
  chance.warnings.length * COSTS.warning +
  engagements.reduce((sum, engagement) => sum + restCostOf(shift, engagement), 0)

/** Data alone: a thread gets a copy. */
export type ProposalInput = {
  shifts: readonly FillShift[]
  places: readonly OpenPlace[]
  candidates: readonly Candidate[]
  timeZone: string
  /** Who keeps a place, by the number of the person. */
  fixed?: readonly { placeId: string; id: number }[]
}

function buildProblem({ shifts, places, candidates, timeZone, fixed = [] }: ProposalInput): FillProblem {
  const keeps = new Set(fixed.map(({ placeId, id }) => `${id} ${placeId}`))
  const work = new Map(shifts.map((shift) => [shift.id, describeWork(shift, timeZone)]))
  const shiftOf = new Map(shifts.map((shift) => [shift.id, shift]))
  const byId = new Map(candidates.map((candidate) => [candidate.id, candidate]))
  const options = candidates.flatMap((candidate) =>
    [...candidate.chances].flatMap(([shiftId, chance]): FillOption[] =>
      chance.obstacle
        ? []
        : chance.qualifiedFor.map((placeId) => ({
            personId: candidate.id,
            placeId,
            cost: costOf(candidate, chance, {
              placeId,
              shift: shiftOf.get(shiftId)!,
              isFixed: keeps.has(`${candidate.id} ${placeId}`),
            }),
          })),
    ),
  )
  const blocking = new Map(candidates.map(({ id, limits }) => [id, limits.filter(({ blocks }) => blocks)]))
  const restOfAll = [...blocking.values()].map((limits) => limits.find(({ kind }) => kind === 'rest_hours')?.value ?? 0)
  return {
    shifts,
    places: places.map(
      ({ id, shiftId, count, isRequired }): FillPlace => ({
        id,
        shiftId,
        count,
        value: isRequired ? VALUES.required : VALUES.optional,
      }),
    ),
    options,
    repeatCost: COSTS.repeat,
    pairCost: restCostOf,
    // Only what holds for all people may tighten the bound.
    restHours: restOfAll.length > 0 ? Math.min(...restOfAll) : 0,
    isCompatible: (personId, taken) => {
      const { engagements, minorOn } = byId.get(personId)!
      if (taken.some((a, index) => taken.slice(index + 1).some((b) => overlaps(a, b)))) return false
      const limits = blocking.get(personId)!
      if (limits.length === 0) return true
      const spans = taken.map(({ id }) => work.get(id)!)
      return taken.every((shift, index) => {
        const others = [...engagements, ...spans.filter((_, other) => other !== index)]
        const situation = { work: spans[index]!, others, isMinor: minorOn.has(shift.id), hasAdult: true, timeZone }
        return findBreaches(limits, situation).length === 0
      })
    },
  }
}

export type Choice = {
  candidate: Candidate
  chance: Chance
  /** No other person could take the place. */
  isOnly: boolean
  /** Other people for the place, the best first. `isUsed`: has a shift at that time in the proposal, or would exceed a limit. */
  alternatives: readonly { candidate: Candidate; isUsed: boolean }[]
}
/** `obstacles`: how many candidates cannot take the place, by reason; `used`: how many are needed elsewhere. */
export type Gap = { count: number; obstacles: Partial<Record<Obstacle, number>>; used: number }
export type FilledPlace = { place: OpenPlace; choices: readonly Choice[]; gap: Gap | undefined }

export type Proposal = Pick<FillSolution, 'total' | 'bound' | 'isOptimal'> & { places: readonly FilledPlace[] }

export type ScopedShift = {
  id: number
  eventId: number
  eventTitle: string
  label: string
  start: Date
  end: Date
  flowSlug: string
}

export type ProposedPerson = { who: CardPerson; name: string; ledger: Ledger | undefined; versions: ReadonlyMap<number, number> }

export type LoadedProposal = Proposal & {
  shifts: readonly ScopedShift[]
  /** Whose people were considered. */
  pool: Pool
  people: ReadonlyMap<number, ProposedPerson>
  /** What counts for the order of people. */
  weights: Weights
  /** Average of the hours that the people considered have done. */
  averageHours: number
  /** Shifts of the scope without open places. */
  filled: number
  hasMoreShifts: boolean
  hasMorePeople: boolean
  /** The search was ended before it was finished. */
  isOutOfTime: boolean
  /** Whom the planner keeps on a place; `lost`: how many cannot be kept. */
  isFixed: (placeId: string, candidateId: number) => boolean
  lost: number
  /** Titles of shifts whose plan cannot be read, or which follow another shift. */
  skipped: readonly ScopedShift[]
  /** Whether the board stores no place for people on this shift. */
  isPlaceOptional: (shiftId: number) => boolean
}

const MAX_ALTERNATIVES = 5

/** Proposes people for the open places, and explains each choice and each gap. `onFirst`: a proposal that may not be the best one. */
export function propose(input: ProposalInput, onFirst?: (first: Proposal) => void): Proposal {
  const problem = buildProblem(input)
  return explain(input, problem, solve(problem, onFirst && ((first) => onFirst(explain(input, problem, first)))))
}

function explain(input: ProposalInput, problem: FillProblem, solution: FillSolution): Proposal {
  const byId = new Map(input.candidates.map((candidate) => [candidate.id, candidate]))
  const shiftOf = new Map(input.shifts.map((shift) => [shift.id, shift]))
  const placeOf = new Map(input.places.map((place) => [place.id, place]))
  const taken = Map.groupBy(solution.assignments, ({ personId }) => personId)
  const shiftsOf = (personId: number) =>
    (taken.get(personId) ?? []).map(({ placeId }) => shiftOf.get(placeOf.get(placeId)!.shiftId)!)
  const chosen = Map.groupBy(solution.assignments, ({ placeId }) => placeId)
  const optionsOf = Map.groupBy(problem.options, ({ placeId }) => placeId)
  const places = input.places.map((place): FilledPlace => {
    const shift = shiftOf.get(place.shiftId)!
    const here = (chosen.get(place.id) ?? []).map(({ personId }) => personId)
    const options = (optionsOf.get(place.id) ?? []).toSorted((a, b) => a.cost - b.cost || a.personId - b.personId)
    const others = options.filter(({ personId }) => !shiftsOf(personId).includes(shift))
    const alternatives = others.slice(0, MAX_ALTERNATIVES).map(({ personId }) => ({
      candidate: byId.get(personId)!,
      isUsed: !problem.isCompatible(personId, [...shiftsOf(personId), shift]),
    }))
    const choices = here.map((personId): Choice => {
      const candidate = byId.get(personId)!
      return { candidate, chance: candidate.chances.get(shift.id)!, isOnly: options.length === 1, alternatives }
    })
    const missing = place.count - here.length
    return { place, choices, gap: missing > 0 && place.isRequired ? describeGap(missing, place, input.candidates) : undefined }
  })
  const { total, bound, isOptimal } = solution
  return { places, total, bound, isOptimal }
}

function describeGap(count: number, { id, shiftId }: OpenPlace, candidates: readonly Candidate[]): Gap {
  const obstacles: Partial<Record<Obstacle, number>> = {}
  let used = 0
  for (const { chances } of candidates) {
    const chance = chances.get(shiftId)
    if (!chance) continue
    const obstacle = chance.obstacle ?? (chance.qualifiedFor.includes(id) ? undefined : 'not_qualified')
    if (obstacle) obstacles[obstacle] = (obstacles[obstacle] ?? 0) + 1
    else used++
  }
  return { count, obstacles, used }
}

/** Of all reasons against a sign-up, the one that keeps a person from being proposed; sign-up times do not bind planners. */
export function obstacleOf(reasons: readonly Reason[]): Obstacle | undefined {
  for (const { code } of reasons) {
    if (code === 'type_not_qualified' || code === 'not_qualified') return 'not_qualified'
    if (code === 'too_young' || code === 'age_unknown') return 'too_young'
    if (code === 'conflict') return 'busy'
    if (code.startsWith('limit_') || code === 'added_rule') return 'limit'
  }
  return undefined
}

/** A proposal that names candidates by their numbers, so that little is copied between threads. */
export type NumberedProposal = Omit<Proposal, 'places'> & {
  places: readonly {
    choices: readonly { id: number; isOnly: boolean; alternatives: readonly { id: number; isUsed: boolean }[] }[]
    gap: Gap | undefined
  }[]
}

export const numberProposal = ({ places, ...totals }: Proposal): NumberedProposal => ({
  ...totals,
  places: places.map(({ choices, gap }) => ({
    gap,
    choices: choices.map(({ candidate, isOnly, alternatives }) => ({
      id: candidate.id,
      isOnly,
      alternatives: alternatives.map((one) => ({ id: one.candidate.id, isUsed: one.isUsed })),
    })),
  })),
})

export function nameProposal(input: ProposalInput, { places, ...totals }: NumberedProposal): Proposal {
  const byId = new Map(input.candidates.map((candidate) => [candidate.id, candidate]))
  return {
    ...totals,
    places: input.places.map((place, index): FilledPlace => {
      const { choices, gap } = places[index]!
      return {
        place,
        gap,
        choices: choices.map(({ id, isOnly, alternatives }): Choice => {
          const candidate = byId.get(id)!
          return {
            candidate,
            chance: candidate.chances.get(place.shiftId)!,
            isOnly,
            alternatives: alternatives.map((one) => ({ candidate: byId.get(one.id)!, isUsed: one.isUsed })),
          }
        }),
      }
    }),
  }
}

export const shiftTitle = ({ eventTitle, label }: Pick<ScopedShift, 'eventTitle' | 'label'>): string =>
  label ? `${eventTitle}, ${label}` : eventTitle
