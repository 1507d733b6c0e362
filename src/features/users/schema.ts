import { z } from 'zod'
import { qualificationRecord } from '#features/qualifications/schema.ts'
import { searchParameter } from '#platform/http/parameter-kinds.ts'
import { LANGUAGES } from '#platform/i18n/catalogue.ts'

export const userRecord = z
  .strictObject({
    id: z.int(),
    display_name: z.string(),
    date_of_birth: z.iso.date().nullable(),
    email: z.string(),
    qualifications: z.array(qualificationRecord).describe('Granted and not expired'),
  })
  .meta({
    id: 'UserProfile',
    examples: [{ id: 7, display_name: 'Ben', date_of_birth: '1995-02-03', email: 'ben@turnout.example', qualifications: [] }],
  })

export const userParameters = { search: searchParameter('name or e-mail address') }

export const languageForm = z.object({ language: z.enum(LANGUAGES, 'form.invalid') })

const LONGEST_LINE = 254
/** PostgreSQL rejects NUL characters. */
const line = z
  .string()
  .trim()
  .max(LONGEST_LINE, 'people.too_long')
  .refine((text) => !/\p{Cc}/u.test(text) && text.isWellFormed(), 'form.invalid')
const isDay = (text: string): boolean => z.iso.date().safeParse(text).success
const emptyAsNull = (text: string): string | null => text || null
/** Boxes of one name: none, one or several. */
const several = z.preprocess(
  (value) => (value === undefined ? [] : [value].flat()),
  z.array(z.string()).max(2_000, 'form.invalid'),
)
const ids = several.transform((texts, context) => {
  if (texts.every((text) => /^\d{1,15}$/.test(text))) return [...new Set(texts.map(Number))]
  context.addIssue({ code: 'custom', message: 'form.invalid' })
  return z.NEVER
})
const box = z.preprocess((value) => value !== undefined, z.boolean())

export const personForm = z.object({
  name: line.min(1, 'people.name_missing'),
  email: line.min(1, 'people.email_missing').regex(/^[^\s@]+@[^\s@]+$/u, 'people.email_invalid'),
  date_of_birth: line
    .default('')
    .refine((text) => !text || (isDay(text) && text >= '1900-01-01'), 'people.day_invalid')
    .transform(emptyAsNull),
  phone: line.default('').transform(emptyAsNull),
  language: z.enum(LANGUAGES, 'form.invalid'),
  groups: ids,
  is_staff: box,
  is_visible: box,
})
export type PersonForm = z.infer<typeof personForm>

const day = line
  .default('')
  .refine((text) => !text || isDay(text), 'people.day_invalid')
  .transform(emptyAsNull)
const id = z
  .string('form.missing')
  .regex(/^\d{1,15}$/, 'form.missing')
  .transform(Number)
export const grantForm = z.object({ qualification: id, until: day })
export const withdrawForm = z.object({ qualification: id })

export const groupForm = z.object({
  name: line.min(1, 'groups.name_missing').max(150, 'groups.name_long'),
  bundles: several,
  publish_for: ids,
  decide_hours_for: ids,
})
export type GroupForm = z.infer<typeof groupForm>
export const memberForm = z.object({ people: ids })
