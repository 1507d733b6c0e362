import { z } from 'zod'
import { MAX_PASSWORD_LENGTH } from '#platform/auth/passwords.ts'

const MAX_LINE_LENGTH = 1_000

/** PostgreSQL rejects NUL characters. */
const line = z
  .string()
  .trim()
  .max(MAX_LINE_LENGTH, 'form.invalid')
  .refine((text) => !text.includes('\0'), 'form.invalid')

export const signInForm = z.object({
  email: line.min(1, 'sign_in.email_missing'),
  // Refused here, before anything is counted, queried or hashed.
  password: z.string().min(1, 'sign_in.password_missing').max(MAX_PASSWORD_LENGTH, 'sign_in.password_long'),
})
export type SignInForm = z.infer<typeof signInForm>

/** `checkAdministrator` checks the values; the form only lists the fields. */
export const firstAdministratorForm = z.object({
  name: line,
  email: line,
  password: z.string().max(MAX_PASSWORD_LENGTH, 'sign_in.password_long'),
  password_again: z.string().max(MAX_PASSWORD_LENGTH, 'sign_in.password_long'),
})
export type FirstAdministratorForm = z.infer<typeof firstAdministratorForm>

const newPassword = z.string().min(1, 'sign_in.password_missing').max(MAX_PASSWORD_LENGTH, 'sign_in.password_long')

export const changePasswordForm = z.object({
  current: z.string().min(1, 'security.current_missing').max(MAX_PASSWORD_LENGTH, 'sign_in.password_long'),
  password: newPassword,
  password_again: z.string().max(MAX_PASSWORD_LENGTH, 'sign_in.password_long'),
})
export const strengthForm = z.object({ password: z.string().max(MAX_PASSWORD_LENGTH) })
/** The key of a session from the list of devices: 32 bytes in base64url. */
export const deviceForm = z.object({ device: z.string().regex(/^[\w-]{43}$/) })

export const resetForm = z.object({ email: line.min(1, 'sign_in.email_missing') })
export const linkForm = z.object({
  password: newPassword,
  password_again: z.string().max(MAX_PASSWORD_LENGTH, 'sign_in.password_long'),
})

export const ACCOUNT_MAIL_TASK = 'account_mail'
/** The payload of a mail job; never contains a link. */
export const accountMail = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('reset_password'), sealedEmail: z.string(), at: z.iso.datetime() }),
  z.object({ kind: z.literal('welcome'), userId: z.int() }),
  z.object({ kind: z.literal('password_changed'), userId: z.int(), at: z.iso.datetime() }),
])
export type AccountMail = z.infer<typeof accountMail>

const MAX_NEXT_LENGTH = 2_000
const MAX_DECODINGS = 5
/** Would cause a redirect loop. */
const SIGN_IN_PATHS = ['/accounts/login', '/accounts/logout']

// biome-ignore lint/suspicious/noControlCharactersInRegex: browsers drop some of them before they parse a URL
const CONTROL_CHARACTERS = /[\\\u0000-\u001f\u007f-\u009f]/

/** The path to redirect to after signing in. Everything that a browser could read as another site becomes `/` (open redirect). */
export function nextPath(wanted: string | null | undefined): string {
  if (!wanted || wanted.length > MAX_NEXT_LENGTH || CONTROL_CHARACTERS.test(wanted) || !isPlainPath(wanted.split(/[?#]/)[0]!))
    return '/'
  const url = URL.parse(wanted, 'https://here.invalid')
  if (url?.origin !== 'https://here.invalid' || !isPlainPath(url.pathname)) return '/'
  if (SIGN_IN_PATHS.some((path) => url.pathname === path || url.pathname.startsWith(`${path}/`))) return '/'
  // Serialised by the URL parser, without characters that are invalid in a header.
  return `${url.pathname}${url.search}${url.hash}`
}

/** Proxies may decode escapes, even twice: the path must be safe after every decoding. */
function isPlainPath(path: string): boolean {
  let reading = path
  for (let i = 0; i < MAX_DECODINGS; i++) {
    // No page has an empty segment, and a leading one would be read as a host.
    if (!reading.startsWith('/') || reading.includes('//') || CONTROL_CHARACTERS.test(reading)) return false
    const decoded = decode(reading)
    if (decoded === reading) return true
    if (decoded === undefined) return false
    reading = decoded
  }
  return false
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
