import { signIn } from '#features/access/sign-in/feature.ts'
import { people } from '#features/accounts/people/feature.ts'
import { requests } from '#features/accounts/requests/feature.ts'
import { users } from '#features/accounts/users/feature.ts'
import { settings } from '#features/operations/settings/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { joiningPersonalData } from './personal-data.ts'
import { joiningWords } from './words.ts'

export const joining = defineFeature({
  name: 'joining',
  uses: [users, people, settings, signIn, requests],
  tables: ['join_link', 'registration'],
  reads: ['decision_request', 'one_time_link', 'user_group', 'user_group_member', 'user_profile'],
  words: joiningWords,
  personalData: joiningPersonalData,
})
