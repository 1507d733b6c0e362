import { z } from 'zod'
import { checkbox, checkboxes, defineForm, hidden, number, select, text, textarea } from '#platform/ui/define-form.ts'
import { formId, formText, formTexts } from '#platform/ui/form-schemas.ts'

export const qualificationRecord = z
  .strictObject({
    uuid: z.uuid(),
    title: z.string(),
    abbreviation: z.string(),
    category: z.uuid().describe('Of the category'),
    includes: z.array(z.uuid()).describe('Everything that it includes, also through others; not itself'),
  })
  .meta({
    id: 'Qualification',
    examples: [
      {
        uuid: '8d0c1b0e-3a52-4f4b-9f0b-1f2f3f4f5f60',
        title: 'First aid',
        abbreviation: 'FA',
        category: '1c4f7a2e-5b60-4d3c-8e9f-0a1b2c3d4e5f',
        includes: [],
      },
    ],
  })

const catalogueExample = {
  id: 4,
  uuid: '8d0c1b0e-3a52-4f4b-9f0b-1f2f3f4f5f60',
  title: 'First aid',
  abbreviation: 'FA',
  category: '1c4f7a2e-5b60-4d3c-8e9f-0a1b2c3d4e5f',
  includes: [],
  category_id: 1,
  direct_includes: [],
  valid_months: 24,
}

const MAX_MONTHS = 600
export const validMonths = z.int().min(1).max(MAX_MONTHS)

/** The catalogue of qualifications: the record that people have, and the ids. */
export const catalogueRecord = z
  .strictObject({
    id: z.int(),
    ...qualificationRecord.shape,
    category_id: z.int(),
    direct_includes: z.array(z.int()).describe('Ids of the qualifications that it includes directly'),
    valid_months: validMonths.nullable().describe('For how many months it usually counts; null: without an end'),
  })
  .meta({ id: 'CatalogueQualification', examples: [catalogueExample] })

export const qualificationCategoryRecord = z
  .strictObject({
    id: z.int(),
    uuid: z.uuid(),
    title: z.string(),
    show_with_user: z.boolean().describe('Whether its qualifications are shown next to names'),
    rank: z.int().describe('Order on pages; equal ranks by title'),
  })
  .meta({
    id: 'QualificationCategory',
    examples: [{ id: 1, uuid: '1c4f7a2e-5b60-4d3c-8e9f-0a1b2c3d4e5f', title: 'Medical', show_with_user: true, rank: 0 }],
  })

export type QualificationRecord = z.infer<typeof qualificationRecord>

const TEXT_LIMITS = { max: 254, tooLong: 'qualification.too_long' } as const
const title = text({ label: 'qualification.title', required: 'qualification.title_missing', ...TEXT_LIMITS })

export const qualificationForm = defineForm({
  /** The state with which the form was loaded, from `formStateOf`. */
  seen: hidden(formText.optional()),
  title,
  abbreviation: text({ label: 'qualification.abbreviation', help: 'qualification.abbreviation_help', ...TEXT_LIMITS }),
  category: select({ label: 'qualification.category', required: true, schema: formId() }),
  valid_months: number({
    label: 'qualification.valid_months',
    help: 'qualification.valid_months_help',
    attributes: { min: 1, max: MAX_MONTHS },
    schema: z
      .string()
      .trim()
      .regex(/^([1-9]\d{0,2})?$/, 'qualification.valid_months_wrong')
      .default('')
      .transform((value) => (value ? Number(value) : null))
      .refine((value) => value === null || value <= MAX_MONTHS, 'qualification.valid_months_wrong'),
  }),
  includes: checkboxes({ label: 'qualification.includes', help: 'qualification.includes_help' }),
})
export type QualificationForm = z.infer<typeof qualificationForm.schema>

export const categoryForm = defineForm({
  title,
  show_with_user: checkbox({ label: 'qualification.show_with_user', help: 'qualification.show_with_user_help' }),
  rank: number({
    label: 'qualification.rank',
    help: 'qualification.rank_help',
    schema: z
      .string()
      .trim()
      .regex(/^-?\d{1,6}$/, 'qualification.rank_wrong')
      .default('0')
      .transform(Number),
  }),
})
export type CategoryForm = z.infer<typeof categoryForm.schema>

export const deleteForm = defineForm({
  keep_transitivity: checkbox({ label: 'qualification.keep' }),
  move_to: select({
    label: 'qualification.move_to',
    help: 'qualification.move_help',
    placeholder: 'qualification.move_none',
    schema: z
      .string()
      .regex(/^\d{0,15}$/, 'form.invalid')
      .default('')
      .transform((value) => (value ? Number(value) : null)),
  }),
})

export const importForm = defineForm({
  step: hidden(z.enum(['preview', 'import'])),
  catalogue: textarea({
    label: 'qualification.import_text',
    help: 'qualification.import_help',
    rows: 10,
    required: true,
    attributes: { spellcheck: 'false', autocapitalize: 'none', autocomplete: 'off' },
    schema: formText.max(200_000, 'qualification.import_large').default(''),
  }),
  chosen: checkboxes({ label: 'qualification.import_choose', help: 'qualification.import_choose_help', schema: formTexts }),
})

const uuid = z.uuid().transform((value) => value.toLowerCase())
const foreign = z
  .string()
  .trim()
  .max(254)
  .refine((value) => !value.includes('\0'))

/** One entry of an exported catalogue. Unknown fields are ignored. */
const exchangedQualification = z.object({
  uuid,
  title: foreign.min(1),
  abbreviation: foreign.default(''),
  category: z.object({ uuid, title: foreign.min(1) }),
  includes: z.array(uuid).default([]),
  included_by: z.array(uuid).default([]),
  /** Catalogues of other systems have none: the period that is known here stays. */
  valid_months: validMonths.nullable().optional(),
})
export const exchangedCatalogue = z.array(exchangedQualification).min(1).max(2000)
