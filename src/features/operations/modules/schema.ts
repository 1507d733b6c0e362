import { z } from 'zod'
import { ORGANISATIONS } from '#platform/features/modules.ts'
import { checkboxes, defineForm, hidden } from '#platform/ui/define-form.ts'
import { formTexts } from '#platform/ui/form-schemas.ts'

/** `modules`: names, separated by spaces. `undo`: takes back an earlier switch, so the answer offers none. */
export const switchForm = z.object({
  modules: z.string().default(''),
  to: z.enum(['on', 'off']),
  undo: z.literal('1').optional(),
})

export const startForm = defineForm({
  kind: hidden(z.enum(ORGANISATIONS)),
  modules: checkboxes({ label: 'modules.preview_form', schema: formTexts }),
})
