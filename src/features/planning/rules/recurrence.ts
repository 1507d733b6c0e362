import { Temporal } from 'temporal-polyfill'

export const MOST_DATES = 1000

export type Every = 'day' | 'week' | 'month'
/** `times` counts the first date, too. */
export type Recurrence = { first: string; every: Every; interval: number; end: { times: number } | { until: string } }

const UNITS = { day: 'days', week: 'weeks', month: 'months' } as const

/**
 * Days of the calendar in order, each once; undefined when there are more than anybody wants. Each is counted from the first, so
 * that the 31st of a month becomes the last of a shorter one and is the 31st again in the next.
 */
export function datesOf(rules: readonly Recurrence[], singles: readonly string[]): string[] | undefined {
  const dates = new Set(singles)
  for (const { first, every, interval, end } of rules) {
    const from = Temporal.PlainDate.from(first)
    for (let index = 0; ; index++) {
      if ('times' in end && index >= end.times) break
      const date = from.add({ [UNITS[every]]: index * interval })
      if ('until' in end && date.toString() > end.until) break
      dates.add(date.toString())
      if (dates.size > MOST_DATES || index > MOST_DATES) return undefined
    }
  }
  return dates.size > MOST_DATES ? undefined : [...dates].sort()
}
