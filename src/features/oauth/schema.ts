import { z } from 'zod'
import { judgeOrigin, judgeRedirectUri, splitLines } from './rules/addresses.ts'
import { OFFERED_SCOPES } from './rules/scopes.ts'

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

const lines = text.max(LONGEST_LIST, 'form.invalid').transform(splitLines)

/** Addresses are judged by the rules; their mistakes name the address, which a message of a schema cannot. */
export const applicationForm = z.object({
  name: text.trim().min(1, 'oauth.name_missing').max(LONGEST_NAME, 'oauth.name_long'),
  redirect_uris: lines
    .refine((list) => list.length > 0, 'oauth.redirect_missing')
    .refine((list) => list.length <= MOST_ADDRESSES, 'oauth.bad_too_many'),
  allowed_scopes: z
    .union([z.string(), z.array(z.string())], 'oauth.scopes_missing')
    .transform((value) => [value].flat())
    .pipe(z.array(z.enum(OFFERED_SCOPES)).min(1, 'oauth.scopes_missing')),
  allowed_origins: lines.refine((list) => list.length <= MOST_ADDRESSES, 'oauth.bad_too_many').default([]),
  require_pkce: box,
  trusted: box,
})
export type ApplicationForm = z.infer<typeof applicationForm>

/** The first bad address of each field, with what is wrong about it. */
export function badAddresses(form: Pick<ApplicationForm, 'redirect_uris' | 'allowed_origins'>) {
  const first = (field: 'redirect_uris' | 'allowed_origins', judge: typeof judgeOrigin) => {
    for (const address of form[field]) {
      const reason = judge(address)
      if (reason) return [{ field, address, reason }]
    }
    return []
  }
  return [...first('redirect_uris', judgeRedirectUri), ...first('allowed_origins', judgeOrigin)]
}
