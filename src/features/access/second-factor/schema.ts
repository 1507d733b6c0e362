import { z } from 'zod'
import { checkbox, checkboxes, defineForm, hidden, number, text } from '#platform/ui/define-form.ts'
import { formLine } from '#platform/ui/form-schemas.ts'
import { DEFAULT_GRACE_DAYS, MAX_GRACE_DAYS, readRecoveryCode } from './rules.ts'

const MAX_SEALED_LENGTH = 4_000
const MAX_ANSWER_LENGTH = 20_000

/** Codes of apps: browsers and password managers recognise the field. */
export const CODE_ATTRIBUTES = { inputmode: 'numeric', autocomplete: 'one-time-code', spellcheck: 'false' } as const

export const totpForm = defineForm({
  setup: hidden(z.string().max(MAX_SEALED_LENGTH).default('')),
  code: text({
    label: 'factor.code',
    help: 'factor.code_help',
    required: 'factor.code_missing',
    max: 20,
    tooLong: 'factor.code_wrong',
    attributes: { ...CODE_ATTRIBUTES, maxlength: 20 },
  }),
})

/** What the script of the page sends: the challenge, sealed, and the answer of the browser as JSON. */
export const passkeyAnswer = {
  state: z.string().max(MAX_SEALED_LENGTH).default(''),
  response: z.string().max(MAX_ANSWER_LENGTH).default(''),
}

/** Only what looks like codes is sent back. */
export const codesFileForm = z.object({
  codes: z
    .string()
    .max(1_000)
    .transform((text) => text.split(' '))
    .refine((codes) => codes.every((code) => readRecoveryCode(code) !== undefined), 'form.invalid'),
})

const passkeyName = text({
  label: 'factor.passkey_name',
  help: 'factor.passkey_name_help',
  required: true,
  schema: formLine.min(1, 'factor.passkey_name_missing').max(100, 'factor.passkey_name_long'),
})
export const passkeyForm = defineForm({
  name: passkeyName,
  state: hidden(passkeyAnswer.state),
  response: hidden(passkeyAnswer.response),
})
export const passkeyNameForm = defineForm({ name: passkeyName })

export const policyForm = defineForm({
  for_administrators: checkbox({ label: 'factor.policy_administrators' }),
  groups: checkboxes({ label: 'factor.policy_groups' }),
  grace_days: number({
    label: 'factor.policy_grace',
    help: 'factor.policy_grace_help',
    min: 0,
    max: MAX_GRACE_DAYS,
    schema: z
      .string()
      .trim()
      .default(String(DEFAULT_GRACE_DAYS))
      .refine((value) => /^\d{1,3}$/.test(value) && Number(value) <= MAX_GRACE_DAYS, 'factor.policy_grace_invalid')
      .transform(Number),
  }),
  after_provider: checkbox({ label: 'factor.policy_provider', help: 'factor.policy_provider_help' }),
})
