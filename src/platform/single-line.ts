import { z } from 'zod'

/** Without control characters and line breaks: titles, names and labels stand in lists, mails and calendars, one line each. */
export const SINGLE_LINE = /^[^\p{Cc}\p{Zl}\p{Zp}]*$/u

/** A text of one line in a body of the API, without blanks around it. */
export const bodyLine = z.string().trim().regex(SINGLE_LINE)

/** What browsers do with line breaks in a field of one line. */
export const toSingleLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
