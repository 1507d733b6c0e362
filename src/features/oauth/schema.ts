import { z } from 'zod'

export const nothing = z.object({})

export const consentForm = z.object({ decision: z.enum(['allow', 'deny']) })

const LONGEST_NAME = 255
const LONGEST_LIST = 20_000
const MOST_ADDRESSES = 50

const text = z.string().refine((value) => !value.includes('\0'), 'form.invalid')
const box = z
  .string()
  .optional()
  .transform((value) => value !== undefined)

/** One a line; blank lines and the blanks around an address mean nothing. */
const lines = text.max(LONGEST_LIST, 'form.invalid').transform((value) => [...new Set(value.split(/\s+/).filter(Boolean))])

/** Addresses and scopes are judged by the rules, which name the one that is wrong. */
export const applicationForm = z.object({
  name: text.trim().min(1, 'oauth.name_missing').max(LONGEST_NAME, 'oauth.name_long'),
  redirect_uris: lines
    .refine((list) => list.length > 0, 'oauth.redirect_missing')
    .refine((list) => list.length <= MOST_ADDRESSES, 'oauth.bad_too_many'),
  allowed_scopes: z
    .union([z.string(), z.array(z.string())], 'oauth.scopes_missing')
    .transform((value) => [value].flat())
    .pipe(z.array(text).min(1, 'oauth.scopes_missing')),
  allowed_origins: lines.refine((list) => list.length <= MOST_ADDRESSES, 'oauth.bad_too_many').default([]),
  require_pkce: box,
  trusted: box,
})
export type ApplicationForm = z.infer<typeof applicationForm>
