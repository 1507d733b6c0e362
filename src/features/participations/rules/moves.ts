import { type Reason, STATE, type State } from '#features/staffing/rules/model.ts'

/** What participants do themselves. */
export type Move = 'sign-up' | 'decline' | 'customize'

export type MoveVerdict = { ok: true; to: State } | { ok: false; reason: Reason }
type MoveRules = { hasRequestStage: boolean; canDeclineConfirmed: boolean }

const refuse = (code: 'already_in' | 'already_declined' | 'rejected' | 'may_not_leave' | 'not_in'): MoveVerdict => ({
  ok: false,
  reason: { code },
})
const become = (to: State): MoveVerdict => ({ ok: true, to })

/** Where a move of the participant leads from each state, all other checks aside. `undefined`: never answered. */
export function judgeMove(move: Move, from: State | undefined, signupRules: MoveRules): MoveVerdict {
  if (from === STATE.rejectedByResponsible) return refuse('rejected')
  const isIn = from === STATE.requested || from === STATE.confirmed
  const mayLeave = from !== STATE.confirmed || signupRules.canDeclineConfirmed
  switch (move) {
    case 'sign-up':
      return isIn ? refuse('already_in') : become(signupRules.hasRequestStage ? STATE.requested : STATE.confirmed)
    case 'decline':
      if (from === STATE.declinedByUser) return refuse('already_declined')
      return mayLeave ? become(STATE.declinedByUser) : refuse('may_not_leave')
    case 'customize':
      if (!isIn) return refuse('not_in')
      return mayLeave ? become(from) : refuse('may_not_leave')
  }
}

/** Where a change of details leads: late ones of somebody who is confirmed are for others to decide again. */
export function stateAfterChange(
  state: State,
  { lateChangesFrom }: { lateChangesFrom: Date | null },
  { now, hasChanged }: { now: Date; hasChanged: boolean },
): State {
  const isLate = lateChangesFrom !== null && now >= lateChangesFrom
  return state === STATE.confirmed && hasChanged && isLate ? STATE.requested : state
}

/** Where a responsible may put any record, at any time. Nobody puts it into the state of imported rows. */
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

const ORDER: readonly State[] = [
  STATE.confirmed,
  STATE.requested,
  STATE.gettingDispatched,
  STATE.rejectedByResponsible,
  STATE.declinedByUser,
]

/** Where somebody stands in an event, told by their states in its shifts: what they are expected for comes first. */
export function pickMainState(states: readonly State[]): State | undefined {
  return ORDER.find((state) => states.includes(state))
}
