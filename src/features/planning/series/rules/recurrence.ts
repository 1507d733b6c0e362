import { Temporal } from 'temporal-polyfill'
import type { Fault } from '#features/planning/shift-forms/rules/form-rows.ts'
import { isPlannable, readDate } from '#features/planning/shift-forms/rules/shift-times.ts'
import type { Day } from '#platform/i18n/days.ts'
import { readTypedDay, type TypedReading } from '#platform/i18n/typed-dates.ts'
import { type FormValues, fieldValue, fieldValues, isChecked } from '#platform/ui/form-values.ts'

export const MAX_DATES = 1000
/** A series is shown and changed as a whole, so it is shorter. */
const MAX_SERIES = 400

export const EVERY = ['day', 'week', 'month', 'year'] as const
export type Every = (typeof EVERY)[number]
/** Months and years: the day of the month, its weekday counted from the first, or the last one of that weekday. */
export const DAYS_OF_MONTH = ['day', 'weekday', 'last_weekday'] as const
type DayOfMonth = (typeof DAYS_OF_MONTH)[number]
/** `times` counts the first date, too. */
export type Recurrence = {
  first: string
  every: Every
  interval: number
  /** From Monday as 1; only for weeks. None: the weekday of the first date. */
  weekdays?: readonly number[]
  on?: DayOfMonth
  end: { times: number } | { until: string }
}

type PlainDate = Temporal.PlainDate

export const nthOfMonth = (day: PlainDate): number => Math.ceil(day.day / 7)

/** The date in the month of `month`; undefined if that month has no fifth weekday of the kind. */
export function dayIn(month: PlainDate, first: PlainDate, on: DayOfMonth): PlainDate | undefined {
  // The 31st becomes the last day of a shorter month and the 31st again in the next one.
  if (on === 'day') return month.with({ day: Math.min(first.day, month.daysInMonth) })
  if (on === 'last_weekday') {
    const last = month.with({ day: month.daysInMonth })
    return last.subtract({ days: (last.dayOfWeek - first.dayOfWeek + 7) % 7 })
  }
  const start = month.with({ day: 1 })
  const found = start.add({ days: ((first.dayOfWeek - start.dayOfWeek + 7) % 7) + 7 * (nthOfMonth(first) - 1) })
  return found.month === month.month ? found : undefined
}

/** The dates of one period of the rule, in order: of a day, week, month or year. */
function datesOfPeriod({ first: text, every, interval, weekdays, on = 'day' }: Recurrence, index: number): PlainDate[] {
  const first = Temporal.PlainDate.from(text)
  if (every === 'day') return [first.add({ days: index * interval })]
  if (every === 'week') {
    const monday = first.subtract({ days: first.dayOfWeek - 1 }).add({ weeks: index * interval })
    const chosen = weekdays?.length ? weekdays : [first.dayOfWeek]
    return [...new Set(chosen)].sort((a, b) => a - b).map((weekday) => monday.add({ days: weekday - 1 }))
  }
  const month = first.with({ day: 1 }).add({ months: index * interval * (every === 'year' ? 12 : 1) })
  const found = dayIn(month, first, on)
  return found ? [found] : []
}

function yearOfPeriod({ first, every, interval }: Recurrence, index: number): number {
  const { year } = Temporal.PlainDate.from(first)
  if (every !== 'month' && every !== 'year') return year
  return year + Math.floor((index * interval) / (every === 'year' ? 1 : 12))
}

/** Undefined if there are more than `MAX_DATES`, or if they leave the years that can be planned. */
function datesOfRule(rule: Recurrence): string[] | undefined {
  const { first, end } = rule
  const dates: string[] = []
  for (let index = 0; ; index++) {
    for (const date of datesOfPeriod(rule, index)) {
      const day = date.toString()
      if (day < first) continue
      if ('times' in end && dates.length >= end.times) return dates
      if ('until' in end && day > end.until) return dates
      if (!isPlannable(date.year)) return undefined
      dates.push(day)
      if (dates.length > MAX_DATES) return undefined
    }
    // A month without the weekday has no date that could end the loop.
    if (!isPlannable(yearOfPeriod(rule, index))) return undefined
  }
}

/** Sorted dates without duplicates; `skipped` ones are left out. Undefined if there are more than `MAX_DATES`. */
export function datesOf(
  rules: readonly Recurrence[],
  singles: readonly string[],
  skipped: readonly string[] = [],
): string[] | undefined {
  const dates = new Set(singles)
  for (const rule of rules) {
    const found = datesOfRule(rule)
    if (!found) return undefined
    for (const date of found) dates.add(date)
  }
  for (const date of skipped) dates.delete(date)
  return dates.size > MAX_DATES ? undefined : [...dates].sort()
}

export const REPEATS = ['once', ...EVERY] as const

export const recurrenceValues = (first: string): FormValues => ({
  first,
  every: 'once',
  interval: '1',
  weekdays: [String(Temporal.PlainDate.from(first).dayOfWeek)],
  on: 'day',
  ends: 'times',
  times: '4',
  until: '',
  singles: '',
  skips: '',
})

/** What was chosen, as it is stored with a series. */
export type ChosenDates = {
  dates: string[]
  faults: Fault[]
  rule: Recurrence | undefined
  singles: string[]
  skipped: string[]
}

/** Dates as people type them, one in each line, or several. `isReadable`: all of them are dates. */
function datesIn(values: FormValues, name: string, reading: TypedReading): { dates: string[]; isReadable: boolean } {
  const day = (text: string): string | undefined => {
    const read = readTypedDay(text, reading)
    return read.ok && readDate(read.day) ? read.day : undefined
  }
  const lines = fieldValue(values, name)
    .split(/[\n;]+/)
    .map((line) => line.trim())
    .filter(Boolean)
  const found = lines.flatMap((line) => {
    const alone = day(line)
    return alone === undefined
      ? line
          .split(/[\s,]+/)
          .filter(Boolean)
          .map(day)
      : [alone]
  })
  return { dates: found.filter((date) => date !== undefined), isReadable: !found.includes(undefined) }
}

/** The day of a field, or what was typed if it is none. */
function typedDay(values: FormValues, name: string, reading: TypedReading): string {
  const typed = fieldValue(values, name).trim()
  const read = readTypedDay(typed, reading)
  return read.ok ? read.day : typed
}

/** The form with its days as browsers write them. Without a year, the first day is from today on, and the last one from the first day on. */
export function readDayFields(values: FormValues, today: Day): FormValues {
  const first = typedDay(values, 'first', { today, from: today })
  return { ...values, first, until: typedDay(values, 'until', { today, from: readDate(first) ? first : today }) }
}

/** The dates of the form, or its errors. Dates in lines without a year are from the first day on. */
export function readDates(typed: FormValues, today: Day): ChosenDates {
  const faults: Fault[] = []
  const values = readDayFields(typed, today)
  const first = fieldValue(values, 'first')
  const every = fieldValue(values, 'every')
  const reading = { today, from: readDate(first) ? first : today }
  const { dates: singles, isReadable: hasSingles } = datesIn(values, 'singles', reading)
  const { dates: skipped, isReadable: hasSkips } = datesIn(values, 'skips', reading)
  if (!hasSingles) faults.push({ field: 'singles', code: 'not_a_date' })
  if (!hasSkips) faults.push({ field: 'skips', code: 'not_a_date' })
  if (first && !readDate(first)) faults.push({ field: 'first', code: 'unreadable' })
  if (!first && !singles.length && hasSingles) faults.push({ field: 'first', code: 'missing' })
  const rule = first && readDate(first) ? readRule(values, first, every, faults) : undefined
  const more = [...singles, ...(rule || !first ? [] : [first])]
  const failed = (found: Fault[]): ChosenDates => ({ dates: [], faults: found, rule, singles: more, skipped })
  // The preview shows the dates that can be read.
  if (faults.length) {
    const isRuleWrong = faults.some(({ code }) => code !== 'not_a_date')
    return { ...failed(faults), dates: isRuleWrong ? [] : (datesOf(rule ? [rule] : [], more, skipped) ?? []) }
  }
  const dates = datesOf(rule ? [rule] : [], more, skipped)
  if (!dates) return failed([{ field: 'times', code: 'too_many_dates' }])
  if (!dates.length) return failed([{ field: skipped.length ? 'skips' : 'until', code: 'no_dates' }])
  if (isChecked(values, 'linked') && dates.length > MAX_SERIES) return failed([{ field: 'linked', code: 'series_too_long' }])
  return { dates, faults, rule, singles: more, skipped }
}

function readRule(values: FormValues, first: string, every: string, faults: Fault[]): Recurrence | undefined {
  if (!(EVERY as readonly string[]).includes(every)) return undefined
  const interval = Number(fieldValue(values, 'interval').trim())
  if (!(Number.isInteger(interval) && interval >= 1 && interval <= 366)) faults.push({ field: 'interval', code: 'not_a_number' })
  const on = fieldValue(values, 'on') as DayOfMonth
  const rule = {
    first,
    every: every as Every,
    interval,
    ...(every === 'week' ? { weekdays: fieldValues(values, 'weekdays').map(Number).filter(isWeekday) } : {}),
    ...(every === 'month' || every === 'year' ? { on: DAYS_OF_MONTH.includes(on) ? on : ('day' as const) } : {}),
  }
  if (fieldValue(values, 'ends') === 'until') {
    const until = fieldValue(values, 'until')
    if (!readDate(until)) faults.push({ field: 'until', code: until ? 'unreadable' : 'missing' })
    return { ...rule, end: { until } }
  }
  const times = Number(fieldValue(values, 'times').trim())
  if (!(Number.isInteger(times) && times >= 1)) faults.push({ field: 'times', code: 'not_a_number' })
  if (times > 100_000) faults.push({ field: 'times', code: 'too_many_dates' })
  return { ...rule, end: { times } }
}

const isWeekday = (value: number): boolean => Number.isInteger(value) && value >= 1 && value <= 7

/** The form of a stored rule. */
export function ruleValues(
  first: string,
  rule: Recurrence | undefined,
  singles: readonly string[],
  skipped: readonly string[],
): FormValues {
  const values = { ...recurrenceValues(first), singles: singles.join('\n'), skips: skipped.join('\n') }
  if (!rule) return { ...values, first: '' }
  return {
    ...values,
    every: rule.every,
    interval: String(rule.interval),
    ...(rule.weekdays?.length ? { weekdays: rule.weekdays.map(String) } : {}),
    on: rule.on ?? 'day',
    ...('times' in rule.end ? { ends: 'times', times: String(rule.end.times) } : { ends: 'until', until: rule.end.until }),
  }
}
