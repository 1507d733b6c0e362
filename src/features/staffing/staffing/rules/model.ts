import type { Words } from '#platform/i18n/words.ts'
import type { Span } from '#platform/time-span.ts'
import type { Contact } from '#platform/ui/contact.ts'

/** The integers are part of the public API; never renumber. `gettingDispatched` exists in imported rows only. */
export const STATE = { requested: 0, confirmed: 1, declinedByUser: 2, rejectedByResponsible: 3, gettingDispatched: 4 } as const

export type State = (typeof STATE)[keyof typeof STATE]

/** Requested or confirmed. */
export const isIn = (state: number | null | undefined): state is typeof STATE.requested | typeof STATE.confirmed =>
  state === STATE.requested || state === STATE.confirmed

/** Ids of qualifications. What a person holds is closed downwards: it contains everything that its members include. */
export type Skills = ReadonlySet<number>

/** Each qualification with everything it includes, itself too. */
export type Inclusions = ReadonlyMap<number, Skills>

/** `free` and `maxCount` null: unlimited; `minCount` null: no minimum is set. */
export type SignupStats = {
  requestedCount: number
  confirmedCount: number
  missing: number
  free: number | null
  minCount: number | null
  maxCount: number | null
  /** The most people missing at the same time, if this is more than `missing`: some people are there only for a part of the shift. */
  shortfall?: number
}

/** Statistics of an event without shifts, the neutral element of `addStats`. */
export const NO_STATS: SignupStats = Object.freeze({
  requestedCount: 0,
  confirmedCount: 0,
  missing: 0,
  free: 0,
  minCount: null,
  maxCount: 0,
})

export type MatchState = 'confirmed' | 'requested'

/** `skills`: everything held at the end of the person's time on the shift, includes followed. */
export type MatchPerson = { id: number; state: MatchState; skills: Skills }

export type MatchPosition = {
  id: string
  /** Order among all positions: between equal ones the lower rank is taken, then the lower id. */
  rank: number
  /** How many people fit; one if absent. */
  places?: number
  required: boolean
  /** Any one of these sets is enough; `[new Set()]` requires nothing. */
  needs: readonly Skills[]
  /** Ids of people whom a responsible assigned to it. */
  designatedFor: ReadonlySet<number>
  /** Ids of people who wish for it. */
  preferredBy?: ReadonlySet<number>
  designationOnly: boolean
  /** False for places that are not part of the plan: "allow more" and those beyond the maximum. */
  real: boolean
}

/** What pages call a place of the plan. */
/** A block of the plan: the unit itself or one that contains it. `path` tells blocks with the same title apart. */
export type UnitBlock = { path: string; title: string }

export type PlaceLabel =
  | { kind: 'shift' }
  | { kind: 'team'; title: string }
  | { kind: 'requirement'; qualificationId: number | null }
  | { kind: 'unit'; title: string; position: string | null; blocks: readonly UnitBlock[] }

/** A position of the plan as people see it. */
export type Seat = {
  position: MatchPosition
  /** Value stored for a person whom a responsible assigns to it (team, unit); null if the structure stores nothing. */
  place: string | null
  label: PlaceLabel
  /** There is always one more. */
  isUnlimited: boolean
}

/** A shift on which a person is confirmed. */
export type Engagement = Span & {
  shiftId: number
  eventId: number
  /** Null: the reader may not see the event. */
  eventTitle: string | null
  /** A shift at a partner instance: its ids are not ours. */
  partner?: { host: string; href: string } | undefined
}

/** Sets of qualifications, any one of which would be enough; empty if none is required. */
export type MissingAnyOf = readonly (readonly number[])[]

/** `actual`: what the person would reach with the shift. */
type LimitReason = {
  code: 'limit_week' | 'limit_nights' | 'limit_minor_day' | 'limit_minor_hour' | 'limit_minor_alone'
  limit: number
  actual: number
}

/** Of a rule of an extension. `message`: key of its text. */
type AddedReason = { code: 'added_rule'; message: string; values: Readonly<Record<string, string | number>> }

/** Why an action is refused, with the data that its text needs. */
export type Reason =
  | { code: 'event_not_active' | 'event_cancelled' | 'configuration_broken' }
  | { code: 'already_in' | 'already_declined' | 'rejected' | 'may_not_leave' | 'not_in' }
  | { code: 'no_self_service'; explanation: string }
  | { code: 'follows_other_shift' | 'leader_missing' }
  | { code: 'not_open_yet' | 'closed'; at: Date }
  | { code: 'type_not_qualified'; missing: readonly number[] }
  | { code: 'not_qualified'; missingAnyOf: MissingAnyOf }
  | { code: 'age_unknown'; minimumAge: number }
  /** `from`: the beginning of the day on which the person is old enough. */
  | { code: 'too_young'; minimumAge: number; from: Date }
  /** The person is qualified until then, which is before the end, and may choose an earlier end. */
  | { code: 'qualified_until'; at: Date }
  | { code: 'conflict' | 'partial_conflict'; with: Engagement }
  /** A limit of the organisation, see `working-time-limits`. `hours`: the rest between the two shifts. */
  | { code: 'limit_rest'; minimum: number; hours: number; with: Engagement }
  | LimitReason
  | AddedReason
  | { code: 'full' }
  | { code: 'wish_needed' | 'wish_not_offered' }
  /** Short names of the questions. */
  | { code: 'answers_needed'; names: readonly string[] }
  | { code: 'answer_missing' | 'answer_too_long' | 'answer_not_offered'; questionId: number }
  | { code: 'times_fixed' | 'times_in_wrong_order' }
  | { code: 'times_outside'; earliest: Date; latest: Date }

export type ReasonCode = Reason['code']

/** Shown to the person; does not block the action. */
export type Warning =
  | { code: 'short_rest'; hours: number; with: Engagement }
  | LimitReason
  | AddedReason
  | { code: 'qualification_expires' }
  /** The person said that they are not available then. */
  | { code: 'not_available' }
  | { code: 'conflict'; with: Engagement }

/** What a person can do who cannot sign up for a shift. */
export type WaysOut = {
  /** The next shift of the same event that the person can sign up for. */
  next: (Span & { shiftId: number; label: string }) | undefined
  /** People responsible for the event. */
  deciders: readonly Contact[]
}

/** What the texts of reasons and warnings need. */
export type ReasonContext = {
  words: Words
  now: Date
  titleOf: (qualificationId: number) => string
  /** Undefined on pages with shifts of many events. */
  waysOut?: WaysOut | undefined
}

export type Opening = { opensAt: Date | null; closesAt: Date }

/** Sign-up rules of one shift, read from its flow and the configuration of that flow. */
export type SignupRules = Opening & {
  hasRequestStage: boolean
  /** Set if people cannot sign up or decline themselves. */
  selfServiceRefusal: Reason | undefined
  canDeclineConfirmed: boolean
  canChooseTimes: boolean
  /** From then on, a change of details by a confirmed person needs a new decision. */
  lateChangesFrom: Date | null
  /** How many others each person may bring. */
  maxCompanions: number
}
