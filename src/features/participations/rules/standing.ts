import { STATE, type State } from '#features/staffing/rules/model.ts'

const ORDER: readonly State[] = [
  STATE.confirmed,
  STATE.requested,
  STATE.gettingDispatched,
  STATE.rejectedByResponsible,
  STATE.declinedByUser,
]

/** Where somebody stands in an event, told by their states in its shifts: what they are expected for comes first. */
export function foremost(states: readonly State[]): State | undefined {
  return ORDER.find((state) => states.includes(state))
}
