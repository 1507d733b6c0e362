import { z } from 'zod'
import { defineSettings, onOff } from '#features/operations/settings/schema/define-settings.ts'
import { checkbox, checkboxes, defineForm, hidden, password, select, text, textarea } from '#platform/ui/define-form.ts'
import { formLine, formLines } from '#platform/ui/form-schemas.ts'

/** Cookie with the state of a person who is signing in at a provider. */
export const PROVIDER_STATE = 'provider_state'

export const CALLBACK_PATH = '/oidc/callback/'
export const DEFAULT_SCOPES = 'openid profile email'

/** A provider as it is used for signing in. */
export type IdentityProvider = {
  id: number
  internalName: string
  label: string
  clientId: string
  clientSecretSealed: string | null
  tokenAuthMethod: 'basic' | 'post'
  scopes: string
  /** Null until it is known. */
  issuer: string | null
  authorizationEndpoint: string
  tokenEndpoint: string
  userinfoEndpoint: string | null
  endSessionEndpoint: string | null
  jwksUri: string | null
  createsAccounts: boolean
  trustsEmail: boolean
  trustsFactor: boolean
  /** Values of the claim `acr`, separated by spaces. */
  factorAcrs: string
  trustsProof: boolean
  groupClaim: string
  createMissingGroups: boolean
  qualificationClaim: string
  qualificationUuids: Record<string, string>
  enabled: boolean
}

const URL_ATTRIBUTES = { spellcheck: 'false', autocapitalize: 'none', autocomplete: 'off', maxlength: 500 }
const CODE_ATTRIBUTES = { spellcheck: 'false', autocapitalize: 'none', autocomplete: 'off' }

function isWebAddress(value: string): boolean {
  const url = URL.parse(value)
  return url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.hash
}

const address = formLine.max(500, 'identity.address_long')
const requiredAddress = address.min(1, 'identity.address_missing').refine(isWebAddress, 'identity.address_invalid')
const optionalAddress = address
  .default('')
  .refine((value) => !value || isWebAddress(value), 'identity.address_invalid')
  .transform((value) => value || null)
const line = (max: number) => formLine.max(max, 'identity.text_long')
const requiredLine = (max: number) => line(max).min(1, 'identity.text_missing')
const claim = line(254).default('')

export const discoveryForm = defineForm({
  base_url: text({
    type: 'url',
    label: 'identity.base_url',
    help: 'identity.base_url_help',
    required: true,
    attributes: URL_ATTRIBUTES,
    schema: requiredAddress,
  }),
})

export const providerForm = defineForm({
  version: hidden(
    z
      .string()
      .regex(/^\d{0,9}$/, 'form.invalid')
      .default('0')
      .transform(Number),
  ),
  label: text({
    label: 'identity.label',
    help: 'identity.label_help',
    required: true,
    attributes: { maxlength: 255 },
    schema: requiredLine(255),
  }),
  internal_name: text({
    label: 'identity.internal_name',
    help: 'identity.internal_name_help',
    required: true,
    attributes: { ...CODE_ATTRIBUTES, maxlength: 255 },
    schema: requiredLine(255),
  }),
  client_id: text({
    label: 'identity.client_id',
    required: true,
    attributes: { ...CODE_ATTRIBUTES, maxlength: 255 },
    schema: requiredLine(255),
  }),
  /** Write-only: empty keeps the stored one. */
  client_secret: password({
    label: 'identity.client_secret',
    autocomplete: 'new-password',
    schema: z.string().max(1_000, 'identity.text_long').default(''),
  }),
  issuer: text({
    type: 'url',
    label: 'identity.issuer',
    help: 'identity.issuer_help',
    required: true,
    attributes: URL_ATTRIBUTES,
    schema: requiredAddress,
  }),
  authorization_endpoint: text({
    type: 'url',
    label: 'identity.authorization_endpoint',
    required: true,
    attributes: URL_ATTRIBUTES,
    schema: requiredAddress,
  }),
  token_endpoint: text({
    type: 'url',
    label: 'identity.token_endpoint',
    required: true,
    attributes: URL_ATTRIBUTES,
    schema: requiredAddress,
  }),
  jwks_uri: text({
    type: 'url',
    label: 'identity.jwks_uri',
    help: 'identity.jwks_uri_help',
    required: true,
    attributes: URL_ATTRIBUTES,
    schema: requiredAddress,
  }),
  userinfo_endpoint: text({
    type: 'url',
    label: 'identity.userinfo_endpoint',
    help: 'identity.userinfo_endpoint_help',
    attributes: URL_ATTRIBUTES,
    schema: optionalAddress,
  }),
  end_session_endpoint: text({
    type: 'url',
    label: 'identity.end_session_endpoint',
    help: 'identity.end_session_endpoint_help',
    attributes: URL_ATTRIBUTES,
    schema: optionalAddress,
  }),
  token_auth_method: select({
    label: 'identity.token_auth_method',
    placeholder: false,
    options: (words) => [
      { value: 'basic', label: words.t('identity.token_auth_basic') },
      { value: 'post', label: words.t('identity.token_auth_post') },
    ],
    schema: z.enum(['basic', 'post'], 'form.invalid').default('basic'),
  }),
  scopes: text({
    label: 'identity.scopes',
    help: 'identity.scopes_help',
    required: true,
    attributes: { ...CODE_ATTRIBUTES, maxlength: 255 },
    schema: requiredLine(255)
      .transform((value) => [...new Set(value.split(/\s+/))].join(' '))
      .refine((value) => value.split(' ').includes('openid'), 'identity.scopes_openid'),
  }),
  creates_accounts: checkbox({ label: 'identity.creates_accounts', help: 'identity.creates_accounts_help' }),
  trusts_email: checkbox({ label: 'identity.trusts_email', help: 'identity.trusts_email_help' }),
  trusts_factor: checkbox({ label: 'identity.trusts_factor', help: 'identity.trusts_factor_help' }),
  factor_acrs: text({
    label: 'identity.factor_acrs',
    help: 'identity.factor_acrs_help',
    attributes: { ...CODE_ATTRIBUTES, maxlength: 1_000 },
    schema: line(1_000)
      .default('')
      .transform((value) => [...new Set(value.split(/\s+/).filter(Boolean))].join(' ')),
  }),
  trusts_proof: checkbox({ label: 'identity.trusts_proof', help: 'identity.trusts_proof_help' }),
  default_groups: checkboxes({ label: 'identity.default_groups', help: 'identity.default_groups_help' }),
  group_claim: text({
    label: 'identity.group_claim',
    help: 'identity.group_claim_help',
    attributes: { ...CODE_ATTRIBUTES, maxlength: 254 },
    schema: claim,
  }),
  create_missing_groups: checkbox({ label: 'identity.create_missing_groups', help: 'identity.create_missing_groups_help' }),
  qualification_claim: text({
    label: 'identity.qualification_claim',
    help: 'identity.qualification_claim_help',
    attributes: { ...CODE_ATTRIBUTES, maxlength: 254 },
    schema: claim,
  }),
  /** `parseQualificationLines` checks the lines and names the invalid one. */
  qualification_lines: textarea({
    label: 'identity.qualification_lines',
    help: 'identity.qualification_lines_help',
    rows: 4,
    attributes: CODE_ATTRIBUTES,
    schema: formLines.refine((value) => value.length <= 20_000, 'identity.text_long').default(''),
  }),
})
export type ProviderForm = z.infer<typeof providerForm.schema>

/** What the sign-in page shows if there are identity providers. */
export const signInSettings = defineSettings({
  hide_local_sign_in: onOff({ label: 'identity.hide_local', help: 'identity.hide_local_help' }),
  redirect_to_provider: onOff({ label: 'identity.redirect', help: 'identity.redirect_help' }),
})
export const signInSettingsForm = defineForm(signInSettings.fields)

export const unlinkForm = z.object({
  identity: z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number),
})

const groupId = z
  .string()
  .regex(/^\d{1,15}$/, 'identity.group_missing')
  .transform(Number)
const claimValue = line(254)

/** Which group a value of the claim stands for; the rights are confirmed on the next page. */
export const mappingForm = defineForm({
  value: text({
    label: 'identity.mapping_value',
    help: 'identity.mapping_value_help',
    required: true,
    attributes: { ...CODE_ATTRIBUTES, maxlength: 254 },
    schema: claimValue.min(1, 'identity.text_missing'),
  }),
  group: select({ label: 'identity.mapping_group', required: true, schema: z.string('identity.group_missing').pipe(groupId) }),
})

/** An empty value: the group is for everybody. `seen`: the rights that the page has named. */
export const confirmGroupForm = z.object({
  value: claimValue.default(''),
  group: groupId,
  seen: z.string().max(100_000).default(''),
})
