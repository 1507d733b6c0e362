import { z } from 'zod'

/** `checkToken` checks the values; the form only lists the fields. */
export const newTokenForm = z.object({
  description: z
    .string()
    .max(10_000, 'token.long_description')
    .refine((text) => !text.includes('\0'), 'form.invalid'),
  scope: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .transform((scopes) => (scopes === undefined ? [] : [scopes].flat())),
  /** A number of days, or `date`. */
  lifetime: z.string().max(20, 'form.invalid'),
  date: z.string().max(20, 'form.invalid').default(''),
})
export type NewTokenForm = z.infer<typeof newTokenForm>

export const TOKEN_MAIL_TASK = 'token_expiry_mail'
export const tokenMail = z.object({ tokenId: z.int() })
