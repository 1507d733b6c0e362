import { z } from 'zod'

/** Boxes of one name in a form: none, one or many numbers, each once. */
export const formIds = z
  .union([z.string(), z.array(z.string())])
  .optional()
  .transform((value) => [...new Set([value ?? []].flat())])
  .pipe(
    z.array(
      z
        .string()
        .regex(/^\d{1,15}$/, 'form.invalid')
        .transform(Number),
    ),
  )
