import { users } from '#features/users/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { instanceWords } from './words.ts'

export const instance = defineFeature({
  name: 'instance',
  uses: [users],
  tables: ['setting'],
  words: instanceWords,
})
