import { z } from 'zod'

/** Until 1972, some zones had offsets with seconds, which RFC 3339 cannot write. */
const FIRST_YEAR = 1973
const LAST_YEAR = 9998

/** A text that is no time has its error already. */
function hasPossibleYear(text: string): boolean {
  const year = new Date(text).getUTCFullYear()
  return Number.isNaN(year) || (year >= FIRST_YEAR && year <= LAST_YEAR)
}

/** A moment in the body of a write, with an offset. */
export const bodyTime = z.iso.datetime({ offset: true }).check(({ value, issues }) => {
  if (!hasPossibleYear(value)) issues.push({ code: 'invalid_format', format: 'datetime', input: value })
})

/** A day in the body of a write, of which answers write a moment. */
export const bodyDay = z.iso.date().check(({ value, issues }) => {
  if (!hasPossibleYear(value)) issues.push({ code: 'invalid_format', format: 'date', input: value })
})
