import { z } from 'zod'

// PostgreSQL keeps no null characters.
const text = z.string().refine((value) => !value.includes('\0'), 'form.invalid')

/** A form whose rows come and go: what it means is read by rules, which know all of it. */
export const planForm = z.record(z.string(), z.union([text, z.array(text)]))

export const cancelForm = z.object({
  reason: text
    .transform((value) => value.replaceAll('\r\n', '\n').trim())
    .refine((value) => value !== '', 'form.missing')
    .refine((value) => [...value].length <= 1000, 'plan.fault.too_long'),
})
