import { secondFactor } from '#features/access/second-factor/feature.ts'
import { signIn } from '#features/access/sign-in/feature.ts'
import { people } from '#features/accounts/people/feature.ts'
import { users } from '#features/accounts/users/feature.ts'
import { settings } from '#features/operations/settings/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { identityProvidersPersonalData } from './personal-data.ts'
import { identityProvidersWords } from './words.ts'

export const identityProviders = defineFeature({
  name: 'identity-providers',
  uses: [users, people, settings, secondFactor, signIn],
  tables: [
    'identity_provider',
    'identity_provider_group',
    'identity_provider_group_value',
    'identity_provider_withheld_group',
    'external_identity',
    'external_session',
    'used_sign_in_state',
  ],
  reads: ['qualification', 'user_group', 'user_profile'],
  words: identityProvidersWords,
  personalData: identityProvidersPersonalData,
})
