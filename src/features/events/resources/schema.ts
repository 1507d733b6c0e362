import { z } from 'zod'
import { checkboxes, defineForm, hidden, select, text } from '#platform/ui/define-form.ts'
import { formId, formLine } from '#platform/ui/form-schemas.ts'

export const resourceCategoryRecord = z
  .strictObject({ id: z.int(), name: z.string() })
  .meta({ id: 'ResourceCategory', examples: [{ id: 2, name: 'Vehicles' }] })

export const resourceRecord = z
  .strictObject({ id: z.int(), title: z.string(), category: resourceCategoryRecord })
  .meta({ id: 'Resource', examples: [{ id: 5, title: 'Ambulance 1', category: { id: 2, name: 'Vehicles' } }] })

const name = (max: number) => formLine.min(1, 'resources.name_missing').max(max, 'resources.name_long').default('')
const version = hidden(
  z
    .string()
    .regex(/^\d{0,9}$/, 'form.invalid')
    .default('0')
    .transform(Number),
)

export const categoryForm = defineForm({
  name: text({
    label: 'resources.category_name',
    help: 'resources.category_help',
    required: true,
    attributes: { maxlength: 50 },
    schema: name(50),
  }),
  version,
})
export type CategoryForm = z.infer<typeof categoryForm.schema>

export const resourceForm = defineForm({
  title: text({ label: 'resources.name', required: true, attributes: { maxlength: 100 }, schema: name(100) }),
  category: select({ label: 'resources.category', required: true, schema: formId('resources.category_missing') }),
  version,
})
export type ResourceForm = z.infer<typeof resourceForm.schema>

export const allocationForm = defineForm({
  resources: checkboxes({ label: 'resources.list' }),
})
