import {
  type Answers,
  type AskedQuestion,
  askQuestions,
  findUnanswered,
  type Question,
} from '#features/events/questionnaires/rules.ts'
import {
  type Availability,
  type AvailabilityKind,
  judgeAvailability,
  NO_AVAILABILITY,
} from '#features/staffing/availability/rules/availability.ts'
import { readSignupRules } from '#features/staffing/staffing/flows/registry.ts'
import {
  type Engagement,
  type Inclusions,
  type Reason,
  type SignupRules,
  STATE,
  type State,
} from '#features/staffing/staffing/rules/model.ts'
import { expandSkills } from '#features/staffing/staffing/rules/skills.ts'
import type { BuildingBlock } from '#features/staffing/staffing/rules/units.ts'
import { getStructure } from '#features/staffing/staffing/structures/registry.ts'
import {
  type Applicant,
  type Fit,
  onlyOption,
  type StructureInput,
  type StructurePerson,
  type WishField,
} from '#features/staffing/staffing/structures/structure.ts'
import { limitsOf } from '#features/staffing/working-time-limits/rules.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Span } from '#platform/time-span.ts'
import {
  type Eligibility,
  type EligibilityInput,
  judgeEligibility,
  type RuleVerdict,
  reasonsForForm,
  type SignupSettings,
} from './eligibility.ts'
import { isOutsideShift } from './individual-times.ts'

/** A person who signs up. Placeholders are only names and cannot. */
export type Participant = { kind: 'local' | 'visitor' | 'guest'; id: number }

/** The caller as a participant; undefined for callers who cannot take part. */
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

/** The waiting list of a shift. `own`: the last entry of the person; its position is null if they do not wait any more. */
export type ShiftWaitingList = {
  mode: 'automatic' | 'manual' | 'closed'
  /** A place may have become free and belongs to those who wait until their turn is known. */
  isDue: boolean
  waiting: number
  own: { id: number; state: string; position: number | null; offeredUntil: string | null; passedOver: string | null } | null
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
  questions: readonly Question[]
  waitingList: ShiftWaitingList
  /** Of the oldest person who is confirmed; null: nobody is. Only loaded if there is a limit that needs it. */
  oldestBirth: string | null
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
  /** How many others the person brings; only loaded for the person who acts. */
  companions?: number
}

/** `isDeclared`: by a guest, and not decided yet. It lets them ask for a place, and gives nothing to who has one. */
export type Grant = { id: number; until: Date | null; isDeclared?: boolean }
/** `leaderShiftId`: the shift that this one is coupled to; the two do not conflict. */
export type EngagementRow = Engagement & { leaderShiftId: string | null }

/** Everything that decides whether one person can sign up for some shifts. */
export type SignupFacts = {
  who: Participant
  settings: SignupSettings
  person: {
    exists: boolean
    isActive: boolean
    /** A guest whose e-mail address is not confirmed: sign-ups are requests, whatever the flow says. */
    isProvisional: boolean
    dateOfBirth: string | null
    groupIds: readonly number[]
    /** Null: the person said nothing. */
    availability: Availability | null
    grants: Grant[]
    savedAnswers: Answers
  }
  shifts: ReadonlyMap<number, SignupShift>
  own: ReadonlyMap<number, OwnRecord>
  /** The person's answers by shift. */
  answers: ReadonlyMap<number, Answers>
  engagements: readonly EngagementRow[]
  /** By shift. Absent: no rule of an extension says something. */
  verdicts?: ReadonlyMap<number, readonly RuleVerdict[]>
  /** Confirmed people, only of shifts that limit sign-ups to free places. */
  people: ReadonlyMap<number, StructurePerson[]>
  inclusions: Inclusions
  blocks: ReadonlyMap<number, BuildingBlock>
}

/** A person of whom nothing is known: without qualifications, age, groups and answers. */
export const UNKNOWN_PERSON: SignupFacts['person'] = {
  exists: true,
  isActive: true,
  isProvisional: false,
  dateOfBirth: null,
  groupIds: [],
  availability: null,
  grants: [],
  savedAnswers: {},
}

type Moment = { now: Date; timeZone: string }

/** What one person can do about one shift. */
export type Candidacy = Eligibility & {
  shift: SignupShift
  own: OwnRecord | undefined
  signupRules: SignupRules | undefined
  wish: WishField | undefined
  /** Why one click is not enough. */
  formReasons: readonly Reason[]
  /** The person is qualified until then, which is before the end, and may choose an earlier end. */
  earlierEnd: Date | undefined
  /** State after a sign-up. */
  signupState: State
  /** The individual times are outside the shift, because it was moved. */
  areTimesOutside: boolean
  /** People can wait for a place in full shifts. */
  hasWaitingLists: boolean
  /** What the person said about this time. */
  availability: AvailabilityKind | undefined
  /** Questions of the shift, with the answers that the form shows at first. */
  questions: readonly AskedQuestion[]
  /** Stored answers of the person, also to questions that the shift no longer asks. */
  answers: Answers
  /** Inputs of the judgement, for commands that place the person. */
  eligibilityInput: EligibilityInput
  applicant: Applicant
  input: StructureInput
}

/** The shift that this one is coupled to. */
export function leaderOf({ flowSlug, flowConfiguration }: Pick<SignupShift, 'flowSlug' | 'flowConfiguration'>): string | null {
  const leader = (flowConfiguration as { leader_shift_id?: number | null } | null)?.leader_shift_id
  return flowSlug === 'coupled' && leader != null ? String(leader) : null
}

/** Judges the person for a shift, with the skills that they have at a time. */
function makeJudge(facts: SignupFacts, shift: SignupShift, { now, timeZone }: Moment, chosen: Span | undefined) {
  const { person, settings, inclusions } = facts
  const own = facts.own.get(shift.id)
  const leader = leaderOf(shift)
  const rulesOfShift = readSignupRules(shift, timeZone)
  const signupRules = rulesOfShift && person.isProvisional ? { ...rulesOfShift, hasRequestStage: true } : rulesOfShift
  const limits = limitsOf(settings.limits, person.groupIds)
  const input = { people: facts.people.get(shift.id) ?? [], blocks: facts.blocks, qualifications: inclusions }
  const instant = signupRules?.hasRequestStage === false
  const isWaitingListFirst =
    instant && shift.waitingList.isDue && shift.waitingList.own?.state !== 'offered' && own?.state !== STATE.confirmed
  const judgeAt = (at: Date) => {
    const held = person.grants.filter(({ until }) => until === null || until >= at).map(({ id }) => id)
    const skills = expandSkills(held, inclusions)
    const applicant = { participationId: own?.id, state: own?.state, skills, structureData: own?.structureData ?? {} }
    const fits = getStructure(shift.structureSlug)?.fit(shift.structureConfiguration, input, applicant, { instant })
    const fit = fits && isWaitingListFirst ? withoutFreePlaces(fits) : fits
    const eligibilityInput: EligibilityInput = {
      now,
      timeZone,
      shift,
      signupRules,
      chosen,
      settings,
      limits,
      verdicts: facts.verdicts?.get(shift.id) ?? [],
      event: { isActive: shift.isActive, isCancelled: shift.isCancelled },
      structure: fit && { ...fit, isWishNeeded: !!fit.wish && isWishNeeded(fit.wish) },
      requiredByType: new Set(shift.requiredByType),
      person: { dateOfBirth: person.dateOfBirth, skills },
      state: own?.state,
      stored: own && { start: own.start, end: own.end },
      engagements: facts.engagements.filter(
        ({ shiftId, leaderShiftId }) => leaderShiftId !== String(shift.id) && leader !== String(shiftId),
      ),
    }
    return { applicant, eligibilityInput, wish: fit?.wish, eligibility: judgeEligibility(eligibilityInput) }
  }
  return { own, signupRules, input, judgeAt }
}

type Judge = ReturnType<typeof makeJudge>

/** The last time within the span at which the person is still qualified. */
function findEarlierEnd({ person }: SignupFacts, { start, end }: Span, judgeAt: Judge['judgeAt']) {
  const ends = person.grants.flatMap(({ until }) => (until && until > start && until < end ? [until] : []))
  const judged = ends.map((at) => ({ at, judged: judgeAt(at) }))
  return judged.filter(({ judged }) => !isUnqualified(judged.eligibility)).sort((a, b) => b.at.getTime() - a.at.getTime())[0]
}

/**
 * `chosen`: times from the form. Undefined if the facts do not contain the shift. A qualification that a guest has declared is enough to
 * ask for a place where nothing else is missing.
 */
export function judgeCandidacy(facts: SignupFacts, shiftId: number, moment: Moment, chosen?: Span): Candidacy | undefined {
  if (!facts.shifts.has(shiftId)) return undefined
  const { person } = facts
  const grants = person.grants.filter(({ isDeclared }) => !isDeclared)
  if (grants.length === person.grants.length) return judgeHeld(facts, shiftId, moment, chosen)
  const held = judgeHeld({ ...facts, person: { ...person, grants } }, shiftId, moment, chosen)
  if (held.own?.state === STATE.confirmed || !lacksQualification(held)) return held
  return judgeHeld({ ...facts, person: { ...person, isProvisional: true } }, shiftId, moment, chosen)
}

function judgeHeld(facts: SignupFacts, shiftId: number, moment: Moment, chosen: Span | undefined): Candidacy {
  const shift = facts.shifts.get(shiftId)!
  const { person, settings } = facts
  const { own, signupRules, input, judgeAt } = makeJudge(facts, shift, moment, chosen)
  const { end } = chosen ?? own ?? shift
  const strict = judgeAt(end)
  const lenient = settings.expiringWarns && moment.now < end ? judgeAt(moment.now) : strict
  const mayEndEarlier = !chosen && signupRules?.canChooseTimes && isUnqualified(lenient.eligibility)
  const early = mayEndEarlier ? findEarlierEnd(facts, { start: shift.start, end }, judgeAt) : undefined
  const isExpiring = isUnqualified(strict.eligibility) && !isUnqualified(lenient.eligibility)
  const { eligibility, applicant, eligibilityInput, wish } = early?.judged ?? lenient
  const availability = judgeAvailability(person.availability ?? NO_AVAILABILITY, chosen ?? own ?? shift, moment.timeZone)
  const isHintNeeded = availability === 'cannot' && own?.state !== STATE.confirmed
  const answers = facts.answers.get(shiftId) ?? {}
  const questions = askQuestions(shift.questions, { given: answers, saved: person.savedAnswers })
  const unanswered = findUnanswered(questions).map(({ name }) => name)
  return {
    ...eligibility,
    needsForm: eligibility.needsForm || early !== undefined || unanswered.length > 0,
    earlierEnd: early?.at,
    hasWaitingLists: settings.hasWaitingLists,
    availability,
    warnings: [
      ...eligibility.warnings,
      ...(isExpiring ? [{ code: 'qualification_expires' } as const] : []),
      ...(isHintNeeded ? [{ code: 'not_available' } as const] : []),
    ],
    shift,
    own,
    signupRules,
    wish,
    eligibilityInput,
    applicant,
    input,
    questions,
    answers,
    areTimesOutside:
      !!own && (own.individualStart ?? own.individualEnd) !== null && isOutsideShift(own, shift, settings.toleranceMinutes),
    formReasons: [
      ...(early ? [{ code: 'qualified_until', at: early.at } as const] : []),
      ...reasonsForForm(eligibilityInput),
      ...(unanswered.length ? [{ code: 'answers_needed', names: unanswered } as const] : []),
    ],
    signupState: signupRules?.hasRequestStage === false ? STATE.confirmed : STATE.requested,
  }
}

/** Nobody takes a place before the waiting list. */
const withoutFreePlaces = (fit: Fit): Fit => (fit.reasons.length ? fit : { ...fit, reasons: [{ code: 'full' }] })

const isWishNeeded = (wish: WishField): boolean =>
  wish.isRequired && wish.options.length > 0 && wish.current === undefined && onlyOption(wish) === undefined

const isAboutQualification = ({ code }: Reason): boolean => code === 'not_qualified' || code === 'type_not_qualified'
const isUnqualified = ({ reasons }: Eligibility): boolean => reasons['sign-up'].some(isAboutQualification)
/** For a sign-up, or for a change of a request. */
const lacksQualification = ({ reasons }: Eligibility): boolean => Object.values(reasons).flat().some(isAboutQualification)
