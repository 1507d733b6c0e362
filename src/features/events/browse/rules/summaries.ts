import type { EventOfShift, Shift, TypeOfEvent } from '#features/events/events/rules/shifts.ts'
import type { SignupStats, State } from '#features/staffing/staffing/rules/model.ts'

/** A swap that the reader proposed, has to answer, or both people want; a place that they are asked to take, or want to hand over. */
export type ExchangeKind = 'out' | 'in' | 'accepted' | 'asked' | 'sought'

/** An event that a partner organisation plans: the name of the organisation, and the link to the event there. */
export type PartnerLink = {
  host: string
  href: string
  /** When the reader opened the event from here, if the partner does not tell us whether they are signed up. */
  openedAt?: Date | null
  /** The page that gives up the own place, if the partner can be told from here. */
  givingUp?: string | undefined
}

/** A shift that the reader can sign up for. */
export type FittingShift = { label: string; start: Date; end: Date }

/** An event in a list. */
export type EventSummary = TypeOfEvent & {
  id: number
  title: string
  location: string
  start: Date
  end: Date
  /** Undefined for events of partners, which do not publish it. */
  shiftCount: number | undefined
  cancellationReason: string | null
  stats: SignupStats
  /** The reader's state over all shifts of the event. */
  own: State | undefined
  /** Set by a search for shifts that fit. */
  fitting?: readonly FittingShift[] | undefined
  /** Set if a partner plans the event; then `id` is the one of our copy. */
  partner?: PartnerLink | undefined
}

/** A shift in a list across events. */
export type ShiftSummary = Shift & EventOfShift & TypeOfEvent & { partner?: PartnerLink | undefined }

/** No more are counted: people who have so many decide in the list. */
export const MAX_TO_DECIDE = 100

export type CalendarShift = ShiftSummary & { own: State | null }

/** A shift in a calendar file. */
export type FeedShift = Omit<Shift, keyof SignupStats> &
  EventOfShift & {
    description: string | null
    state: State | null
    /** Increases with every change that the participant is notified of. */
    revision: number
    /** The name of a person who plans the event. */
    organizer: string | null
    /** `key` identifies the shift in calendar programs and never changes. */
    partner?: (PartnerLink & { key: string }) | undefined
    /** A child of the person whose calendar it is. */
    child?: { userId: number; name: string } | undefined
  }
