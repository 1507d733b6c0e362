import { people } from '#features/people/feature.ts'
import { users } from '#features/users/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { limitsWords } from './words.ts'

export const limits = defineFeature({
  name: 'limits',
  uses: [users, people],
  tables: ['work_limit'],
  reads: ['user_group'],
  words: limitsWords,
})
