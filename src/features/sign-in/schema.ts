import { z } from 'zod'
import { MAX_PASSWORD_LENGTH } from '#platform/auth/passwords.ts'

const LONGEST_LINE = 1_000

/** PostgreSQL keeps no null characters. */
const line = z
  .string()
  .trim()
  .max(LONGEST_LINE, 'form.invalid')
  .refine((text) => !text.includes('\0'), 'form.invalid')

export const signInForm = z.object({
  email: line.min(1, 'sign_in.email_missing'),
  // Here and not later: nothing is counted, looked up or hashed for it.
  password: z.string().min(1, 'sign_in.password_missing').max(MAX_PASSWORD_LENGTH, 'sign_in.password_long'),
})
export type SignInForm = z.infer<typeof signInForm>

/** Its rules are those of every administrator; the form only says which fields there are. */
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
/** A key of a session as the list of devices names it: 32 bytes. */
export const deviceForm = z.object({ device: z.string().regex(/^[\w-]{43}$/) })

export const resetForm = z.object({ email: line.min(1, 'sign_in.email_missing') })
export const linkForm = z.object({
  password: newPassword,
  password_again: z.string().max(MAX_PASSWORD_LENGTH, 'sign_in.password_long'),
})

export const ACCOUNT_MAIL_TASK = 'account_mail'
/** What a mail job carries: who, and never a link. */
export const accountMail = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('reset_password'), sealedEmail: z.string(), at: z.iso.datetime() }),
  z.object({ kind: z.literal('welcome'), userId: z.int() }),
  z.object({ kind: z.literal('password_changed'), userId: z.int(), at: z.iso.datetime() }),
])
export type AccountMail = z.infer<typeof accountMail>

const LONGEST_NEXT = 2_000
const MOST_DECODINGS = 5
/** These would lead in circles. */
const NOT_NEXT = ['/accounts/login', '/accounts/logout']

// biome-ignore lint/suspicious/noControlCharactersInRegex: browsers drop some of them before they read an address
const TRICKY = /[\\\u0000-\u001f\u007f-\u009f]/

/** Where to go after signing in: a path of this site; everything that could be read as another place becomes `/`. */
export function nextPath(wanted: string | null | undefined): string {
  if (!wanted || wanted.length > LONGEST_NEXT || TRICKY.test(wanted) || !isPlainPath(wanted.split(/[?#]/)[0]!)) return '/'
  const url = URL.parse(wanted, 'https://here.invalid')
  if (url?.origin !== 'https://here.invalid' || !isPlainPath(url.pathname)) return '/'
  if (NOT_NEXT.some((path) => url.pathname === path || url.pathname.startsWith(`${path}/`))) return '/'
  // As the parser writes it: without characters that a header cannot carry.
  return `${url.pathname}${url.search}${url.hash}`
}

/** Proxies decode escapes, some of them twice: the path must be harmless in every reading. */
function isPlainPath(path: string): boolean {
  let reading = path
  for (let i = 0; i < MOST_DECODINGS; i++) {
    // No page of ours has an empty segment, and at the start it would name a host.
    if (!reading.startsWith('/') || reading.includes('//') || TRICKY.test(reading)) return false
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
