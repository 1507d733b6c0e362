import { users } from '#features/accounts/users/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { instanceWords } from './words.ts'

export const settings = defineFeature({
  name: 'settings',
  uses: [users],
  tables: ['setting'],
  words: instanceWords,
})
