import type { Changes } from '#platform/journal/kinds.ts'

/** What is known about one person in one shift. */
export type Attendance = { arrivedAt: Date | null; leftAt: Date | null; noShow: boolean }
/** How the journal names changes of it. */
export type AttendanceChanges = Changes<{ arrived_at: string | null; left_at: string | null; no_show: boolean }>

export type MarkSource = 'planner' | 'device' | 'self'

export const NOTHING: Attendance = { arrivedAt: null, leftAt: null, noShow: false }

/** `set`: these values, whatever was there before: corrected times, and undo. */
export type Mark =
  | { kind: 'arrived'; at: Date }
  | { kind: 'left'; at: Date }
  | { kind: 'no_show' }
  | { kind: 'set'; to: Attendance }

/** agreed: nothing changes, because the same is already stored. conflict: somebody has to choose. */
export type MarkOutcome = 'applied' | 'agreed' | 'conflict'

/** Two people who mark the same arrival press the button at about the same time; the first time is kept. */
const SAME_MS = 5 * 60_000

const timeOf = (at: Date | null): number | null => at?.getTime() ?? null

const isSameAttendance = (a: Attendance, b: Attendance): boolean =>
  timeOf(a.arrivedAt) === timeOf(b.arrivedAt) && timeOf(a.leftAt) === timeOf(b.leftAt) && a.noShow === b.noShow

export const isKnown = ({ arrivedAt, leftAt, noShow }: Attendance): boolean => noShow || arrivedAt !== null || leftAt !== null

/** Has arrived and has not left. */
export const isThere = ({ arrivedAt, leftAt }: Attendance): boolean => arrivedAt !== null && leftAt === null

/** What the mark asks for. Undefined: the person would leave before they arrive. */
export function applyMark(before: Attendance, mark: Mark): Attendance | undefined {
  const after = applied(before, mark)
  return after.arrivedAt && after.leftAt && after.leftAt < after.arrivedAt ? undefined : after
}

function applied(before: Attendance, mark: Mark): Attendance {
  switch (mark.kind) {
    case 'arrived': {
      // Somebody who comes back: the first arrival stays.
      const isBack = before.leftAt !== null && before.leftAt <= mark.at
      return isBack
        ? { arrivedAt: before.arrivedAt ?? mark.at, leftAt: null, noShow: false }
        : { arrivedAt: mark.at, leftAt: before.leftAt, noShow: false }
    }
    case 'left':
      return { arrivedAt: before.arrivedAt, leftAt: mark.at, noShow: false }
    case 'no_show':
      return { arrivedAt: null, leftAt: null, noShow: true }
    case 'set':
      return mark.to.noShow ? { arrivedAt: null, leftAt: null, noShow: true } : mark.to
  }
}

/**
 * A device that has seen the latest values decides. One that has not adds what is unknown, and never replaces what others have marked.
 * `isFresh`: the device has seen `before`.
 */
export function judgeMark(before: Attendance, mark: Mark, { isFresh }: { isFresh: boolean }): MarkOutcome {
  const after = applyMark(before, mark)
  if (!after) return 'conflict'
  if (isSameAttendance(before, after)) return 'agreed'
  if (isFresh) return 'applied'
  switch (mark.kind) {
    case 'arrived':
      return before.noShow ? 'conflict' : judgeTime(before.arrivedAt, mark.at)
    case 'left':
      return before.noShow ? 'conflict' : judgeTime(before.leftAt, mark.at)
    case 'no_show':
    case 'set':
      return mark.kind === 'no_show' && !isKnown(before) ? 'applied' : 'conflict'
  }
}

function judgeTime(stored: Date | null, marked: Date): MarkOutcome {
  if (stored === null) return 'applied'
  return Math.abs(stored.getTime() - marked.getTime()) <= SAME_MS ? 'agreed' : 'conflict'
}

/** Smaller differences are the way of the request. */
const EXACT_MS = 2_000

/** The time of a device as the server would have read it: devices send their clock along. Never in the future. */
export function correctTime(made: number, sent: number, now: Date): Date {
  const offset = now.getTime() - sent
  const corrected = Math.abs(offset) <= EXACT_MS ? made : made + offset
  return new Date(Math.min(corrected, now.getTime()))
}
