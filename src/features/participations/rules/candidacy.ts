import { readSignupRules } from '#features/staffing/flows/registry.ts'
import {
  type Engagement,
  type Inclusions,
  type Reason,
  type SignupRules,
  type Skills,
  STATE,
  type State,
} from '#features/staffing/rules/model.ts'
import { expandSkills } from '#features/staffing/rules/skills.ts'
import type { BuildingBlock } from '#features/staffing/rules/units.ts'
import { getStructure } from '#features/staffing/structures/registry.ts'
import {
  type Applicant,
  onlyOption,
  type StructureInput,
  type StructurePerson,
  type WishField,
} from '#features/staffing/structures/structure.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Span } from '#platform/time-span.ts'
import { type Eligibility, type EligibilityInput, judgeEligibility, reasonsForForm, type SignupSettings } from './eligibility.ts'
import { isOutsideShift } from './individual-times.ts'

/** Whoever signs up; placeholders are names without a person. */
export type Participant = { kind: 'local' | 'visitor' | 'guest'; id: number }

/** As whom the caller takes part; undefined for those who cannot. */
export function participantOf(actor: Actor): Participant | undefined {
  switch (actor.kind) {
    case 'user':
      return { kind: 'local', id: actor.userId }
    case 'visitor':
      return { kind: 'visitor', id: actor.visitorId }
    case 'guest':
      return { kind: 'guest', id: actor.guestId }
    case 'partner':
    case 'anonymous':
      return undefined
  }
}

export type SignupShift = {
  id: number
  eventId: number
  isActive: boolean
  isCancelled: boolean
  meeting: Date
  start: Date
  end: Date
  flowSlug: string
  flowConfiguration: unknown
  structureSlug: string
  structureConfiguration: unknown
  requiredByType: number[]
}

export type OwnRecord = {
  id: number
  shiftId: number
  state: State
  individualStart: Date | null
  individualEnd: Date | null
  start: Date
  end: Date
  structureData: unknown
}

export type Grant = { id: number; until: Date | null }
/** `leaderShiftId`: the other shift follows this one, so it is no reason to keep away from it. */
export type EngagementRow = Engagement & { leaderShiftId: string | null }

/** Everything that decides whether one person can sign up for some shifts, each kind loaded once for all of them. */
export type SignupFacts = {
  who: Participant
  settings: SignupSettings
  person: { exists: boolean; isActive: boolean; dateOfBirth: string | null; grants: Grant[] }
  shifts: ReadonlyMap<number, SignupShift>
  own: ReadonlyMap<number, OwnRecord>
  engagements: readonly EngagementRow[]
  /** Of shifts where places are limited for those who sign up. */
  people: ReadonlyMap<number, StructurePerson[]>
  inclusions: Inclusions
  blocks: ReadonlyMap<number, BuildingBlock>
}

export type Moment = { now: Date; timeZone: string }

/** How one person stands to one shift. */
export type Candidacy = Eligibility & {
  shift: SignupShift
  own: OwnRecord | undefined
  signupRules: SignupRules | undefined
  wish: WishField | undefined
  /** Why one click is not enough. */
  formReasons: readonly Reason[]
  /** What a sign-up would lead to. */
  signupState: State
  /** They have times of their own that the shift has moved away from. */
  areTimesOutside: boolean
  /** For commands: what was judged, and what is needed to place the person. */
  eligibilityInput: EligibilityInput
  applicant: Applicant
  input: StructureInput
}

/** `chosen`: times from the form. Undefined: no such shift. */
export function judgeCandidacy(
  facts: SignupFacts,
  shiftId: number,
  { now, timeZone }: Moment,
  chosen?: Span,
): Candidacy | undefined {
  const shift = facts.shifts.get(shiftId)
  if (!shift) return undefined
  const { person, settings, inclusions } = facts
  const own = facts.own.get(shiftId)
  const signupRules = readSignupRules(shift, timeZone)
  const end = (chosen ?? own ?? shift).end
  const skillsAt = (at: Date): Skills =>
    expandSkills(
      person.grants.filter(({ until }) => until === null || until >= at).map(({ id }) => id),
      inclusions,
    )
  const input = { people: facts.people.get(shiftId) ?? [], blocks: facts.blocks, qualifications: inclusions }
  const judgedWith = (skills: Skills) => {
    const applicant = { participationId: own?.id, state: own?.state, skills, structureData: own?.structureData ?? {} }
    const instant = signupRules?.hasRequestStage === false
    const fit = getStructure(shift.structureSlug)?.fit(shift.structureConfiguration, input, applicant, { instant })
    const eligibilityInput: EligibilityInput = {
      now,
      timeZone,
      shift,
      signupRules,
      chosen,
      settings,
      event: { isActive: shift.isActive, isCancelled: shift.isCancelled },
      structure: fit && { ...fit, isWishNeeded: !!fit.wish && isWishNeeded(fit.wish) },
      requiredByType: new Set(shift.requiredByType),
      person: { dateOfBirth: person.dateOfBirth, skills },
      state: own?.state,
      stored: own && { start: own.start, end: own.end },
      engagements: facts.engagements.filter(({ leaderShiftId }) => leaderShiftId !== String(shiftId)),
    }
    return { applicant, eligibilityInput, wish: fit?.wish, eligibility: judgeEligibility(eligibilityInput) }
  }
  const strict = judgedWith(skillsAt(end))
  const lenient = settings.expiringWarns && now < end ? judgedWith(skillsAt(now)) : strict
  const isExpiring = isUnqualified(strict.eligibility) && !isUnqualified(lenient.eligibility)
  const { eligibility, applicant, eligibilityInput, wish } = lenient
  return {
    ...eligibility,
    warnings: [...eligibility.warnings, ...(isExpiring ? [{ code: 'qualification_expires' } as const] : [])],
    shift,
    own,
    signupRules,
    wish,
    eligibilityInput,
    applicant,
    input,
    areTimesOutside:
      !!own && (own.individualStart ?? own.individualEnd) !== null && isOutsideShift(own, shift, settings.toleranceMinutes),
    formReasons: reasonsForForm(eligibilityInput),
    signupState: signupRules?.hasRequestStage === false ? STATE.confirmed : STATE.requested,
  }
}

const isWishNeeded = (wish: WishField): boolean =>
  wish.isRequired && wish.options.length > 0 && wish.current === undefined && onlyOption(wish) === undefined

const isUnqualified = ({ reasons }: Eligibility): boolean =>
  reasons['sign-up'].some(({ code }) => code === 'not_qualified' || code === 'type_not_qualified')
