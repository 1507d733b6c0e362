import { z } from 'zod'
import { formIds } from '#platform/ui/form-schemas.ts'

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

export type QualificationRecord = z.infer<typeof qualificationRecord>

const text = z.string().refine((value) => !value.includes('\0'), 'form.invalid')
const id = z
  .string('form.missing')
  .regex(/^\d{1,15}$/, 'form.missing')
  .transform(Number)
const box = z
  .string()
  .optional()
  .transform((value) => value !== undefined)
const title = text.trim().min(1, 'qualification.title_missing').max(254, 'qualification.too_long')

export const qualificationForm = z.object({
  title,
  abbreviation: text.trim().max(254, 'qualification.too_long').default(''),
  category: id,
  includes: formIds,
  /** What the person saw when they began, as `seenOf` writes it. */
  seen: text.optional(),
})
export type QualificationForm = z.infer<typeof qualificationForm>

export const categoryForm = z.object({
  title,
  show_with_user: box,
  rank: z
    .string()
    .trim()
    .regex(/^-?\d{1,6}$/, 'qualification.rank_wrong')
    .default('0')
    .transform(Number),
})
export type CategoryForm = z.infer<typeof categoryForm>

export const deleteForm = z.object({
  keep_transitivity: box,
  move_to: z
    .string()
    .regex(/^\d{0,15}$/, 'form.invalid')
    .default('')
    .transform((value) => (value ? Number(value) : null)),
})

export const importForm = z.object({
  catalogue: text.max(200_000, 'qualification.import_large').default(''),
  chosen: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .transform((value) => [value ?? []].flat()),
  step: z.enum(['preview', 'import']),
})

export const nothing = z.object({})

const uuid = z.uuid().transform((value) => value.toLowerCase())
const foreign = z
  .string()
  .trim()
  .max(254)
  .refine((value) => !value.includes('\0'))

/** One entry of a catalogue that instances hand to each other. What else it may hold is left aside. */
const exchangedQualification = z.object({
  uuid,
  title: foreign.min(1),
  abbreviation: foreign.default(''),
  category: z.object({ uuid, title: foreign.min(1) }),
  includes: z.array(uuid).default([]),
  included_by: z.array(uuid).default([]),
})
export const exchangedCatalogue = z.array(exchangedQualification).min(1).max(2000)
