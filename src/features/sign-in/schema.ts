import { z } from 'zod'
import { MAX_PASSWORD_LENGTH } from '#platform/auth/passwords.ts'
import { defineForm, email as emailInput, password, text } from '#platform/ui/define-form.ts'
import { formText } from '#platform/ui/form-schemas.ts'

const line = formText.trim().max(1_000, 'form.invalid')
const username = { label: 'sign_in.email', attributes: { autocomplete: 'username' } } as const
const email = emailInput({ ...username, schema: line.min(1, 'sign_in.email_missing') })
const anyPassword = z.string().max(MAX_PASSWORD_LENGTH, 'sign_in.password_long')

export const signInForm = defineForm({
  email,
  password: password({
    label: 'sign_in.password',
    autocomplete: 'current-password',
    // Refused here, before anything is counted, queried or hashed.
    schema: anyPassword.min(1, 'sign_in.password_missing'),
  }),
})

/** `checkAdministrator` checks the values; the form only lists the fields. */
export const firstAdministratorForm = defineForm({
  name: text({ label: 'sign_in.name', attributes: { autocomplete: 'name' }, schema: line }),
  email: emailInput({ ...username, help: 'sign_in.email_help', schema: line }),
  password: password({ label: 'sign_in.password', autocomplete: 'new-password', schema: anyPassword }),
  password_again: password({ label: 'sign_in.password_again', autocomplete: 'new-password', schema: anyPassword }),
})

const newPassword = {
  password: password({
    label: 'security.new',
    autocomplete: 'new-password',
    schema: anyPassword.min(1, 'sign_in.password_missing'),
  }),
  password_again: password({ label: 'security.new_again', autocomplete: 'new-password', schema: anyPassword }),
}

export const changePasswordForm = defineForm({
  current: password({
    label: 'security.current',
    autocomplete: 'current-password',
    schema: anyPassword.min(1, 'security.current_missing'),
  }),
  ...newPassword,
})
export const strengthForm = z.object({ password: z.string().max(MAX_PASSWORD_LENGTH) })
/** The key of a session from the list of devices: 32 bytes in base64url. */
export const deviceForm = z.object({ device: z.string().regex(/^[\w-]{43}$/) })

export const resetForm = defineForm({ email })
export const linkForm = defineForm(newPassword)

export const ACCOUNT_MAIL_TASK = 'account_mail'
/** The payload of a mail job; never contains a link. */
export const accountMail = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('reset_password'), sealedEmail: z.string(), at: z.iso.datetime() }),
  z.object({ kind: z.literal('welcome'), userId: z.int() }),
  z.object({ kind: z.literal('password_changed'), userId: z.int(), at: z.iso.datetime() }),
  z.object({ kind: z.literal('email_changed'), userId: z.int(), sealedEmail: z.string(), at: z.iso.datetime() }),
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
