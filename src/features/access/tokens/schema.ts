import { z } from 'zod'
import { SCOPES } from '#platform/auth/scopes.ts'
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

export const capabilitiesRecord = z
  .strictObject({
    credential: z.strictObject({
      kind: z.enum(['session', 'personal_token', 'application', 'service_account']),
      name: z.string().nullable().describe('Of the token, the application or the service account; null for a session'),
      expires_at: z.iso.datetime({ offset: true }).nullable().describe('Null for a session and without an expiry'),
    }),
    scopes: z.array(z.enum(SCOPES)),
    permissions: z.array(z.string()).describe('Global permissions, directly or by a group'),
    groups: z.array(z.strictObject({ id: z.int(), name: z.string() })),
    operations: z.array(
      z.strictObject({
        operation_id: z.string().describe('As in this document'),
        method: z.string(),
        path: z.string(),
        allowed: z.boolean(),
        reason: z.string().nullable().describe('The code of the problem that a request would get; null if it is allowed'),
        required_scope: z.enum(SCOPES).nullable().describe('The scope that the token lacks'),
      }),
    ),
  })
  .meta({
    id: 'Capabilities',
    examples: [
      {
        credential: { kind: 'service_account', name: 'Wall display', expires_at: '2032-01-01T00:00:00+01:00' },
        scopes: ['PUBLIC_READ'],
        permissions: [],
        groups: [{ id: 3, name: 'Volunteers' }],
        operations: [
          {
            operation_id: 'users_me_retrieve',
            method: 'GET',
            path: '/api/users/me/',
            allowed: false,
            reason: 'insufficient_scope',
            required_scope: 'ME_READ',
          },
        ],
      },
    ],
  })

export const TOKEN_MAIL_TASK = 'token_expiry_mail'
export const tokenMail = z.object({ tokenId: z.int() })
