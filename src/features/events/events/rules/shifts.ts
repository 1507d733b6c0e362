import type { SignupStats } from '#features/staffing/staffing/rules/model.ts'
import type { ShiftValues } from './shift-fields.ts'

/** A shift as pages, calendars and tables show it. Queries select it with `shiftColumns`, views receive it unchanged. */
export type Shift = SignupStats &
  ShiftValues & {
    id: number
    meeting: Date
    start: Date
    end: Date
  }

/** The event of a shift, for lists across events. Queries select it with `eventOfShiftColumns`. */
export type EventOfShift = {
  eventId: number
  eventTitle: string
  location: string
  /** Null unless the event is cancelled. */
  cancellationReason: string | null
}

export type TypeOfEvent = { typeTitle: string; typeColor: string }
