import { secondFactor } from '#features/access/second-factor/feature.ts'
import { users } from '#features/accounts/users/feature.ts'
import { settings } from '#features/operations/settings/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { signInPersonalData } from './personal-data.ts'
import { signInWords } from './words.ts'

export const signIn = defineFeature({
  name: 'sign-in',
  uses: [users, settings, secondFactor],
  tables: ['session', 'pending_sign_in', 'known_device', 'sign_in_attempt', 'one_time_link'],
  reads: ['guardianship', 'user_profile'],
  words: signInWords,
  personalData: signInPersonalData,
})
