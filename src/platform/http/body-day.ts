import { z } from 'zod'
import { readDay } from '#platform/i18n/days.ts'

/** The rule that a day breaks; the texts of errors are in `body.ts`. */
export const YEARS_RULE = 'years'

/** A day in a body of the API: what databases and calendars can hold. */
export const bodyDay = z.iso.date().refine((text) => readDay(text) !== undefined, { params: { rule: YEARS_RULE } })
