import { z } from 'zod'

/** The ids of copies, as ranges. */
export const copiesForm = z.object({ ids: z.string().max(20_000) })

/** The journal entry of a step on a series. */
export const stepForm = z.object({
  step: z
    .string()
    .regex(/^\d{1,15}$/, 'form.invalid')
    .transform(Number),
})
