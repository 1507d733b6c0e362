import { z } from 'zod'
import { checkboxes, date, defineForm, radios, text } from '#platform/ui/define-form.ts'
import { formText, formTexts } from '#platform/ui/form-schemas.ts'

/** `checkToken` checks the values; the form only lists the fields. */
export const newTokenForm = defineForm({
  description: text({
    label: 'token.description',
    help: 'token.description_help',
    required: true,
    attributes: { maxlength: 1000, autocomplete: 'off' },
    schema: formText.max(10_000, 'token.long_description'),
  }),
  scope: checkboxes({ label: 'token.scopes', help: 'token.scopes_help', schema: formTexts }),
  /** A number of days, or `date`. */
  lifetime: radios({ label: 'token.lifetime', schema: z.string().max(20, 'form.invalid') }),
  date: date({ label: 'token.date', schema: z.string().max(20, 'form.invalid').default('') }),
})
export type NewTokenForm = z.infer<typeof newTokenForm.schema>

export const TOKEN_MAIL_TASK = 'token_expiry_mail'
export const tokenMail = z.object({ tokenId: z.int() })
