import type { Span } from '#platform/time-span.ts'

/** How a shift lies in one day: where it begins there, where it only ends, or all of it. */
export type PartOfDay = 'starts' | 'ends' | 'whole'
export type DayEntry<T> = { item: T; part: PartOfDay }
/** A day by its name, with the moments between which it lies. */
export type DaySpan = Span & { day: string }
export type CalendarDay<T> = DaySpan & { entries: DayEntry<T>[]; hidden: number }

/**
 * Every shift on each of the days that it touches, for days that follow each other. Whoever ends at midnight does not
 * touch the next day. At most `most` a day, of which those that matter to the reader come first; all stay in order.
 */
export function spreadOverDays<T extends Span>(
  items: readonly T[],
  days: readonly DaySpan[],
  { most, matters }: { most: number; matters: (item: T) => boolean },
): CalendarDay<T>[] {
  return days.map((day) => {
    const { start, end } = day
    const here = items.filter((item) => item.start < end && item.end > start)
    // One more is as long as the line that would tell about it.
    const shown = here.length <= most ? here : chosen(here, most, matters)
    const entries = shown.map((item) => ({ item, part: partOf(item, start, end) }))
    return { ...day, entries, hidden: here.length - shown.length }
  })
}

function chosen<T>(items: readonly T[], most: number, matters: (item: T) => boolean): T[] {
  const first = [...items.filter(matters), ...items.filter((item) => !matters(item))].slice(0, most)
  return items.filter((item) => first.includes(item))
}

function partOf(item: Span, start: Date, end: Date): PartOfDay {
  if (item.start >= start) return 'starts'
  return item.end <= end ? 'ends' : 'whole'
}
