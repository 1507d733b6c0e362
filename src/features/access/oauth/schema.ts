import { z } from 'zod'
import { checkbox, checkboxes, defineForm, hidden, radios, text, textarea } from '#platform/ui/define-form.ts'
import { formText, formTexts } from '#platform/ui/form-schemas.ts'
import { CLIENT_TYPES } from './rules/applications.ts'

export const consentForm = z.object({ decision: z.enum(['allow', 'deny']) })

/** Without a decision, the page shows what the device may do. */
export const deviceForm = defineForm({
  user_code: text({
    label: 'oauth.device_code',
    help: 'oauth.device_code_help',
    required: true,
    schema: formText.max(40, 'oauth.device_unknown'),
    attributes: { spellcheck: 'false', autocapitalize: 'characters', autocomplete: 'off' },
  }),
  decision: hidden(z.enum(['allow', 'deny']).optional()),
})

const MAX_ADDRESSES = 50

/** One address per line; blank lines and repeated addresses are dropped. */
const addresses = formText.max(20_000, 'form.invalid').transform((value) => [...new Set(value.split(/\s+/).filter(Boolean))])
const ADDRESS_ATTRIBUTES = { spellcheck: 'false', autocapitalize: 'none', autocomplete: 'off' }

/** `checkApplication` checks addresses and scopes and names the invalid one. */
export const applicationForm = defineForm({
  name: text({
    label: 'oauth.name',
    help: 'oauth.name_help',
    required: true,
    schema: formText.trim().min(1, 'oauth.name_missing').max(255, 'oauth.name_long'),
  }),
  /** Decided once: another type would need other credentials in the application. */
  client_type: radios({
    label: 'oauth.client_type',
    schema: z.enum(CLIENT_TYPES).default('confidential'),
    options: (words) =>
      CLIENT_TYPES.map((type) => ({
        value: type,
        label: words.t(`oauth.client_type_${type}`),
        help: words.t(`oauth.client_type_${type}_help`),
      })),
  }),
  redirect_uris: textarea({
    label: 'oauth.redirect_uris',
    help: 'oauth.redirect_uris_help',
    rows: 3,
    attributes: ADDRESS_ATTRIBUTES,
    schema: addresses.refine((list) => list.length <= MAX_ADDRESSES, 'oauth.bad_too_many').default([]),
  }),
  allowed_scopes: checkboxes({
    label: 'oauth.allowed_scopes',
    help: 'oauth.allowed_scopes_help',
    schema: formTexts.pipe(z.array(formText).min(1, 'oauth.scopes_missing')),
  }),
  require_pkce: checkbox({ label: 'oauth.require_pkce', help: 'oauth.require_pkce_help' }),
  trusted: checkbox({ label: 'oauth.trusted', help: 'oauth.trusted_help' }),
  allows_devices: checkbox({ label: 'oauth.allows_devices', help: 'oauth.allows_devices_help' }),
  is_for_assistants: checkbox({ label: 'oauth.is_for_assistants', help: 'oauth.is_for_assistants_help' }),
  post_logout_redirect_uris: textarea({
    label: 'oauth.post_logout_redirect_uris',
    help: 'oauth.post_logout_redirect_uris_help',
    rows: 2,
    attributes: ADDRESS_ATTRIBUTES,
    schema: addresses.refine((list) => list.length <= MAX_ADDRESSES, 'oauth.bad_too_many').default([]),
  }),
  allowed_origins: textarea({
    label: 'oauth.allowed_origins',
    help: 'oauth.allowed_origins_help',
    rows: 2,
    attributes: ADDRESS_ATTRIBUTES,
    schema: addresses.refine((list) => list.length <= MAX_ADDRESSES, 'oauth.bad_too_many').default([]),
  }),
})
export type ApplicationForm = z.infer<typeof applicationForm.schema>
