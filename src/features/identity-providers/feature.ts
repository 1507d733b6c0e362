import { instance } from '#features/instance/feature.ts'
import { people } from '#features/people/feature.ts'
import { secondFactor } from '#features/second-factor/feature.ts'
import { signIn } from '#features/sign-in/feature.ts'
import { users } from '#features/users/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { identityProvidersPersonalData } from './personal-data.ts'
import { identityProvidersWords } from './words.ts'

export const identityProviders = defineFeature({
  name: 'identity-providers',
  uses: [users, people, instance, secondFactor, signIn],
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
