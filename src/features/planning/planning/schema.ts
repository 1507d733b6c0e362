import { z } from 'zod'
import { defineForm, textarea } from '#platform/ui/define-form.ts'
import { formLines, formText } from '#platform/ui/form-schemas.ts'

/** Event and shift forms have any number of rows, so the rules read their values. */
export const planForm = z.record(z.string(), z.union([formText, z.array(formText)]))

/** Names the step that is taken back. */
export const undoForm = z.object({
  step: z
    .string()
    .regex(/^\d{1,15}$/, 'form.invalid')
    // Access is checked before what was sent.
    .default('0')
    .transform(Number),
})

export const MAX_REASON_LENGTH = 1000

const reason = (help: 'plan.reason_help' | 'plan.shift_reason_help') =>
  textarea({
    label: 'plan.reason',
    help,
    required: true,
    rows: 3,
    max: MAX_REASON_LENGTH,
    schema: formLines
      .refine((value) => value !== '', 'form.missing')
      .refine((value) => [...value].length <= MAX_REASON_LENGTH, 'plan.fault.too_long'),
  })

export const cancelForm = defineForm({ reason: reason('plan.reason_help') })
export const cancelShiftForm = defineForm({ reason: reason('plan.shift_reason_help') })
