import { z } from 'zod'
import { readTypedTime } from '#platform/i18n/typed-dates.ts'
import { SINGLE_LINE } from '#platform/single-line.ts'

/** For pages whose form is one button. */
export const emptyForm = z.object({})

/** PostgreSQL stores no null characters. */
export const formText = z.string().refine((value) => !value.includes('\0'), 'form.invalid')

/** One line without control characters. */
export const formLine = z
  .string()
  .trim()
  .regex(SINGLE_LINE, 'form.one_line')
  .refine((value) => value.isWellFormed(), 'form.invalid')

/** Judges a field of one line before its own schema does, which may read anything from the text. */
export function inOneLine<Schema extends z.ZodType>(schema: Schema): Schema {
  const checked = z.preprocess((value, context) => {
    if (typeof value === 'string' && !SINGLE_LINE.test(value.trim())) {
      context.issues.push({ code: 'custom', message: 'form.one_line', input: value })
      return z.NEVER
    }
    return value
  }, schema)
  return checked as unknown as Schema
}

/** A time of day that begins a minute of this day, not the end of it. */
export const isTimeOfDay = (text: string): boolean => /^([01]\d|2[0-3]):[0-5]\d$/.test(text)

/** A time of day as browsers or people write it, as `HH:MM`; empty if nothing was typed. */
export const formTime = z
  .string()
  .trim()
  .transform((text) => readTypedTime(text) ?? text)
  .refine((text) => text === '' || isTimeOfDay(text), 'form.time_unreadable')

/** A checkbox is sent only if it is ticked. */
export const formCheckbox = z.preprocess((value) => value !== undefined, z.boolean())

/** Checkboxes of one name: none, one or several. */
export const formTexts = z.preprocess(
  (value) => (value === undefined ? [] : [value].flat()),
  z.array(z.string()).max(2_000, 'form.invalid'),
)

/** Checkboxes whose values are ids, each once. */
export const formIds = formTexts
  .transform((values) => [...new Set(values)])
  .pipe(
    z.array(
      z
        .string()
        .regex(/^\d{1,15}$/, 'form.invalid')
        .transform(Number),
    ),
  )

/** A select whose values are ids. */
export const formId = (missing: string = 'form.missing') =>
  z
    .string(missing)
    .regex(/^\d{1,15}$/, missing)
    .transform(Number)

/** A text of several lines: trimmed, with `\n` as the line break. */
export const formLines = formText.transform((value) => value.replaceAll('\r\n', '\n').trim())
