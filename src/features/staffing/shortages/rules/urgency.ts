import type { Span } from '#platform/time-span.ts'

export const SORTS = ['urgency', 'date', 'missing'] as const
export type Sort = (typeof SORTS)[number]

/** Why a shift is placed where it is. The page shows the reason. */
export type UrgencyReason =
  | 'running'
  | 'starts_soon'
  | 'closes_soon'
  | 'closed'
  | 'half_missing'
  | 'stays_short'
  | 'this_week'
  | 'later'

const LEVELS: Record<UrgencyReason, number> = {
  running: 0,
  starts_soon: 1,
  closes_soon: 2,
  closed: 2,
  half_missing: 3,
  stays_short: 4,
  this_week: 5,
  later: 6,
}

const HOUR_MS = 3_600_000
/** "Soon" for the start and for the end of sign-up. */
const SOON_HOURS = 48
const WEEK_MS = 7 * 24 * HOUR_MS

export type ShortShift = Span & {
  id: number
  /** The most people missing at the same time. */
  lacking: number
  confirmedCount: number
  /** When people can no longer sign up; undefined if they never can themselves. */
  closesAt: Date | undefined
  forecast: { staysShort: boolean } | null
}

export function judgeUrgency({ start, lacking, confirmedCount, closesAt, forecast }: ShortShift, now: Date): UrgencyReason {
  const left = start.getTime() - now.getTime()
  if (left <= 0) return 'running'
  if (left <= SOON_HOURS * HOUR_MS) return 'starts_soon'
  if (closesAt && closesAt <= now) return 'closed'
  if (closesAt && closesAt.getTime() - now.getTime() <= SOON_HOURS * HOUR_MS) return 'closes_soon'
  const isThisWeek = left <= WEEK_MS
  if (isThisWeek && lacking > confirmedCount) return 'half_missing'
  if (forecast?.staysShort) return 'stays_short'
  return isThisWeek ? 'this_week' : 'later'
}

/** The shifts of one event that need people: the one to look at first, and the others by date. */
type ShortEvent<Shift> = { worst: Shift; others: readonly Shift[] }

/** Events in the order of their first shift in the list. */
export function groupByEvent<Shift extends ShortShift & { eventId: number }>(sorted: readonly Shift[]): ShortEvent<Shift>[] {
  return [...Map.groupBy(sorted, ({ eventId }) => eventId).values()].map(([worst, ...others]) => ({
    worst: worst!,
    others: others.sort(byDate),
  }))
}

const byDate = (a: ShortShift, b: ShortShift): number =>
  a.start.getTime() - b.start.getTime() || a.end.getTime() - b.end.getTime() || a.id - b.id
const byMissing = (a: ShortShift, b: ShortShift): number => b.lacking - a.lacking || byDate(a, b)

/** Urgency: by the reason; for the same reason the earlier day first, and on the same day the shift that lacks more people. */
export function sortShortShifts<Shift extends ShortShift>(shifts: readonly Shift[], sort: Sort, now: Date): Shift[] {
  const day = ({ start }: ShortShift) => Math.floor((start.getTime() - now.getTime()) / (24 * HOUR_MS))
  const levelOf = new Map(shifts.map((shift) => [shift.id, LEVELS[judgeUrgency(shift, now)]]))
  const byUrgency = (a: ShortShift, b: ShortShift) =>
    levelOf.get(a.id)! - levelOf.get(b.id)! || day(a) - day(b) || byMissing(a, b)
  return [...shifts].sort({ urgency: byUrgency, date: byDate, missing: byMissing }[sort])
}
