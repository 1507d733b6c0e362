import { z } from 'zod'
import { validUntil } from '#features/accounts/users/schema.ts'
import { defineForm, select } from '#platform/ui/define-form.ts'
import { formCheckbox, formIds } from '#platform/ui/form-schemas.ts'
import { ACTION_KINDS } from './rules.ts'

/** `all`: everybody whom the filter of the page finds, instead of those who are ticked. */
export const selectionForm = z.object({
  people: formIds,
  all: formCheckbox,
  kind: z.enum([...ACTION_KINDS, 'export'], 'people_actions.kind_missing'),
})

const optionalId = z
  .string()
  .default('')
  .refine((value) => /^\d{0,15}$/.test(value), 'form.invalid')
  .transform((value) => (value ? Number(value) : null))

/** What an action needs to know besides the people; the kind of the action decides which fields are shown. */
export const detailsForm = defineForm({
  group: select({ label: 'people_actions.group', required: true, schema: optionalId }),
  qualification: select({ label: 'people.qualification', required: true, schema: optionalId }),
  until: validUntil,
})
export type ActionDetails = z.infer<typeof detailsForm.schema>
