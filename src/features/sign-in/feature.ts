import { instance } from '#features/instance/feature.ts'
import { secondFactor } from '#features/second-factor/feature.ts'
import { users } from '#features/users/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { signInPersonalData } from './personal-data.ts'
import { signInWords } from './words.ts'

export const signIn = defineFeature({
  name: 'sign-in',
  uses: [users, instance, secondFactor],
  tables: ['session', 'pending_sign_in', 'known_device', 'sign_in_attempt', 'one_time_link'],
  reads: ['guardianship', 'user_profile'],
  words: signInWords,
  personalData: signInPersonalData,
})
