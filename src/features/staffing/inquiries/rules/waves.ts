export type EndReason = 'stopped' | 'enough' | 'cancelled' | 'closed' | 'everybody'

export type WaveState = {
  /** Published, not cancelled, not deleted, and the shift has not ended. */
  isListed: boolean
  /** Undefined: people cannot sign up themselves. */
  closesAt: Date | undefined
  /** Null: unlimited. */
  free: number | null
  /** The most people missing at the same time. */
  lacking: number
  /** The shift lacked people when the planner asked. */
  wasShort: boolean
  wanted: number
  /** People who were asked and are confirmed or requested now. */
  accepted: number
  /** People who have not been asked yet. */
  waiting: number
}

/** Why no further people are asked; undefined: the next wave goes out. */
export function judgeWave(state: WaveState, now: Date): EndReason | undefined {
  const { isListed, closesAt, free, lacking, wasShort, wanted, accepted, waiting } = state
  if (!isListed) return 'cancelled'
  if (!closesAt || closesAt <= now) return 'closed'
  if (free === 0 || accepted >= wanted || (wasShort && lacking === 0)) return 'enough'
  return waiting === 0 ? 'everybody' : undefined
}

export type InquiryState = {
  answer: 'can' | 'cannot' | 'too_late' | null
  withdrawnAt: Date | null
}

/**
 * Whether a link still works. A person who was too late may try again, in case a place becomes free. The time is judged as for every
 * sign-up, when the person answers: the shift or the end of sign-up may have moved since the question.
 */
export function judgeLink({ answer, withdrawnAt }: InquiryState): 'open' | 'answered' | 'withdrawn' {
  if (answer === 'can' || answer === 'cannot') return 'answered'
  return withdrawnAt ? 'withdrawn' : 'open'
}
