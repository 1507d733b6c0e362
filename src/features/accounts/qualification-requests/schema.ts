import { z } from 'zod'
import { type FileType, MAX_PICTURE_BYTES, PICTURE_TYPES } from '#platform/files/file-types.ts'
import { uploadSchema } from '#platform/files/upload.ts'
import { readDay } from '#platform/i18n/days.ts'
import { readFieldDay } from '#platform/i18n/typed-dates.ts'
import { date, defineForm, file, select, textarea } from '#platform/ui/define-form.ts'
import { formId, formLines } from '#platform/ui/form-schemas.ts'

export const PROOF_TYPES: readonly FileType[] = ['application/pdf', ...PICTURE_TYPES]
export const MAX_PROOF_BYTES = MAX_PICTURE_BYTES
/** A sheet of paper stays readable. */
export const PROOF_PICTURE = { maxSide: 3000 }
const MAX_NOTE_LENGTH = 1000

const day = (missing: string) =>
  z
    .string()
    .default('')
    .refine((value) => readDay(value) !== undefined, missing)
const optionalDay = (invalid: string) =>
  z
    .string()
    .default('')
    .refine((value) => value === '' || readDay(value) !== undefined, invalid)
    .transform((value) => value || null)

export const askForm = defineForm({
  qualification: select({ label: 'qualreq.qualification', required: true, schema: formId('qualreq.qualification_missing') }),
  acquired: date({ label: 'qualreq.acquired', required: true, schema: day('qualreq.acquired_missing') }),
  expires: date({ label: 'qualreq.expires', help: 'qualreq.expires_help', schema: optionalDay('qualreq.expires_invalid') }),
  proof: file({
    label: 'qualreq.proof',
    help: 'qualreq.proof_help',
    required: true,
    schema: uploadSchema(PROOF_TYPES, {
      missing: 'qualreq.proof_missing',
      tooLarge: 'qualreq.proof_large',
      wrongType: 'qualreq.proof_type',
    }),
  }),
  note: textarea({
    label: 'qualreq.note',
    rows: 2,
    attributes: { maxlength: MAX_NOTE_LENGTH },
    schema: formLines.refine((value) => value.length <= MAX_NOTE_LENGTH, 'qualreq.note_long').default(''),
  }),
})
export type AskForm = z.infer<typeof askForm.schema>

const EXPIRIES = ['never', 'date', 'months'] as const
const MAX_MONTHS = 600

/** A section of the event form; absent for people who may not change it. */
export const eventQualificationSection = z
  .object({
    auto_qualification: z
      .string()
      .regex(/^\d{0,15}$/, 'form.invalid')
      .default(''),
    auto_mode: z.enum(['any', 'every', 'last']).default('any'),
    auto_recipients: z.enum(['all', 'lacking', 'holding']).default('all'),
    auto_expiry: z.enum(EXPIRIES).default('never'),
    auto_expires_on: z
      .string()
      .default('')
      .transform((value) => readFieldDay(value) ?? value),
    auto_valid_months: z.string().default(''),
    auto_needs_decision: z.string().optional(),
  })
  .superRefine((form, context) => {
    if (form.auto_qualification === '') return
    if (form.auto_expiry === 'date' && readDay(form.auto_expires_on) === undefined)
      context.addIssue({ code: 'custom', path: ['auto_expires_on'], message: 'qualreq.auto_date_missing' })
    if (form.auto_expiry === 'months' && !isMonths(form.auto_valid_months))
      context.addIssue({ code: 'custom', path: ['auto_valid_months'], message: 'qualreq.auto_months_invalid' })
  })
export type EventQualificationForm = z.infer<typeof eventQualificationSection>

const isMonths = (text: string): boolean => /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_MONTHS
