import type { Attendance } from './attendance.ts'

/** A confirmed person of a shift, with what was marked last. */
export type CheckInPerson = Attendance & {
  id: number
  shiftId: number
  kind: 'local' | 'visitor' | 'guest' | 'placeholder'
  name: string
  phone: string | null
  start: Date
  end: Date
  markId: string | null
  /** What was stored before the last mark, to undo it; null if there is no such mark. */
  previous: { arrivedAt: string | null; leftAt: string | null; noShow: boolean } | null
  source: 'planner' | 'device' | 'self' | null
}

/** A mark in the log. */
export type LoggedMark = Attendance & {
  id: string
  name: string
  label: string
  by: string | null
  source: 'planner' | 'device' | 'self'
  outcome: 'applied' | 'agreed' | 'conflict' | 'chosen' | 'dismissed'
  madeAt: Date
  receivedAt: Date
  resolvedBy: string | null
}

export type CheckInShift = { id: number; label: string; meeting: Date; start: Date; end: Date }

export type Conflict = Attendance & {
  id: string
  participationId: number
  by: string | null
  source: 'planner' | 'device' | 'self'
  madeAt: Date
}
