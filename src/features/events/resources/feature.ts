import { users } from '#features/accounts/users/feature.ts'
import { events } from '#features/events/events/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { resourcesWords } from './words.ts'

export const resources = defineFeature({
  name: 'resources',
  uses: [users, events],
  tables: ['resource_category', 'resource', 'shift_resource'],
  reads: ['event', 'shift'],
  words: resourcesWords,
})
