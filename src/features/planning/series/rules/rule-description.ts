import { Temporal } from 'temporal-polyfill'
import { type Every, nthOfMonth, type Recurrence } from './recurrence.ts'

type RuleDescription = {
  every: Every
  interval: number
  weekdays: number[]
  day: number
  month: number
  /** Undefined: on the day of the month. */
  nth: 1 | 2 | 3 | 4 | 5 | 'last' | undefined
}

/** What is needed to put a rule into words. */
export function describeRule({ first: text, every, interval, weekdays, on = 'day' }: Recurrence): RuleDescription {
  const first = Temporal.PlainDate.from(text)
  const chosen = every === 'week' && weekdays?.length ? [...new Set(weekdays)].sort((a, b) => a - b) : [first.dayOfWeek]
  const nth = on === 'day' ? undefined : on === 'last_weekday' ? 'last' : (nthOfMonth(first) as 1 | 2 | 3 | 4 | 5)
  return { every, interval, weekdays: chosen, day: first.day, month: first.month, nth }
}
