import type { Shift } from '#features/events/events/rules/shifts.ts'
import type { Words } from '#platform/i18n/words.ts'

/** A table of more shifts shows them by days. */
const MAX_SHIFTS_TOGETHER = 8
export const ALL_DAYS = 'all'
/** A local date, and the start of its first shift. */
export type BoardDay = { date: string; start: Date }

/** The days of an event with many shifts, and the one to show. */
export function chooseDay(
  { words, now }: { words: Pick<Words, 'inputDate'>; now: Date },
  shifts: readonly Pick<Shift, 'start' | 'end'>[],
  wanted: string | undefined,
): { days: BoardDay[]; day: string } {
  const starts = new Map(shifts.toReversed().map(({ start }) => [words.inputDate(start), start]))
  const days = [...starts].map(([date, start]) => ({ date, start })).toReversed()
  if (shifts.length <= MAX_SHIFTS_TOGETHER || days.length < 2) return { days: [], day: ALL_DAYS }
  if (wanted !== undefined && (wanted === ALL_DAYS || starts.has(wanted))) return { days, day: wanted }
  const next = shifts.find(({ end }) => end >= now)
  return { days, day: next ? words.inputDate(next.start) : days[0]!.date }
}
