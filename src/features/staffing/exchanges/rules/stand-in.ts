import type { Candidacy } from '#features/staffing/eligibility/rules/candidacy.ts'
import type { Reason, ReasonCode } from '#features/staffing/staffing/rules/model.ts'

export type StandInMode = 'at_once' | 'planner' | 'off'

export type StandInState = 'open' | 'found' | 'done' | 'cancelled' | 'expired' | 'refused' | 'undone'

/** Reasons against a sign-up that do not matter for a place that is handed over: sign-up may be closed, and the place is there. */
const NOT_AGAINST_STAND_IN: ReadonlySet<ReasonCode> = new Set([
  'full',
  'closed',
  'not_open_yet',
  'no_self_service',
  'already_declined',
])

/** Why a person cannot take the place of another. Planners decide about people who were rejected or have requested a place. */
export const reasonsAgainstStandIn = ({ reasons }: Pick<Candidacy, 'reasons'>): Reason[] =>
  reasons['sign-up'].filter(({ code }) => !NOT_AGAINST_STAND_IN.has(code))

/** Where planners choose among requests, they agree, too. */
export const needsAgreement = (mode: StandInMode, hasRequestStage: boolean): boolean => mode === 'planner' || hasRequestStage

/**
 * What a person who was asked can do: take the place (`open`), or nothing. `taken`, `found`, `declined`: what they have answered, and can change.
 * `filled`: somebody else takes the place.
 */
export function judgeStandIn(
  { state, answer, start, isTaker }: { state: StandInState; answer: 'yes' | 'no' | null; start: Date; isTaker: boolean },
  now: Date,
): 'open' | 'taken' | 'found' | 'declined' | 'filled' | 'gone' | 'expired' {
  if (state === 'done' || state === 'found') {
    if (!isTaker || answer !== 'yes') return 'filled'
    return state === 'done' ? 'taken' : 'found'
  }
  if (state !== 'open') return state === 'expired' ? 'expired' : 'gone'
  if (start <= now) return 'expired'
  return answer === 'no' ? 'declined' : 'open'
}
