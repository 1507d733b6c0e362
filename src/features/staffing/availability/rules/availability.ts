import { addDays, type Day, startOfDay } from '#platform/i18n/days.ts'
import { zoneOf } from '#platform/i18n/zone.ts'
import { overlaps, type Span, spansWhole } from '#platform/time-span.ts'

export type AvailabilityKind = 'can' | 'cannot'

/** Every week on this day, from Monday as 1. Minutes from midnight; `until` is larger than `from`, at most 1440. */
export type WeeklyTime = { kind: AvailabilityKind; weekday: number; from: number; until: number }

/** Whole days from the first to the last. */
export type DayPeriod = { kind: AvailabilityKind; first: Day; last: Day }

/** From a private calendar, in milliseconds since 1970. */
export type BusyTime = { fromMs: number; untilMs: number }

export type Availability = { weekly: readonly WeeklyTime[]; periods: readonly DayPeriod[]; busy: readonly BusyTime[] }
export const NO_AVAILABILITY: Availability = Object.freeze({ weekly: [], periods: [], busy: [] })

/** A day with its first moment and the first moment after it. */
export type DaySpan = Span & { day: Day }

const MINUTE_MS = 60_000
const DAY_MS = 24 * 3_600_000

/**
 * Whether the person said that they can or cannot at that time. Single days replace the weekly times of these days. "Cannot" at any
 * moment counts for the whole shift, "can" only if it covers the whole shift. Busy times of calendars are "cannot", except where the
 * person said "can". Undefined: nothing was said.
 */
export function judgeAvailability(
  { weekly, periods, busy }: Availability,
  span: Span,
  timeZone: string,
): AvailabilityKind | undefined {
  if (weekly.length === 0 && periods.length === 0 && busy.length === 0) return undefined
  const said = daysOf(span, timeZone).flatMap((day) => saidOn({ weekly, periods }, wholeDay(day, timeZone), timeZone))
  if (said.some((one) => one.kind === 'cannot' && overlaps(one, span))) return 'cannot'
  const can = said.filter(({ kind }) => kind === 'can').toSorted((a, b) => a.start.getTime() - b.start.getTime())
  if (busy.some((one) => isHindered(span, one, can))) return 'cannot'
  return isCovered(span, can) ? 'can' : undefined
}

const wholeDay = (day: Day, timeZone: string): DaySpan => ({
  day,
  start: startOfDay(day, timeZone),
  end: startOfDay(addDays(day, 1), timeZone),
})

/** What the person said about one day. */
function saidOn(
  { weekly, periods }: Pick<Availability, 'weekly' | 'periods'>,
  { day, start, end }: DaySpan,
  timeZone: string,
): (Span & { kind: AvailabilityKind })[] {
  const ofDay = periods.filter(({ first, last }) => first <= day && day <= last)
  if (ofDay.length > 0) return ofDay.map(({ kind }) => ({ kind, start, end }))
  const weekday = weekdayOf(day)
  return weekly
    .filter((one) => one.weekday === weekday)
    .map(({ kind, from, until }) => ({
      kind,
      start: momentAt({ start, end }, from, timeZone),
      end: momentAt({ start, end }, until, timeZone),
    }))
}

/**
 * The parts of a day at which the person cannot, in order and without overlaps. A shift of that day is `cannot` for `judgeAvailability` if
 * it takes any of this time.
 */
export function findCannotTimes({ weekly, periods, busy }: Availability, day: DaySpan, timeZone: string): Span[] {
  const said = saidOn({ weekly, periods }, day, timeZone)
  if (said.length === 0 && busy.length === 0) return []
  const can = said.filter(({ kind }) => kind === 'can')
  const atDay = busy
    .map(({ fromMs, untilMs }) => ({ start: new Date(fromMs), end: new Date(untilMs) }))
    .filter((one) => overlaps(one, day))
    .map(({ start, end }) => ({ start: start < day.start ? day.start : start, end: end > day.end ? day.end : end }))
  const hindered = atDay.flatMap((one) => can.reduce((left, each) => left.flatMap((part) => without(part, each)), [one]))
  return joinSpans([...said.filter(({ kind }) => kind === 'cannot'), ...hindered])
}

/** What is left of a span without another one. */
const without = ({ start, end }: Span, hole: Span): Span[] =>
  [
    { start, end: hole.start < end ? hole.start : end },
    { start: hole.end > start ? hole.end : start, end },
  ].filter((part) => part.start < part.end)

function joinSpans(spans: readonly Span[]): Span[] {
  const joined: Span[] = []
  for (const { start, end } of spans.toSorted((a, b) => a.start.getTime() - b.start.getTime())) {
    const last = joined.at(-1)
    if (last && start <= last.end) last.end = end > last.end ? end : last.end
    else joined.push({ start, end })
  }
  return joined
}

/** Whether a part of the busy time is within the span and outside of the times at which the person said "can". */
function isHindered(span: Span, { fromMs, untilMs }: BusyTime, can: readonly Span[]): boolean {
  const start = new Date(Math.max(fromMs, span.start.getTime()))
  const end = new Date(Math.min(untilMs, span.end.getTime()))
  return start < end && !isCovered({ start, end }, can)
}

/** Local days that the span touches. */
function daysOf({ start, end }: Span, timeZone: string): Day[] {
  const localDay = (at: number) => new Date(at + zoneOf(timeZone).offsetAt(at)).toISOString().slice(0, 10)
  const last = localDay(Math.max(start.getTime(), end.getTime() - 1))
  const days = [localDay(start.getTime())]
  while (days.at(-1)! < last) days.push(addDays(days.at(-1)!, 1))
  return days
}

const weekdayOf = (day: Day): number => ((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7) + 1

/** The moment of a clock time on a day; on the day of a clock change hours after it are shifted. */
function momentAt(day: Span, minutes: number, timeZone: string): Date {
  if (minutes * MINUTE_MS >= DAY_MS) return day.end
  const zone = zoneOf(timeZone)
  const start = day.start.getTime()
  const guess = start + minutes * MINUTE_MS
  return new Date(guess + zone.offsetAt(start) - zone.offsetAt(guess))
}

function isCovered(span: Span, sorted: readonly Span[]): boolean {
  let reached = span.start
  for (const one of sorted) {
    if (one.start > reached) return false
    if (spansWhole({ start: reached, end: one.end }, { start: reached, end: span.end })) return true
    if (one.end > reached) reached = one.end
  }
  return false
}

/** `08:30` as minutes; `24:00` is the end of the day. Undefined: no clock time. */
export function readClock(text: string): number | undefined {
  const found = /^(\d{1,2}):(\d{2})$/.exec(text.trim())
  const minutes = found ? Number(found[1]) * 60 + Number(found[2]) : Number.NaN
  return found && Number(found[2]) < 60 && minutes <= 1440 ? minutes : undefined
}

export const writeClock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
