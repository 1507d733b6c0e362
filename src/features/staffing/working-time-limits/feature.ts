import { people } from '#features/accounts/people/feature.ts'
import { users } from '#features/accounts/users/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { limitsWords } from './words.ts'

export const workingTimeLimits = defineFeature({
  name: 'working-time-limits',
  uses: [users, people],
  tables: ['work_limit'],
  reads: ['user_group'],
  words: limitsWords,
})
