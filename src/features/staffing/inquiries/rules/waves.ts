import { notifyingTime } from '#features/messaging/notification-kinds/rules/quiet-hours.ts'

const HOUR_MS = 3_600_000

type AskTimes = { start: Date; closesAt: Date; timeZone: string }

/** When messages go out to people who are asked at this moment: at night, in the morning. */
export const notifyAt = (at: Date, { start, closesAt, timeZone }: AskTimes): Date =>
  notifyingTime(at, { timeZone, latest: start < closesAt ? start : closesAt })

/** When the next people are asked. */
export const nextWaveAt = (now: Date, { hours, ...times }: AskTimes & { hours: number }): Date =>
  notifyAt(new Date(notifyAt(now, times).getTime() + hours * HOUR_MS), times)

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

type Supply = Pick<WaveState, 'lacking' | 'wasShort' | 'wanted' | 'accepted'>

/** Enough of those who were asked can, or nobody is missing any more. */
export const isEnough = ({ lacking, wasShort, wanted, accepted }: Supply): boolean =>
  accepted >= wanted || (wasShort && lacking === 0)

/** Why no further people are asked; undefined: the next wave goes out. */
export function judgeWave(state: WaveState, now: Date): EndReason | undefined {
  const { isListed, closesAt, free, waiting } = state
  if (!isListed) return 'cancelled'
  if (!closesAt || closesAt <= now) return 'closed'
  if (free === 0 || isEnough(state)) return 'enough'
  return waiting === 0 ? 'everybody' : undefined
}

export type InquiryState = {
  answer: 'can' | 'cannot' | 'too_late' | null
  withdrawnAt: Date | null
}

/**
 * Whether a link still works. The answer can be changed: `answer` is the new one, which a person who has given the other may give. A person who was too late may try again, in case a place becomes free. The time is judged as for every
 * sign-up, when the person answers: the shift or the end of sign-up may have moved since the question.
 */
export function judgeLink(
  { answer: given, withdrawnAt }: InquiryState,
  answer?: 'can' | 'cannot',
): 'open' | 'answered' | 'withdrawn' {
  if (given === 'can' || given === 'cannot') {
    if (answer === undefined || answer === given) return 'answered'
    if (answer === 'cannot') return 'open'
  }
  return withdrawnAt ? 'withdrawn' : 'open'
}
