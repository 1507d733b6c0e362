import { z } from 'zod'

export const undoForm = z.object({
  step: z
    .string()
    .regex(/^\d{1,15}$/, 'form.invalid')
    // Access is checked before what was sent.
    .default('0')
    .transform(Number),
})
