import type { Reason } from '#features/staffing/staffing/rules/model.ts'
import type { Span } from '#platform/time-span.ts'

export type IndividualTimes = { start: Date | null; end: Date | null }

type TimeLimits = {
  /** The flow lets participants choose. */
  mayChoose: boolean
  toleranceMinutes: number
}

const isSame = (a: Date | null, b: Date | null): boolean => (a?.getTime() ?? null) === (b?.getTime() ?? null)

/** Replaces times that equal those of the shift by null. */
export function dropShiftTimes(times: IndividualTimes, shift: Span): IndividualTimes {
  return { start: isSame(times.start, shift.start) ? null : times.start, end: isSame(times.end, shift.end) ? null : times.end }
}

export const effectiveSpan = ({ start, end }: IndividualTimes, shift: Span): Span => ({
  start: start ?? shift.start,
  end: end ?? shift.end,
})

/** Whether individual times are outside the shift, which happens when the shift is moved. */
export function isOutsideShift({ start, end }: Span, shift: Span & { meeting: Date }, toleranceMinutes: number): boolean {
  const tolerance = toleranceMinutes * 60_000
  const isBeyond = start.getTime() < shift.meeting.getTime() - tolerance || end.getTime() > shift.end.getTime() + tolerance
  return isBeyond || start >= shift.end || end <= shift.start
}

/** The longest part of the shift in which the person has nothing else to do, the first of equal ones; undefined if there is none. */
export function findFreePart(shift: Span, others: readonly Span[]): Span | undefined {
  const busy = [...others].sort((a, b) => a.start.getTime() - b.start.getTime())
  const gaps: Span[] = []
  let free = shift.start
  for (const { start, end } of [...busy, { start: shift.end, end: shift.end }]) {
    const until = start < shift.end ? start : shift.end
    if (until > free) gaps.push({ start: free, end: until })
    if (end > free) free = end
  }
  const lengthOf = ({ start, end }: Span) => end.getTime() - start.getTime()
  return gaps.reduce<Span | undefined>(
    (longest, gap) => (longest && lengthOf(longest) >= lengthOf(gap) ? longest : gap),
    undefined,
  )
}

type TimesVerdict = { ok: true; times: IndividualTimes } | { ok: false; reasons: Reason[] }

/** Checks that chosen times are between meeting time and end. Unchanged stored times are always accepted. */
export function judgeTimes(
  wanted: IndividualTimes,
  stored: IndividualTimes,
  shift: Span & { meeting: Date },
  { mayChoose, toleranceMinutes }: TimeLimits,
): TimesVerdict {
  const times = dropShiftTimes(wanted, shift)
  if (isSame(times.start, stored.start) && isSame(times.end, stored.end)) return { ok: true, times: stored }
  if (!mayChoose) return { ok: false, reasons: [{ code: 'times_fixed' }] }
  const { start, end } = effectiveSpan(times, shift)
  const tolerance = toleranceMinutes * 60_000
  const earliest = new Date(shift.meeting.getTime() - tolerance)
  const latest = new Date(shift.end.getTime() + tolerance)
  const reasons: Reason[] = []
  if (end < start) reasons.push({ code: 'times_in_wrong_order' })
  if (start < earliest || end > latest || start > latest || end < earliest)
    reasons.push({ code: 'times_outside', earliest, latest })
  return reasons.length ? { ok: false, reasons } : { ok: true, times }
}
