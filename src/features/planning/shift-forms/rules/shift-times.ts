import { Temporal } from 'temporal-polyfill'
import { resolveLocalTime, type Which } from '#platform/i18n/local-time.ts'
import { readFieldDay, readFieldMoment, readTypedTime } from '#platform/i18n/typed-dates.ts'
import type { Span } from '#platform/time-span.ts'

export type ShiftTimes = { meeting: Date; start: Date; end: Date }
/** `which`: for times that occur twice when the clocks are set back. */
export type Typed = { date: string; meeting: string; start: string; end: string; which?: WhichTimes }
type WhichTimes = Partial<Record<'meeting' | 'start' | 'end', Which | undefined>>
type TypedInFull = Omit<Typed, 'date'>

type TimeFault = {
  field: 'date' | 'meeting' | 'start' | 'end'
  code: 'missing' | 'unreadable' | 'skipped' | 'ambiguous' | 'meeting_after_start' | 'end_before_start'
}
export type TimesRead = { ok: true; times: ShiftTimes } | { ok: false; faults: TimeFault[] }

const MINUTE_MS = 60_000

/** For times that were not typed: a local time skipped by daylight saving becomes one hour later. */
export function toInstant(wall: Temporal.PlainDateTime, timeZone: string): Date {
  return new Date(wall.toZonedDateTime(timeZone).epochMilliseconds)
}

export const toWallTime = (at: Date, timeZone: string): Temporal.PlainDateTime =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone).toPlainDateTime()

/** Parses the value of `<input type="datetime-local">`, or a date and a time as people type them; undefined if invalid. */
export function readWall(text: string): Temporal.PlainDateTime | undefined {
  const written = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$/.test(text) ? text : readFieldMoment(text)
  return written === undefined ? undefined : attempt(() => Temporal.PlainDateTime.from(written))
}

export function readDate(text: string): Temporal.PlainDate | undefined {
  const date = /^\d{4}-\d\d-\d\d$/.test(text) ? attempt(() => Temporal.PlainDate.from(text)) : undefined
  return date && isPlannable(date.year) ? date : undefined
}

/** Other years are mistakes, and the format of the API has no room for them in every time zone. */
export const isPlannable = (year: number): boolean => year >= 1900 && year <= 9998

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

function readClock(text: string): Temporal.PlainTime | undefined {
  const written = /^\d\d:\d\d(:\d\d)?$/.test(text) ? text : readTypedTime(text)
  return written === undefined ? undefined : attempt(() => Temporal.PlainTime.from(written))
}

/** One date and three times of day. An end not after the start is on the next day; the meeting time defaults to the start. */
export function readShortcut({ date, meeting, start, end, which }: Typed, timeZone: string): TimesRead {
  const faults: TimeFault[] = []
  const need = <T>(field: TimeFault['field'], text: string, read: (text: string) => T | undefined): T | undefined => {
    const value = read(text.trim())
    if (value === undefined) faults.push({ field, code: text.trim() ? 'unreadable' : 'missing' })
    return value
  }
  const day = need('date', date, (text) => readDate(readFieldDay(text) ?? text))
  const clock = need('start', start, readClock)
  const until = need('end', end, readClock)
  const before = meeting.trim() ? need('meeting', meeting, readClock) : clock
  if (!day || !clock || !until || !before) return { ok: false, faults }
  const lastDay = Temporal.PlainTime.compare(until, clock) > 0 ? day : day.add({ days: 1 })
  const walls = { start: day.toPlainDateTime(clock), end: lastDay.toPlainDateTime(until) }
  return resolve(meeting.trim() ? { ...walls, meeting: day.toPlainDateTime(before) } : walls, timeZone, which)
}

/** Without a meeting time, people meet at the start. */
type WallTimes = { start: Temporal.PlainDateTime; end: Temporal.PlainDateTime; meeting?: Temporal.PlainDateTime }

function resolve({ start, end, meeting }: WallTimes, timeZone: string, which: WhichTimes = {}): TimesRead {
  const from = resolveLocalTime(start, timeZone, which.start)
  const until = resolveLocalTime(end, timeZone, which.end)
  const before = meeting ? resolveLocalTime(meeting, timeZone, which.meeting) : from
  if (from.ok && until.ok && before.ok) return inOrder({ meeting: before.at, start: from.at, end: until.at })
  const found = [
    ['meeting', meeting ? before : undefined],
    ['start', from],
    ['end', until],
  ] as const
  return {
    ok: false,
    faults: found.flatMap(([field, one]): TimeFault[] => (one && !one.ok ? [{ field, code: one.reason }] : [])),
  }
}

/** Three dates with times, for shifts over several days or a meeting on an earlier day. */
export function readInFull({ meeting, start, end, which }: TypedInFull, timeZone: string): TimesRead {
  const faults: TimeFault[] = []
  const read = (field: 'meeting' | 'start' | 'end', text: string) => {
    const wall = readWall(text.trim())
    if (!wall) faults.push({ field, code: text.trim() ? 'unreadable' : 'missing' })
    return wall
  }
  const from = read('start', start)
  const to = read('end', end)
  const before = meeting.trim() ? read('meeting', meeting) : undefined
  if (!from || !to || faults.length) return { ok: false, faults }
  return resolve({ start: from, end: to, ...(before && { meeting: before }) }, timeZone, which)
}

function inOrder(times: ShiftTimes): TimesRead {
  const faults = checkOrder(times)
  return faults.length ? { ok: false, faults } : { ok: true, times }
}

/** For the form and the API. */
export function checkOrder(times: ShiftTimes): TimeFault[] {
  const faults = (['meeting', 'start', 'end'] as const)
    .filter((field) => !isPlannable(times[field].getUTCFullYear()))
    .map((field): TimeFault => ({ field, code: 'unreadable' }))
  if (times.meeting > times.start) faults.push({ field: 'meeting', code: 'meeting_after_start' })
  if (times.end <= times.start) faults.push({ field: 'end', code: 'end_before_start' })
  return faults
}

/** The meeting stays as long before the start. */
export function moveTimes({ meeting, start }: ShiftTimes, to: Span): ShiftTimes {
  return { meeting: new Date(to.start.getTime() - (start.getTime() - meeting.getTime())), start: to.start, end: to.end }
}

/** Whether one date and three times of day can express these times. */
export function fitsShortcut({ meeting, start, end }: ShiftTimes, timeZone: string): boolean {
  const [before, from, until] = [meeting, start, end].map((at) => toWallTime(at, timeZone))
  const isWhole = [meeting, start, end].every((at) => at.getTime() % MINUTE_MS === 0)
  const days = from!.toPlainDate().until(until!.toPlainDate()).days
  const ends = Temporal.PlainTime.compare(until!.toPlainTime(), from!.toPlainTime())
  return isWhole && before!.toPlainDate().equals(from!.toPlainDate()) && ((days === 0 && ends > 0) || (days === 1 && ends <= 0))
}
