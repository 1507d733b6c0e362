import { isIn, type Reason, STATE, type State } from '#features/staffing/staffing/rules/model.ts'

/** What participants do themselves. `take-place`: an address or a qualification of a guest is proved, so a request becomes what the flow gives. */
export type Move = 'sign-up' | 'decline' | 'customize' | 'take-place'

type MoveVerdict = { ok: true; to: State } | { ok: false; reason: Reason }
type MoveRules = { hasRequestStage: boolean; canDeclineConfirmed: boolean }

const refuse = (code: 'already_in' | 'already_declined' | 'rejected' | 'may_not_leave' | 'not_in'): MoveVerdict => ({
  ok: false,
  reason: { code },
})
const become = (to: State): MoveVerdict => ({ ok: true, to })

/** The state after a move of the participant, without all other checks. `from` undefined: no participation yet. */
export function judgeMove(move: Move, from: State | undefined, signupRules: MoveRules): MoveVerdict {
  if (from === STATE.rejectedByResponsible) return refuse('rejected')
  const mayLeave = from !== STATE.confirmed || signupRules.canDeclineConfirmed
  switch (move) {
    case 'sign-up':
      return isIn(from) ? refuse('already_in') : become(signupRules.hasRequestStage ? STATE.requested : STATE.confirmed)
    case 'decline':
      if (from === STATE.declinedByUser) return refuse('already_declined')
      return mayLeave ? become(STATE.declinedByUser) : refuse('may_not_leave')
    case 'take-place':
      if (from !== STATE.requested) return refuse(isIn(from) ? 'already_in' : 'not_in')
      return signupRules.hasRequestStage ? refuse('already_in') : become(STATE.confirmed)
    case 'customize':
      if (!isIn(from)) return refuse('not_in')
      return mayLeave ? become(from) : refuse('may_not_leave')
  }
}

/** The state after a change of details: a late change by a confirmed person becomes a request again. */
export function stateAfterChange(
  state: State,
  { lateChangesFrom }: { lateChangesFrom: Date | null },
  { now, hasChanged }: { now: Date; hasChanged: boolean },
): State {
  const isLate = lateChangesFrom !== null && now >= lateChangesFrom
  return state === STATE.confirmed && hasChanged && isLate ? STATE.requested : state
}

/** States that a responsible may set, from any state and at any time. `gettingDispatched` exists in imported rows only. */
export const RESPONSIBLE_TARGETS = [
  STATE.requested,
  STATE.confirmed,
  STATE.declinedByUser,
  STATE.rejectedByResponsible,
] as const satisfies readonly State[]

export type ResponsibleTarget = (typeof RESPONSIBLE_TARGETS)[number]

export function isResponsibleTarget(to: number): to is ResponsibleTarget {
  return (RESPONSIBLE_TARGETS as readonly number[]).includes(to)
}

const BY_IMPORTANCE: readonly State[] = [
  STATE.confirmed,
  STATE.requested,
  STATE.gettingDispatched,
  STATE.rejectedByResponsible,
  STATE.declinedByUser,
]

/** The most important of a person's states in the shifts of an event. */
export function pickMainState(states: readonly State[]): State | undefined {
  return BY_IMPORTANCE.find((state) => states.includes(state))
}
