import { z } from 'zod'
import { formId, formText } from '#platform/ui/form-schemas.ts'

/** One shift for the person. `version`: of the participation that the page showed; empty: there was none. */
export const assignForm = z.object({
  shift: formId(),
  version: z
    .string()
    .regex(/^\d{0,15}$/, 'form.invalid')
    .transform((text) => (text ? Number(text) : null)),
  place: formText.optional(),
  reason: formText.optional(),
})
export type AssignForm = z.infer<typeof assignForm>

export const undoForm = z.object({ entry: formId(), back: z.string().max(1000).default('') })
