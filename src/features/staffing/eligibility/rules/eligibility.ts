import { dayOf, getAgeOn, getDayOfAge, isMinorOn } from '#features/accounts/users/rules.ts'
import {
  type Engagement,
  type Reason,
  type SignupRules,
  type Skills,
  STATE,
  type State,
  type Warning,
} from '#features/staffing/staffing/rules/model.ts'
import { isUnfit } from '#features/staffing/staffing/rules/reasons.ts'
import { covers } from '#features/staffing/staffing/rules/skills.ts'
import {
  type Breach,
  describeWork,
  findBreaches,
  type Limit,
  type StoredLimit,
  type WorkSpan,
} from '#features/staffing/working-time-limits/rules.ts'
import { startOfDay } from '#platform/i18n/days.ts'
import { overlaps, type Span, spansWhole } from '#platform/time-span.ts'
import { judgeMove, type Move } from './moves.ts'

export type SignupSettings = {
  /** People without a date of birth cannot sign up for shifts with a minimum age. */
  unknownAgeBlocks: boolean
  /** A qualification that expires before the end causes a warning instead of a refusal. */
  expiringWarns: boolean
  limits: readonly StoredLimit[]
  toleranceMinutes: number
  /** People can wait for a place in full shifts. */
  hasWaitingLists: boolean
}

/** Everything that the checks read. */
export type EligibilityInput = {
  now: Date
  timeZone: string
  event: { isActive: boolean; isCancelled: boolean }
  /** `oldestBirth`: of the oldest person who is confirmed on it. */
  shift: Span & { id: number; oldestBirth: string | null }
  /** Undefined if the configuration is invalid. */
  signupRules: SignupRules | undefined
  structure: { minimumAge: number | null; reasons: readonly Reason[]; isWishNeeded: boolean } | undefined
  requiredByType: Skills
  person: { dateOfBirth: string | null; skills: Skills }
  state: State | undefined
  /** Times from the form; undefined for overviews and one-click sign-up. */
  chosen: Span | undefined
  /** Times of an existing participation, which a new sign-up reuses. */
  stored: Span | undefined
  /** Other shifts on which the person is confirmed. */
  engagements: readonly Engagement[]
  settings: Omit<SignupSettings, 'limits' | 'hasWaitingLists'>
  /** The limits of this person. */
  limits: readonly Limit[]
  /** What rules of extensions say about the person and the shift. */
  verdicts: readonly RuleVerdict[]
}

/** `message`: key of the text. */
export type RuleVerdict = { message: string; values: Readonly<Record<string, string | number>>; isWarning: boolean }

type Check = { blocks: readonly Move[]; check: (input: EligibilityInput) => Reason[] }

const ALL: readonly Move[] = ['sign-up', 'decline', 'customize', 'take-place']
const TAKING_PART: readonly Move[] = ['sign-up', 'customize', 'take-place']

/** The checks are independent of each other, so that a person sees all reasons at once. */
const CHECKS: readonly Check[] = [
  { blocks: ALL, check: checkEvent },
  { blocks: ALL, check: checkConfiguration },
  { blocks: ALL, check: checkFlow },
  { blocks: ALL, check: checkOpening },
  { blocks: TAKING_PART, check: checkTypeQualifications },
  { blocks: TAKING_PART, check: checkAge },
  { blocks: TAKING_PART, check: ({ structure }) => [...(structure?.reasons ?? [])] },
  { blocks: TAKING_PART, check: checkConflicts },
  { blocks: ['sign-up', 'take-place'], check: checkLimits },
  { blocks: ['customize'], check: checkLimitsOfTimes },
  {
    blocks: ['sign-up', 'take-place'],
    check: ({ verdicts }) => verdicts.filter(({ isWarning }) => !isWarning).map(reasonOfRule),
  },
]

export type Eligibility = {
  canSignUp: boolean
  canDecline: boolean
  canCustomize: boolean
  /** Something has to be chosen on the form, so one click is not enough. */
  needsForm: boolean
  /** No reason is about the person, see `isUnfit`. */
  isFit: boolean
  reasons: Readonly<Record<Move, readonly Reason[]>>
  warnings: readonly Warning[]
}

export function judgeEligibility(input: EligibilityInput): Eligibility {
  const found = CHECKS.map(({ blocks, check }) => ({ blocks, reasons: check(input) }))
  const reasonsOf = (move: Move): Reason[] => [
    ...checkState(move, input),
    ...found.filter(({ blocks }) => blocks.includes(move)).flatMap(({ reasons }) => reasons),
  ]
  const reasons = {
    'sign-up': reasonsOf('sign-up'),
    decline: reasonsOf('decline'),
    customize: reasonsOf('customize'),
    'take-place': reasonsOf('take-place'),
  }
  const needsForm = input.chosen === undefined && (partialConflicts(input).length > 0 || !!input.structure?.isWishNeeded)
  return {
    canSignUp: reasons['sign-up'].length === 0,
    canDecline: reasons.decline.length === 0,
    canCustomize: reasons.customize.length === 0,
    needsForm,
    isFit: !reasons['sign-up'].some(isUnfit),
    reasons,
    warnings: [...warnOfLimits(input), ...input.verdicts.filter(({ isWarning }) => isWarning).map(reasonOfRule)],
  }
}

const reasonOfRule = ({ message, values }: RuleVerdict) => ({ code: 'added_rule', message, values }) as const

function checkState(move: Move, { state, signupRules }: EligibilityInput): Reason[] {
  if (!signupRules) return []
  const verdict = judgeMove(move, state, signupRules)
  return verdict.ok ? [] : [verdict.reason]
}

function checkEvent({ event }: EligibilityInput): Reason[] {
  if (event.isCancelled) return [{ code: 'event_cancelled' }]
  return event.isActive ? [] : [{ code: 'event_not_active' }]
}

function checkConfiguration({ signupRules, structure }: EligibilityInput): Reason[] {
  return signupRules && structure ? [] : [{ code: 'configuration_broken' }]
}

function checkFlow({ signupRules }: EligibilityInput): Reason[] {
  return signupRules?.selfServiceRefusal ? [signupRules.selfServiceRefusal] : []
}

function checkOpening({ signupRules, now }: EligibilityInput): Reason[] {
  if (!signupRules) return []
  if (signupRules.opensAt && now < signupRules.opensAt) return [{ code: 'not_open_yet', at: signupRules.opensAt }]
  return now > signupRules.closesAt ? [{ code: 'closed', at: signupRules.closesAt }] : []
}

function checkTypeQualifications({ requiredByType, person }: EligibilityInput): Reason[] {
  if (covers(person.skills, requiredByType)) return []
  return [{ code: 'type_not_qualified', missing: [...requiredByType].filter((id) => !person.skills.has(id)) }]
}

function checkAge({ structure, person, shift, timeZone, settings }: EligibilityInput): Reason[] {
  const minimumAge = structure?.minimumAge ?? 0
  if (minimumAge <= 0) return []
  if (person.dateOfBirth === null) return settings.unknownAgeBlocks ? [{ code: 'age_unknown', minimumAge }] : []
  if (getAgeOn(person.dateOfBirth, dayOf(shift.start, timeZone)) >= minimumAge) return []
  return [{ code: 'too_young', minimumAge, from: startOfDay(getDayOfAge(person.dateOfBirth, minimumAge), timeZone) }]
}

/** Engagements at the same time. Without chosen times, both the shift's times and those of an existing participation count. */
function overlapping({ engagements, shift, chosen, stored }: EligibilityInput): Engagement[] {
  const spans = chosen ? [chosen] : stored ? [shift, stored] : [shift]
  return engagements.filter((other) => other.shiftId !== shift.id && spans.some((span) => overlaps(other, span)))
}

/** If people may choose their times, only an engagement during the whole shift blocks; others are resolved on the form. */
function partialConflicts(input: EligibilityInput): Engagement[] {
  const { chosen, signupRules, shift } = input
  if (chosen || !signupRules?.canChooseTimes) return []
  return overlapping(input).filter((other) => !spansWhole(other, shift))
}

function checkConflicts(input: EligibilityInput): Reason[] {
  const partial = new Set(partialConflicts(input))
  return overlapping(input)
    .filter((other) => !partial.has(other))
    .map((other) => ({ code: 'conflict', with: other }))
}

/** Why one click is not enough. */
export function reasonsForForm(input: EligibilityInput): Reason[] {
  return [
    ...partialConflicts(input).map((other): Reason => ({ code: 'partial_conflict', with: other })),
    ...(input.chosen === undefined && input.structure?.isWishNeeded ? [{ code: 'wish_needed' } as const] : []),
  ]
}

function checkLimits(input: EligibilityInput): Reason[] {
  return limitBreaches(input)
    .filter(({ blocks }) => blocks)
    .map(toReason)
}

/** Other times of a place exceed a limit that the times until now keep, or exceed it further. */
function checkLimitsOfTimes(input: EligibilityInput): Reason[] {
  const { stored, chosen } = input
  if (!stored || !chosen) return []
  // Also of confirmed people, who pass the other checks.
  const before = limitBreaches({ ...input, state: undefined, chosen: stored })
  return limitBreaches({ ...input, state: undefined })
    .filter(({ blocks }) => blocks)
    .filter((breach) => !before.some((other) => isSameBreach(breach, other) && !isFurther(breach, other)))
    .map(toReason)
}

const isSameBreach = (a: LimitBreach, b: LimitBreach): boolean =>
  a.kind === b.kind && a.other?.engagement.shiftId === b.other?.engagement.shiftId

const isFurther = (a: LimitBreach, b: LimitBreach): boolean =>
  a.kind === 'rest_hours' ? a.actual < b.actual : a.actual > b.actual

const toReason = ({ kind, value, actual, other }: LimitBreach): Reason =>
  kind === 'rest_hours'
    ? { code: 'limit_rest', minimum: value, hours: actual, with: other!.engagement }
    : { code: LIMIT_CODES[kind], limit: value, actual }

const warnOfLimits = (input: EligibilityInput): Warning[] =>
  limitBreaches(input)
    .filter(({ blocks }) => !blocks)
    .map(toWarning)

/** For planners: limits that the shift of a confirmed person exceeds, also those that refuse others. */
export const warnOfConfirmed = (input: EligibilityInput): Warning[] =>
  input.state === STATE.confirmed ? limitBreaches({ ...input, state: undefined }).map(toWarning) : []

const toWarning = ({ kind, value, actual, other }: LimitBreach): Warning =>
  kind === 'rest_hours'
    ? { code: 'short_rest', hours: actual, with: other!.engagement }
    : { code: LIMIT_CODES[kind], limit: value, actual }

const LIMIT_CODES = {
  hours_per_week: 'limit_week',
  nights_in_row: 'limit_nights',
  minor_hours_per_day: 'limit_minor_day',
  minor_latest_hour: 'limit_minor_hour',
  minor_accompanied: 'limit_minor_alone',
} as const

type LimitBreach = Breach<WorkSpan & { engagement: Engagement }>

/** A birth date for people whose age is not known: they are not minors. */
export const AGE_UNKNOWN = '0001-01-01'

export const hasAdult = (
  { oldestBirth, start }: Pick<EligibilityInput['shift'], 'oldestBirth' | 'start'>,
  timeZone: string,
): boolean => oldestBirth !== null && !isMinorOn(oldestBirth, dayOf(start, timeZone))

/** People who are confirmed already have passed the limits, or a responsible decided about them. */
function limitBreaches(input: EligibilityInput): LimitBreach[] {
  const { engagements, shift, chosen, stored, state, limits, person, timeZone } = input
  if (limits.length === 0 || state === STATE.confirmed) return []
  const span = chosen ?? stored ?? shift
  return findBreaches(limits, {
    work: describeWork(span, timeZone),
    others: engagements
      .filter((other) => other.shiftId !== shift.id)
      .map((engagement) => ({ ...describeWork(engagement, timeZone), engagement })),
    isMinor: isMinorOn(person.dateOfBirth, dayOf(span.start, timeZone)),
    hasAdult: hasAdult(shift, timeZone),
    timeZone,
  })
}
