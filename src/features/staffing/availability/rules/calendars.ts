import type { Failure } from './refreshing.ts'

export type PrivateCalendar = {
  id: number
  name: string
  /** Where the calendar is read from. Undefined: a file, or an address that can no longer be decrypted. */
  host: string | undefined
  isFile: boolean
  countsAllDay: boolean
  coversUntil: Date
  unreadCount: number
  lastSuccessAt: Date
  failure: Failure | undefined
  /** Null: a file. */
  nextAttemptAt: Date | null
}

export type UpcomingTime = { start: Date; end: Date; isAllDay: boolean; calendar: string }
