import { users } from '#features/accounts/users/feature.ts'
import { settings } from '#features/operations/settings/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { pagesWords } from './words.ts'

export const contentPages = defineFeature({
  name: 'content-pages',
  uses: [users, settings],
  tables: ['content_page'],
  words: pagesWords,
})
