import { type Fault, type FormValues, one } from './form-values.ts'
import { datesOf, type Every, type Recurrence } from './recurrence.ts'
import { readDate } from './shift-times.ts'

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

/** The days that a form asks for; faults say what cannot be read. */
export function readDates(values: FormValues): { dates: string[]; faults: Fault[] } {
  const faults: Fault[] = []
  const first = one(values, 'first').trim()
  const every = one(values, 'every')
  const singles = one(values, 'singles')
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
  const interval = Number(one(values, 'interval').trim())
  if (!(Number.isInteger(interval) && interval >= 1 && interval <= 366)) faults.push({ field: 'interval', code: 'not_a_number' })
  if (one(values, 'ends') === 'until') {
    const until = one(values, 'until').trim()
    if (!readDate(until)) faults.push({ field: 'until', code: until ? 'unreadable' : 'missing' })
    return { first, every: every as Every, interval, end: { until } }
  }
  const times = Number(one(values, 'times').trim())
  if (!(Number.isInteger(times) && times >= 1)) faults.push({ field: 'times', code: 'not_a_number' })
  if (times > 100_000) faults.push({ field: 'times', code: 'too_many_dates' })
  return { first, every: every as Every, interval, end: { times } }
}
