import { z } from 'zod'
import { CODE_ATTRIBUTES, passkeyAnswer } from '#features/access/second-factor/schema.ts'
import { MAX_PASSWORD_LENGTH } from '#platform/auth/passwords.ts'
import { checkbox, defineForm, email as emailInput, hidden, password, text } from '#platform/ui/define-form.ts'
import { formCheckbox, formText } from '#platform/ui/form-schemas.ts'

/** Cookie of a sign-in that waits for the second factor. */
export const PENDING_SIGN_IN = 'pending_sign_in'

const line = formText.trim().max(1_000, 'form.invalid')
const username = { label: 'sign_in.email', attributes: { autocomplete: 'username' } } as const
/** The e-mail address or the user name. */
const email = text({
  label: 'sign_in.name_or_email',
  attributes: { autocomplete: 'username', autocapitalize: 'none', spellcheck: 'false' },
  schema: line.min(1, 'sign_in.email_missing'),
})
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

const code = (label: 'second_step.code' | 'second_step.recovery_code' | 'confirm_sign_in.code', more: Record<string, string>) =>
  text({ label, required: 'second_step.code_missing', max: 100, tooLong: 'second_step.wrong', attributes: more })
const trust = checkbox({ label: 'second_step.trust', help: 'second_step.trust_help' })

export const codeForm = defineForm({
  method: hidden(z.literal('code')),
  code: code('second_step.code', CODE_ATTRIBUTES),
  trust,
})
export const recoveryForm = defineForm({
  method: hidden(z.literal('recovery')),
  code: code('second_step.recovery_code', { autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false' }),
})
const passkeyProof = z.object({ method: z.literal('passkey'), trust: formCheckbox, ...passkeyAnswer })
export const secondStepForm = z.discriminatedUnion('method', [codeForm.schema, recoveryForm.schema, passkeyProof])
const resume = hidden(z.string().max(100_000).default(''))
export const confirmPasswordForm = defineForm({
  method: hidden(z.literal('password')),
  resume,
  password: password({
    label: 'sign_in.password',
    autocomplete: 'current-password',
    schema: anyPassword.min(1, 'sign_in.password_missing'),
  }),
})
export const confirmCodeForm = defineForm({
  method: hidden(z.literal('code')),
  resume,
  code: code('confirm_sign_in.code', CODE_ATTRIBUTES),
})
const passkeyConfirmation = z.object({ method: z.literal('passkey'), resume: resume.schema, ...passkeyAnswer })
export const confirmForm = z.discriminatedUnion('method', [
  confirmPasswordForm.schema,
  confirmCodeForm.schema,
  passkeyConfirmation,
])
export const passkeySignInForm = z.object(passkeyAnswer)

export const resetForm = defineForm({ email })
export const linkForm = defineForm(newPassword)

export const ACCOUNT_MAIL_TASK = 'account_mail'
/** The payload of a mail job; never contains a link. */
export const accountMail = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('reset_password'), sealedEmail: z.string(), at: z.iso.datetime() }),
  z.object({ kind: z.literal('welcome'), userId: z.int() }),
  z.object({ kind: z.literal('erasure_requested'), userId: z.int(), at: z.iso.datetime() }),
  z.object({ kind: z.literal('erasure_refused'), userId: z.int(), at: z.iso.datetime() }),
  z.object({ kind: z.literal('password_changed'), userId: z.int(), at: z.iso.datetime() }),
  // `sealedEmail`: the address that was given up; absent: to the address that stays. `byId`: the administrator.
  z.object({
    kind: z.literal('accounts_merged'),
    userId: z.int(),
    byId: z.int(),
    sealedEmail: z.string().optional(),
    at: z.iso.datetime(),
  }),
  z.object({ kind: z.literal('email_changed'), userId: z.int(), sealedEmail: z.string(), at: z.iso.datetime() }),
])
export type AccountMail = z.infer<typeof accountMail>
