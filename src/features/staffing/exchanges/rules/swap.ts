import type { Candidacy } from '#features/staffing/eligibility/rules/candidacy.ts'
import type { Reason, ReasonCode } from '#features/staffing/staffing/rules/model.ts'
import { isQualifiedForPlace } from '#features/staffing/staffing/structures/registry.ts'
import type { ShiftName } from '#features/staffing/waiting-list/rules/links.ts'
import type { Span } from '#platform/time-span.ts'
import { needsAgreement, type StandInMode } from './stand-in.ts'

export type SwapState = 'open' | 'accepted' | 'done' | 'declined' | 'withdrawn' | 'expired' | 'refused' | 'undone'

/** How many people a person can ask at the same time about one of their places. */
export const MAX_OPEN_SWAPS = 5

/** Reasons against a sign-up that do not matter for an exchange: both places stay taken. Unlike for stand-ins, sign-up must be open. */
const NOT_AGAINST_SWAP: ReadonlySet<ReasonCode> = new Set(['full', 'not_open_yet', 'no_self_service', 'already_declined'])

type JudgedPlace = Pick<Candidacy, 'reasons' | 'shift' | 'input' | 'applicant'>

/** Why a person cannot take exactly this place, whose team or unit is in `structureData`. */
export function reasonsAgainstSwap({ reasons, shift, input, applicant }: JudgedPlace, structureData: unknown): Reason[] {
  const against = reasons['sign-up'].filter(({ code }) => !NOT_AGAINST_SWAP.has(code))
  const isNamed = against.some(({ code }) => code === 'not_qualified')
  // Sign-ups look for any free place; the place of the other person may need more.
  const isUnqualified = isQualifiedForPlace(shift, input, { skills: applicant.skills, structureData }) === false
  return isUnqualified && !isNamed ? [...against, { code: 'not_qualified', missingAnyOf: [] }] : against
}

/** When a proposal ends by itself: when one of the shifts begins, or its sign-up closes. */
export const expiryOf = (shifts: readonly { start: Date; closesAt: Date }[]): Date =>
  new Date(Math.min(...shifts.flatMap(({ start, closesAt }) => [start.getTime(), closesAt.getTime()])))

export type SwapRole = 'proposer' | 'other'

/** The places whose planners have to agree: those of all events or of shifts with requests, as for stand-ins. */
export const rolesToAgree = (mode: StandInMode, hasRequestStage: Readonly<Record<SwapRole, boolean>>): SwapRole[] =>
  (['proposer', 'other'] as const).filter((role) => needsAgreement(mode, hasRequestStage[role]))

/** Whether the proposal can still be accepted; `declined`: by somebody who changes their mind. */
export function judgeSwapLink(
  { state, expiresAt }: { state: SwapState; expiresAt: Date },
  now: Date,
): 'open' | 'declined' | 'answered' | 'swap_gone' | 'swap_expired' {
  if (state === 'withdrawn' || state === 'refused' || state === 'undone') return 'swap_gone'
  if (state === 'expired') return 'swap_expired'
  if (state === 'declined') return expiresAt <= now ? 'answered' : 'declined'
  if (state !== 'open') return 'answered'
  return expiresAt <= now ? 'swap_expired' : 'open'
}

/** An open proposal as one of the two people sees it. `get`: the place that the reader would get. */
export type OwnSwap = {
  id: number
  isMine: boolean
  state: SwapState
  name: string
  get: Span & ShiftName
  /** The page on which the reader answers; undefined if they proposed it. */
  answerPath: string | undefined
}
