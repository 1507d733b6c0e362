import type { IndividualTimes } from '#features/staffing/eligibility/rules/individual-times.ts'
import type { Span } from '#platform/time-span.ts'
import type { Attendance } from './attendance.ts'

export const ROUNDINGS = [0, 5, 15] as const
export type Rounding = (typeof ROUNDINGS)[number]

const MINUTE = 60_000

/** To the nearest step; without rounding, to the full minute. */
export function roundTime(at: Date, rounding: Rounding): Date {
  const step = (rounding || 1) * MINUTE
  const time = at.getTime()
  return new Date((rounding ? Math.round(time / step) : Math.floor(time / step)) * step)
}

export type Planned = { shift: Span; times: IndividualTimes; isAbsent: boolean }

/** What becomes of the hours of a person. `unknown`: nobody has marked anything, so the plan counts. */
export type RealTimes =
  | { kind: 'unknown' }
  | { kind: 'absent'; isChange: boolean }
  | { kind: 'present'; span: Span; times: IndividualTimes; isChange: boolean; minutes: number }

/** `minutes`: how much longer than now; a time that nobody has marked stays as planned. */
export function judgeRealTimes({ arrivedAt, leftAt, noShow }: Attendance, planned: Planned, rounding: Rounding): RealTimes {
  const now: Span = { start: planned.times.start ?? planned.shift.start, end: planned.times.end ?? planned.shift.end }
  if (noShow) return { kind: 'absent', isChange: !planned.isAbsent }
  if (!arrivedAt && !leftAt) return planned.isAbsent ? present(now, now, planned) : { kind: 'unknown' }
  const start = arrivedAt ? roundTime(arrivedAt, rounding) : now.start
  const end = leftAt ? roundTime(leftAt, rounding) : now.end
  // Somebody who arrived after the planned end, and whose leaving nobody has marked: no time rather than a negative one.
  return present({ start, end: end < start ? start : end }, now, planned)
}

function present(span: Span, now: Span, { shift, isAbsent }: Planned): RealTimes {
  const isMoved = span.start.getTime() !== now.start.getTime() || span.end.getTime() !== now.end.getTime()
  const before = isAbsent ? 0 : lengthOf(now)
  return {
    kind: 'present',
    span,
    times: {
      start: span.start.getTime() === shift.start.getTime() ? null : span.start,
      end: span.end.getTime() === shift.end.getTime() ? null : span.end,
    },
    isChange: isMoved || isAbsent,
    minutes: Math.round((lengthOf(span) - before) / MINUTE),
  }
}

const lengthOf = ({ start, end }: Span): number => end.getTime() - start.getTime()
