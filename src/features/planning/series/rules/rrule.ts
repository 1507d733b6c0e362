import { Temporal } from 'temporal-polyfill'
import { readDate } from '#features/planning/shift-forms/rules/shift-times.ts'
import { type Every, nthOfMonth, type Recurrence } from './recurrence.ts'

const FREQUENCIES: Record<Every, string> = { day: 'DAILY', week: 'WEEKLY', month: 'MONTHLY', year: 'YEARLY' }
const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
const weekdayName = (weekday: number): string => WEEKDAYS[weekday - 1]!

/**
 * The rule as RFC 5545 writes it, for a start that is a date. Days that shorter months do not have become their last day, so the rule
 * names the days from the 28th on and takes the last of them.
 */
export function writeRrule({ first: text, every, interval, weekdays, on = 'day', end }: Recurrence): string {
  const first = Temporal.PlainDate.from(text)
  const parts = [`FREQ=${FREQUENCIES[every]}`]
  if (interval > 1) parts.push(`INTERVAL=${interval}`)
  if (every === 'week') {
    const chosen = weekdays?.length ? weekdays : [first.dayOfWeek]
    const days = [...new Set(chosen)].sort((a, b) => a - b)
    parts.push(`BYDAY=${days.map(weekdayName)}`, 'WKST=MO')
  }
  if (every === 'year') parts.push(`BYMONTH=${first.month}`)
  if (every === 'month' || every === 'year') {
    if (on === 'weekday') parts.push(`BYDAY=${nthOfMonth(first)}${weekdayName(first.dayOfWeek)}`)
    if (on === 'last_weekday') parts.push(`BYDAY=-1${weekdayName(first.dayOfWeek)}`)
    if (on === 'day') {
      const days = Array.from({ length: Math.max(first.day - 27, 1) }, (_, index) => Math.min(28, first.day) + index)
      parts.push(`BYMONTHDAY=${days}`, ...(days.length > 1 ? ['BYSETPOS=-1'] : []))
    }
  }
  parts.push('times' in end ? `COUNT=${end.times}` : `UNTIL=${end.until.replaceAll('-', '')}`)
  return parts.join(';')
}

/** Reads what `writeRrule` wrote; undefined for other rules. */
export function readRrule(first: string, text: string): Recurrence | undefined {
  const parts = new Map(text.split(';').map((part) => part.split('=') as [string, string]))
  const every = (Object.keys(FREQUENCIES) as Every[]).find((name) => FREQUENCIES[name] === parts.get('FREQ'))
  if (!every) return undefined
  const until = parts.get('UNTIL')?.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')
  const times = Number(parts.get('COUNT'))
  if (until === undefined ? !(times >= 1) : !readDate(until)) return undefined
  const days = parts.get('BYDAY') ?? ''
  const on = days.startsWith('-1') ? 'last_weekday' : days ? 'weekday' : 'day'
  const rule: Recurrence = {
    first,
    every,
    interval: Number(parts.get('INTERVAL') ?? 1),
    ...(every === 'week' ? { weekdays: days.split(',').map((name) => WEEKDAYS.indexOf(name) + 1) } : {}),
    ...(every === 'month' || every === 'year' ? { on } : {}),
    end: until === undefined ? { times } : { until },
  }
  return writeRrule(rule) === text ? rule : undefined
}
