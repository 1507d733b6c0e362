import { z } from 'zod'
import { checkboxes, date, defineForm, radios, text, textarea } from '#platform/ui/define-form.ts'
import { formLine, formText, formTexts } from '#platform/ui/form-schemas.ts'

/** Separated by blanks, commas or line breaks; each once. */
const places = formText.max(20_000, 'form.invalid').transform((value) => [...new Set(value.split(/[\s,]+/).filter(Boolean))])
const ATTRIBUTES = { spellcheck: 'false', autocapitalize: 'none', autocomplete: 'off' }

/** `checkServiceAccount` checks the values, so that all mistakes are shown at once. */
export const serviceAccountForm = defineForm({
  name: text({
    label: 'service.name',
    help: 'service.name_help',
    required: true,
    attributes: { maxlength: 100, autocomplete: 'off' },
    schema: formLine.default(''),
  }),
  scopes: checkboxes({ label: 'service.scopes', help: 'service.scopes_help', schema: formTexts }),
  groups: checkboxes({ label: 'service.groups', help: 'service.groups_help' }),
  expires: date({ label: 'service.last_day', help: 'service.last_day_help', schema: formLine.default('') }),
  networks: textarea({
    label: 'service.networks',
    help: 'service.networks_help',
    rows: 2,
    attributes: ATTRIBUTES,
    schema: places.default([]),
  }),
  origins: textarea({
    label: 'service.origins',
    help: 'service.origins_help',
    rows: 2,
    attributes: ATTRIBUTES,
    schema: places.default([]),
  }),
})
export type ServiceAccountForm = z.infer<typeof serviceAccountForm.schema>

export const rotateForm = defineForm({
  /** Hours for which the former key stays valid. */
  overlap: radios({
    label: 'service.overlap',
    schema: z
      .string('service.overlap_invalid')
      .regex(/^\d{1,5}$/, 'service.overlap_invalid')
      .transform(Number),
  }),
})

export const EXPIRY_MAIL_TASK = 'service_account_expiry_mail'
export const expiryMail = z.object({ accountId: z.int(), userId: z.int() })
