import { Temporal } from 'temporal-polyfill'
import type { Fault } from '#features/planning/rules/form-rows.ts'
import { isPlannable, readDate } from '#features/planning/rules/shift-times.ts'
import { type FormValues, fieldValue } from '#platform/ui/form-values.ts'

export const MAX_DATES = 1000

export type Every = 'day' | 'week' | 'month'
/** `times` counts the first date, too. */
export type Recurrence = { first: string; every: Every; interval: number; end: { times: number } | { until: string } }

const UNITS = { day: 'days', week: 'weeks', month: 'months' } as const

/**
 * Sorted dates without duplicates; undefined if there are more than `MAX_DATES`, or they leave the years
 * that can be planned. Each date is computed from the first one, so
 * that the 31st becomes the last day of a shorter month and the 31st again in the next month.
 */
export function datesOf(rules: readonly Recurrence[], singles: readonly string[]): string[] | undefined {
  const dates = new Set(singles)
  for (const { first, every, interval, end } of rules) {
    const from = Temporal.PlainDate.from(first)
    for (let index = 0; ; index++) {
      if ('times' in end && index >= end.times) break
      const date = from.add({ [UNITS[every]]: index * interval })
      if ('until' in end && date.toString() > end.until) break
      if (!isPlannable(date.year)) return undefined
      dates.add(date.toString())
      if (dates.size > MAX_DATES || index > MAX_DATES) return undefined
    }
  }
  return dates.size > MAX_DATES ? undefined : [...dates].sort()
}

const EVERY = ['day', 'week', 'month'] as const
export const REPEATS = ['once', ...EVERY] as const

export const recurrenceValues = (first: string): FormValues => ({
  first,
  every: 'once',
  interval: '1',
  ends: 'times',
  times: '4',
  until: '',
  singles: '',
})

/** The dates of the form, or its errors. */
export function readDates(values: FormValues): { dates: string[]; faults: Fault[] } {
  const faults: Fault[] = []
  const first = fieldValue(values, 'first').trim()
  const every = fieldValue(values, 'every')
  const singles = fieldValue(values, 'singles')
    .split(/[\s,;]+/)
    .filter(Boolean)
  if (singles.some((text) => !readDate(text))) faults.push({ field: 'singles', code: 'unreadable' })
  if (first && !readDate(first)) faults.push({ field: 'first', code: 'unreadable' })
  if (!first && !singles.length) faults.push({ field: 'first', code: 'missing' })
  const rule = first && readDate(first) ? readRule(values, first, every, faults) : undefined
  if (faults.length) return { dates: [], faults }
  const dates = datesOf(rule ? [rule] : [], [...singles, ...(rule || !first ? [] : [first])])
  if (!dates) return { dates: [], faults: [{ field: 'times', code: 'too_many_dates' }] }
  return dates.length ? { dates, faults } : { dates, faults: [{ field: 'until', code: 'no_dates' }] }
}

function readRule(values: FormValues, first: string, every: string, faults: Fault[]): Recurrence | undefined {
  if (!(EVERY as readonly string[]).includes(every)) return undefined
  const interval = Number(fieldValue(values, 'interval').trim())
  if (!(Number.isInteger(interval) && interval >= 1 && interval <= 366)) faults.push({ field: 'interval', code: 'not_a_number' })
  if (fieldValue(values, 'ends') === 'until') {
    const until = fieldValue(values, 'until').trim()
    if (!readDate(until)) faults.push({ field: 'until', code: until ? 'unreadable' : 'missing' })
    return { first, every: every as Every, interval, end: { until } }
  }
  const times = Number(fieldValue(values, 'times').trim())
  if (!(Number.isInteger(times) && times >= 1)) faults.push({ field: 'times', code: 'not_a_number' })
  if (times > 100_000) faults.push({ field: 'times', code: 'too_many_dates' })
  return { first, every: every as Every, interval, end: { times } }
}
