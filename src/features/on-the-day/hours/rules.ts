import type { RequestData } from '#features/accounts/requests/access.ts'
import { readDay } from '#platform/i18n/days.ts'

/** Part of the hours of a person: a shift that has ended, or an entry by hand. */
export type HoursRow = {
  kind: 'shift' | 'entry'
  /** The id of the participation or of the entry. */
  id: number
  /** Shifts count for the day on which the person's time starts, in the time zone of the instance. */
  date: string
  hours: number
  eventId: number | null
  /** Title of the event, or the reason of the entry. */
  title: string
  label: string
  typeId: number | null
  typeTitle: string | null
  start: Date | null
  end: Date | null
  version: number
}

/** The column of entries by hand in tables by event type. */
export const ENTRIES = 'entries'
export type TypeColumn = { id: number; title: string }

/** Two decimals, as entries are stored; sums of fractions would show more otherwise. */
export const roundHours = (hours: number): number => Math.round(hours * 100) / 100

export const sumHours = (rows: readonly { hours: number }[]): number =>
  roundHours(rows.reduce((sum, { hours }) => sum + hours, 0))

export type YearOfHours = { year: string; byType: ReadonlyMap<number | typeof ENTRIES, number>; total: number }

/** Hours by year and event type, latest year first. */
export function groupByYear(rows: readonly Pick<HoursRow, 'date' | 'typeId' | 'hours'>[]): YearOfHours[] {
  const years = Map.groupBy(rows, ({ date }) => date.slice(0, 4))
  return [...years]
    .sort(([a], [b]) => b.localeCompare(a))
    .map(([year, parts]) => {
      const types = Map.groupBy(parts, ({ typeId }) => typeId ?? ENTRIES)
      return { year, byType: new Map([...types].map(([type, ofType]) => [type, sumHours(ofType)])), total: sumHours(parts) }
    })
}

/** By day; within a day entries by hand come last. */
export function compareLatestFirst(a: HoursRow, b: HoursRow): number {
  return b.date.localeCompare(a.date) || (b.start?.getTime() ?? 0) - (a.start?.getTime() ?? 0) || b.id - a.id
}

export type Period = { from: string; to: string }

export const yearPeriod = (year: string): Period => ({ from: `${year}-01-01`, to: `${year}-12-31` })

/** The name of the kind of request; stored, so it never changes. */
export const HOURS_REQUEST = 'working_hours'

type RequestedHours = { date: string; hours: number; reason: string }

/** Undefined for imported data that are no valid hours. */
export function readRequest({ date, hours, reason }: RequestData): RequestedHours | undefined {
  const day = readDay(String(date).slice(0, 10))
  const amount = Number(hours)
  if (!day || !Number.isFinite(amount) || amount <= 0 || amount >= 100_000) return undefined
  return { date: day, hours: amount, reason: String(reason ?? '').slice(0, 1024) }
}

type Spanned = { start: Date; end: Date }

/** The first of the shifts that takes place at the same time. */
export const overlapOf = <Other extends Spanned>({ start, end }: Spanned, others: readonly Other[]): Other | undefined =>
  others.find((other) => other.start < end && other.end > start)
