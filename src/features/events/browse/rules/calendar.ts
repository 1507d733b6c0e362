import type { Span } from '#platform/time-span.ts'

/** The shift starts on the day, ends on it, or covers all of it. */
type PartOfDay = 'starts' | 'ends' | 'whole'
export type DayEntry<T> = { item: T; part: PartOfDay }
/** A day with its first instant and the first instant after it. */
type DaySpan = Span & { day: string }
export type CalendarDay<T> = DaySpan & { entries: DayEntry<T>[]; hidden: number }

/**
 * Puts every shift on each day it touches; a shift that ends at midnight does not touch the next day. Keeps at most `most` per
 * day, those that matter to the reader first, in the given order.
 */
export function spreadOverDays<T extends Span>(
  items: readonly T[],
  days: readonly DaySpan[],
  { most, matters }: { most: number; matters: (item: T) => boolean },
): CalendarDay<T>[] {
  // A month compares each shift with each day, and numbers are compared faster than dates.
  const times = items.map((item) => ({ item, from: item.start.getTime(), until: item.end.getTime() }))
  return days.map((day) => {
    const { start, end } = day
    const [from, until] = [start.getTime(), end.getTime()]
    const here = times.filter((each) => each.from < until && each.until > from).map(({ item }) => item)
    const shown = choose(here, most, matters)
    const entries = shown.map((item) => ({ item, part: partOf(item, start, end) }))
    return { ...day, entries, hidden: here.length - shown.length }
  })
}

function choose<T>(items: readonly T[], most: number, matters: (item: T) => boolean): T[] {
  const first = [...items.filter(matters), ...items.filter((item) => !matters(item))].slice(0, most)
  return items.filter((item) => first.includes(item))
}

function partOf(item: Span, start: Date, end: Date): PartOfDay {
  if (item.start >= start) return 'starts'
  return item.end <= end ? 'ends' : 'whole'
}
