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
  expiresAt: Date
  withdrawnAt: Date | null
}

/** Whether a link still works. A person who was too late may try again, in case a place becomes free. */
export function judgeLink(
  { answer, expiresAt, withdrawnAt }: InquiryState,
  now: Date,
): 'open' | 'answered' | 'withdrawn' | 'expired' {
  if (answer === 'can' || answer === 'cannot') return 'answered'
  if (withdrawnAt) return 'withdrawn'
  return expiresAt <= now ? 'expired' : 'open'
}
