import { z } from 'zod'
import { MAX_PASSWORD_LENGTH } from '#platform/auth/passwords.ts'
import { isPublicMailAddress } from '#platform/mail-address.ts'
import { date, defineForm, email, number, password, radios, text } from '#platform/ui/define-form.ts'
import { formLine } from '#platform/ui/form-schemas.ts'
import { MAX_LINK_DAYS, MAX_LINK_USES } from './rules.ts'

export const JOIN_MAIL_TASK = 'join_mail'
/** The payload of a mail job; never contains a link. */
export const joinMail = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('confirm'), registrationId: z.int().positive() }),
  z.object({ kind: z.literal('refused'), requestId: z.int().positive() }),
])
export type JoinMail = z.infer<typeof joinMail>

const line = formLine.max(254, 'joining.too_long').default('')
const isDay = (value: string): boolean => z.iso.date().safeParse(value).success && value >= '1900-01-01'
const anyPassword = z.string().max(MAX_PASSWORD_LENGTH, 'sign_in.password_long')
const wholeNumber = (max: number, message: string) =>
  z
    .string()
    .trim()
    .refine((value) => /^\d{1,5}$/.test(value) && Number(value) >= 1 && Number(value) <= max, message)
    .transform(Number)

/** What people say about themselves who want an account. */
export const registrationForm = defineForm({
  name: text({
    label: 'joining.name',
    required: true,
    attributes: { autocomplete: 'name', maxlength: 254 },
    schema: line.refine((value) => value.length > 0, 'joining.name_missing'),
  }),
  email: email({
    label: 'joining.email',
    help: 'joining.email_help',
    required: true,
    attributes: { autocomplete: 'username', maxlength: 254 },
    schema: line.refine(isPublicMailAddress, 'joining.email_invalid'),
  }),
  date_of_birth: date({
    label: 'joining.birth_date',
    help: 'joining.birth_help',
    required: true,
    attributes: { autocomplete: 'bday' },
    schema: line.refine(isDay, 'joining.birth_invalid'),
  }),
  password: password({
    label: 'joining.password',
    autocomplete: 'new-password',
    schema: anyPassword.min(1, 'sign_in.password_missing'),
  }),
  password_again: password({ label: 'joining.password_again', autocomplete: 'new-password', schema: anyPassword }),
})
export type RegistrationForm = z.infer<typeof registrationForm.schema>

/** Proves that the person who opens the mail has filled in the form. */
export const confirmationForm = defineForm({
  password: password({
    label: 'joining.password',
    autocomplete: 'current-password',
    schema: anyPassword.min(1, 'sign_in.password_missing'),
  }),
})

export const joinLinkForm = defineForm({
  note: text({
    label: 'joining.link_note',
    help: 'joining.link_note_help',
    attributes: { maxlength: 100 },
    schema: formLine.max(100, 'joining.note_long').default(''),
  }),
  days: number({
    label: 'joining.link_days',
    min: 1,
    max: MAX_LINK_DAYS,
    schema: wholeNumber(MAX_LINK_DAYS, 'joining.days_invalid'),
  }),
  max_uses: number({
    label: 'joining.link_uses',
    min: 1,
    max: MAX_LINK_USES,
    schema: wholeNumber(MAX_LINK_USES, 'joining.uses_invalid'),
  }),
  approval: radios({
    label: 'joining.approval',
    options: (words) => [
      { value: 'yes', label: words.t('joining.approval_yes') },
      { value: 'no', label: words.t('joining.approval_no') },
    ],
    schema: z.enum(['yes', 'no'], 'form.invalid'),
  }),
})
export type JoinLinkForm = z.infer<typeof joinLinkForm.schema>
