import { people } from '#features/accounts/people/feature.ts'
import { users } from '#features/accounts/users/feature.ts'
import { settings } from '#features/operations/settings/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { secondFactorPersonalData } from './personal-data.ts'
import { secondFactorWords } from './words.ts'

export const secondFactor = defineFeature({
  name: 'second-factor',
  uses: [users, people, settings],
  tables: [
    'totp_factor',
    'recovery_code',
    'passkey',
    'used_passkey_challenge',
    'trusted_device',
    'second_factor_policy',
    'second_factor_group',
    'second_factor_duty',
  ],
  reads: ['user_group', 'user_group_member', 'user_profile'],
  words: secondFactorWords,
  personalData: secondFactorPersonalData,
})
