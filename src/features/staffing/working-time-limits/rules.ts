import { Temporal } from 'temporal-polyfill'
import { zoneOf } from '#platform/i18n/zone.ts'
import { gapBetween, overlaps, type Span } from '#platform/time-span.ts'

export const LIMIT_KINDS = [
  /** Least hours between two shifts. */
  'rest_hours',
  /** Most hours in a week from Monday to Sunday. */
  'hours_per_week',
  /** Most nights in a row; see `NIGHT`. */
  'nights_in_row',
  /** For people under 18: most hours in a day, the hour of the evening at which their shifts end, and an adult on the same shift. */
  'minor_hours_per_day',
  'minor_latest_hour',
  'minor_accompanied',
] as const
export type LimitKind = (typeof LIMIT_KINDS)[number]

/** `blocks` false: people are warned and can sign up all the same. */
export type Limit = { kind: LimitKind; value: number; blocks: boolean }

/** `groupId` null: for all people who are in no group with a limit of this kind. */
export type StoredLimit = Limit & { groupId: number | null }

/** A shift counts as a night if it takes more than two hours between 23:00 and 6:00. */
export const NIGHT = { from: 23, until: 6, moreThanHours: 2 } as const
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** How long before and after a shift other shifts count for these limits. */
export function reachOf(limits: readonly Limit[]): number {
  const reaches = limits.map(({ kind, value }) => {
    if (kind === 'rest_hours') return value * HOUR_MS
    if (kind === 'hours_per_week') return 8 * DAY_MS
    if (kind === 'nights_in_row') return (value + 2) * DAY_MS
    return kind === 'minor_hours_per_day' ? 2 * DAY_MS : 0
  })
  return Math.max(0, ...reaches)
}

/** The limits of a person: of each kind those of their groups, or else that of the instance. Of several the strictest applies. */
export function limitsOf(stored: readonly StoredLimit[], groupIds: readonly number[]): Limit[] {
  if (stored.length === 0) return []
  return LIMIT_KINDS.flatMap((kind) => {
    const ofKind = stored.filter((limit) => limit.kind === kind)
    const ofGroups = ofKind.filter(({ groupId }) => groupId !== null && groupIds.includes(groupId))
    const candidates = ofGroups.length > 0 ? ofGroups : ofKind.filter(({ groupId }) => groupId === null)
    const [strictest] = candidates.toSorted((a, b) => compareStrictness(kind, a, b) || Number(b.blocks) - Number(a.blocks))
    return strictest ? [{ kind, value: strictest.value, blocks: strictest.blocks }] : []
  })
}

const compareStrictness = (kind: LimitKind, a: Limit, b: Limit): number =>
  kind === 'rest_hours' ? b.value - a.value : a.value - b.value

/** What limits need to know about the time of a shift. Days are counted from 1970. */
export type WorkSpan = Span & {
  hoursByDay: ReadonlyMap<number, number>
  /** By the day of the Monday. */
  hoursByWeek: ReadonlyMap<number, number>
  /** Days on whose evening a night begins. */
  nights: readonly number[]
}

export function describeWork({ start, end }: Span, timeZone: string): WorkSpan {
  const hoursByDay = new Map<number, number>()
  const hoursByWeek = new Map<number, number>()
  const nights: number[] = []
  const zone = zoneOf(timeZone)
  const first = Math.floor((start.getTime() + zone.offsetAt(start.getTime())) / DAY_MS)
  const at = (day: number, hour: number) => zone.instantOf(day * DAY_MS + hour * HOUR_MS)
  const hoursWithin = (from: number, until: number) =>
    Math.max(0, Math.min(end.getTime(), until) - Math.max(start.getTime(), from)) / HOUR_MS
  // From the day before, because its night reaches into the first day.
  for (let day = first - 1; at(day, 0) < end.getTime(); day++) {
    if (hoursWithin(at(day, NIGHT.from), at(day + 1, NIGHT.until)) > NIGHT.moreThanHours) nights.push(day)
    const hours = hoursWithin(at(day, 0), at(day + 1, 0))
    if (hours === 0) continue
    hoursByDay.set(day, hours)
    const monday = mondayOf(day)
    hoursByWeek.set(monday, (hoursByWeek.get(monday) ?? 0) + hours)
  }
  return { start, end, hoursByDay, hoursByWeek, nights }
}

/** 1 January 1970 was a Thursday. */
const mondayOf = (day: number): number => day - ((((day + 3) % 7) + 7) % 7)

/** `actual`: the value that the person would reach; for rest the hours that are left. */
export type Breach<Other extends Span = Span> = Limit & { actual: number; other: Other | undefined }

type WorkSituation<Other extends WorkSpan = WorkSpan> = {
  work: WorkSpan
  /** Shifts on which the person is confirmed; those at the same time are conflicts and judged elsewhere. */
  others: readonly Other[]
  isMinor: boolean
  /** An adult is confirmed on the shift. */
  hasAdult: boolean
  timeZone: string
}

/** Which limits the person would break with the shift. */
export function findBreaches<Other extends WorkSpan>(limits: readonly Limit[], situation: WorkSituation<Other>): Breach<Other>[] {
  return limits.flatMap((limit) => {
    if (limit.kind.startsWith('minor_') && !situation.isMinor) return []
    return judge(limit, situation).map((found) => ({ ...limit, ...found }))
  })
}

type Found<Other extends Span> = { actual: number; other: Other | undefined }

function judge<Other extends WorkSpan>({ kind, value }: Limit, situation: WorkSituation<Other>): Found<Other>[] {
  const { work, others, hasAdult, timeZone } = situation
  const exceeds = (actual: number) => (actual > value ? [{ actual: round(actual), other: undefined }] : [])
  switch (kind) {
    case 'rest_hours':
      return others
        .filter((other) => !overlaps(other, work) && gapBetween(other, work) < value * HOUR_MS)
        .map((other) => ({ actual: Math.floor(gapBetween(other, work) / HOUR_MS), other }))
    case 'hours_per_week':
      return exceeds(mostTogether(({ hoursByWeek }) => hoursByWeek, work, others))
    case 'minor_hours_per_day':
      return exceeds(mostTogether(({ hoursByDay }) => hoursByDay, work, others))
    case 'nights_in_row':
      return exceeds(longestRun(work, others))
    case 'minor_latest_hour':
      return isLate(work, value, timeZone) ? [{ actual: value, other: undefined }] : []
    case 'minor_accompanied':
      return hasAdult ? [] : [{ actual: 0, other: undefined }]
  }
}

const round = (hours: number): number => Math.round(hours * 10) / 10

/** Most hours of any day or week in which the person would work. */
function mostTogether(
  hoursOf: (work: WorkSpan) => ReadonlyMap<number, number>,
  work: WorkSpan,
  others: readonly WorkSpan[],
): number {
  const sums = [...hoursOf(work)].map(([key, hours]) =>
    others.reduce((sum, other) => sum + (hoursOf(other).get(key) ?? 0), hours),
  )
  return Math.max(0, ...sums)
}

/** Length of the longest series of nights that contains a night of the shift. */
function longestRun(work: WorkSpan, others: readonly WorkSpan[]): number {
  const nights = new Set([...work.nights, ...others.flatMap((other) => other.nights)])
  const runs = work.nights.map((night) => {
    let first = night
    while (nights.has(first - 1)) first--
    let last = night
    while (nights.has(last + 1)) last++
    return last - first + 1
  })
  return Math.max(0, ...runs)
}

/** Whether the shift takes time between this hour of its first evening and 6:00. */
function isLate({ start, end }: Span, hour: number, timeZone: string): boolean {
  const from = Temporal.Instant.fromEpochMilliseconds(start.getTime()).toZonedDateTimeISO(timeZone)
  const latest = from.toPlainDate().toZonedDateTime({ timeZone, plainTime: new Temporal.PlainTime(hour) })
  return from.hour < NIGHT.until || end.getTime() > latest.epochMilliseconds
}
