import { instance } from '#features/instance/feature.ts'
import { people } from '#features/people/feature.ts'
import { requests } from '#features/requests/feature.ts'
import { signIn } from '#features/sign-in/feature.ts'
import { users } from '#features/users/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { joiningPersonalData } from './personal-data.ts'
import { joiningWords } from './words.ts'

export const joining = defineFeature({
  name: 'joining',
  uses: [users, people, instance, signIn, requests],
  tables: ['join_link', 'registration'],
  reads: ['decision_request', 'one_time_link', 'user_group', 'user_group_member', 'user_profile'],
  words: joiningWords,
  personalData: joiningPersonalData,
})
