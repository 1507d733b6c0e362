import { STATE } from '#features/staffing/rules/model.ts'

/** Why somebody cannot be written to. */
export type NoMail = 'placeholder' | 'inactive' | 'address' | 'self'
/** Somebody who takes part in an event, in whatever state, or could. */
export type Candidate = {
  /** `u7`, `g3`, `v2`: a user, a guest, a visitor; `p5`: a participation of a mere name. */
  key: string
  name: string
  noMail: NoMail | null
  /** Sees the event because it is meant for them. */
  isMeant: boolean
  takes: readonly { shiftId: number; state: number }[]
}
export type Circle = 'confirmed' | 'requested' | 'unanswered'
export type Choice = { to: ReadonlySet<Circle>; shiftId: number | undefined; people: ReadonlySet<string> }

const takesOf = ({ takes }: Candidate, shiftId: number | undefined) =>
  takes.filter((take) => shiftId === undefined || take.shiftId === shiftId)

const IS_IN: Record<Circle, (candidate: Candidate, shiftId: number | undefined) => boolean> = {
  confirmed: (candidate, shiftId) => takesOf(candidate, shiftId).some(({ state }) => state === STATE.confirmed),
  requested: (candidate, shiftId) => takesOf(candidate, shiftId).some(({ state }) => state === STATE.requested),
  unanswered: (candidate, shiftId) => candidate.isMeant && takesOf(candidate, shiftId).length === 0,
}

export const isIn = (circle: Circle, candidate: Candidate, shiftId?: number): boolean => IS_IN[circle](candidate, shiftId)

/** Everybody once, however many reasons there are; and whom the choice means, but no mail can reach. */
export function chooseReaders(candidates: readonly Candidate[], { to, shiftId, people }: Choice) {
  const meant = candidates.filter(
    (candidate) => people.has(candidate.key) || [...to].some((circle) => isIn(circle, candidate, shiftId)),
  )
  return { readers: meant.filter(({ noMail }) => !noMail), without: meant.filter(({ noMail }) => noMail) }
}
