import type { Words } from '#platform/i18n/words.ts'

type Times = { start: Date; end: Date }
type Clock = Pick<Words, 'inputDate'>

const lastDay = ({ end }: Times, words: Clock): string => words.inputDate(new Date(end.getTime() - 1))

/** Shifts that take place on the day, also those that began the day before. */
export const shiftsOfDay = <Shift extends Times>(shifts: readonly Shift[], day: string, words: Clock): Shift[] =>
  shifts.filter((shift) => words.inputDate(shift.start) <= day && day <= lastDay(shift, words))

/** The day that the page shows: the wanted one, or today, or the next one with shifts, or the last. */
export function pickDay(shifts: readonly Times[], wanted: string | null, now: Date, words: Clock): string {
  if (wanted !== null && shiftsOfDay(shifts, wanted, words).length) return wanted
  const today = words.inputDate(now)
  if (shiftsOfDay(shifts, today, words).length) return today
  const days = shifts.map(({ start }) => words.inputDate(start)).sort()
  return days.find((day) => day > today) ?? days.at(-1) ?? today
}
