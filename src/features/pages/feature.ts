import { instance } from '#features/instance/feature.ts'
import { users } from '#features/users/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { pagesWords } from './words.ts'

export const pages = defineFeature({
  name: 'pages',
  uses: [users, instance],
  tables: ['content_page'],
  words: pagesWords,
})
