import { z } from 'zod'

/**
 * Without control characters and line breaks: titles, names and labels stand in lists, mails and calendars, one line each. Code points
 * instead of classes such as \p{Cc}: the pattern is part of the OpenAPI document, and not every engine knows classes.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it refuses
export const SINGLE_LINE = /^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$/

/** A text of one line in a body of the API, without blanks around it. */
export const bodyLine = z.string().trim().regex(SINGLE_LINE)

/** What browsers do with line breaks in a field of one line. */
export const toSingleLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
