import { answeringEnd } from '#features/messaging/notification-kinds/rules/quiet-hours.ts'
import type { Candidacy } from '#features/staffing/eligibility/rules/candidacy.ts'
import type { ReasonCode } from '#features/staffing/staffing/rules/model.ts'

/** Entries of a shift that are read at once. */
export const MAX_LISTED = 200
export const WAITING_LIST_MODES = ['automatic', 'manual', 'closed'] as const
export type WaitingListMode = (typeof WAITING_LIST_MODES)[number]

export const ENTRY_STATES = ['waiting', 'offered', 'accepted', 'declined', 'expired', 'withdrawn'] as const
export type EntryState = (typeof ENTRY_STATES)[number]

/** Why a person on the waiting list was passed over: a reason against their sign-up, or what they said about this time. */
export type PassedOver = ReasonCode | 'not_available'
export type PassedBy = { user: number; why: PassedOver }

const HOUR_MS = 3_600_000
/** An offer ends this long before the shift, so that others can still come. */
const HOURS_BEFORE_START = 3
/** Shortly before the shift, people have this long. */
const SHORT_HOURS = 1
/** With less time than this, a free place is open for everybody. */
const LEAST_MINUTES = 15

type Times = { start: Date; closesAt: Date; hours: number; timeZone: string }

/** Until when a place that is offered now is held; undefined: there is no time left to wait for one person. */
export function offerEnd(now: Date, { start, closesAt, hours, timeZone }: Times): Date | undefined {
  const wanted = start.getTime() - HOURS_BEFORE_START * HOUR_MS
  const usual = Math.min(now.getTime() + hours * HOUR_MS, wanted)
  const end = Math.min(Math.max(usual, now.getTime() + SHORT_HOURS * HOUR_MS), closesAt.getTime(), start.getTime())
  if (end - now.getTime() < LEAST_MINUTES * 60_000) return undefined
  const latest = Math.min(closesAt.getTime(), start.getTime() - SHORT_HOURS * HOUR_MS)
  return answeringEnd(new Date(end), { timeZone, from: now, wanted: new Date(wanted), latest: new Date(latest) })
}

/** Reasons why a person cannot wait, besides those of a sign-up. */
export type WaitingListRefusal = 'line_closed' | 'line_off' | 'not_full' | 'waiting_already'

/** A shift is full for the person and nothing else speaks against a sign-up. Shifts with requests have no waiting list: planners choose. */
export function isOnlyFull({ reasons, signupRules }: Pick<Candidacy, 'reasons' | 'signupRules'>): boolean {
  const against = reasons['sign-up']
  return signupRules?.hasRequestStage === false && against.length > 0 && against.every(({ code }) => code === 'full')
}

/** Undefined: the person is next and fits. `full` alone means that no place is free for them yet. */
export function whyPassedOver({ reasons, availability }: Pick<Candidacy, 'reasons' | 'availability'>): PassedOver | undefined {
  const [first] = [...reasons['sign-up']].sort((a, b) => Number(a.code === 'full') - Number(b.code === 'full'))
  if (first) return first.code
  return availability === 'cannot' ? 'not_available' : undefined
}

/** The last entry of a person on the waiting list of a shift. */
type OwnEntry = {
  id: number
  state: EntryState
  /** First: 1. Null if the person does not wait any more. */
  position: number | null
  offeredUntil: Date | null
  passedOver: PassedOver | null
}
/** The waiting list of one shift as its reader sees it. */
export type OwnWaitingList = {
  shiftId: number
  /** The shift is full and the reader may wait. */
  canJoin: boolean
  waiting: number
  own: OwnEntry | undefined
}

/** What the person can do about the waiting list of the shift. */
export function ownWaitingListOf(candidacy: Candidacy): OwnWaitingList {
  const { shift, hasWaitingLists } = candidacy
  const { mode, waiting, own } = shift.waitingList
  const isWaiting = own?.state === 'waiting' || own?.state === 'offered'
  const canJoin = hasWaitingLists && mode !== 'closed' && !isWaiting && isOnlyFull(candidacy)
  return {
    shiftId: shift.id,
    canJoin,
    waiting,
    own: own
      ? {
          ...own,
          state: own.state as EntryState,
          passedOver: own.passedOver as PassedOver | null,
          offeredUntil: own.offeredUntil === null ? null : new Date(own.offeredUntil),
        }
      : undefined,
  }
}

/** Whether the offer can be accepted. */
export function judgeOffer(
  { state, offeredUntil }: { state: EntryState; offeredUntil: Date | null },
  now: Date,
): 'open' | 'answered' | 'expired' | 'withdrawn' {
  if (state === 'accepted' || state === 'declined') return 'answered'
  if (state === 'withdrawn' || state === 'waiting') return 'withdrawn'
  return state === 'expired' || !offeredUntil || offeredUntil <= now ? 'expired' : 'open'
}
