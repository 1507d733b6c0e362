import { events } from '#features/events/feature.ts'
import { users } from '#features/users/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { resourcesWords } from './words.ts'

export const resources = defineFeature({
  name: 'resources',
  uses: [users, events],
  tables: ['resource_category', 'resource', 'shift_resource'],
  reads: ['event', 'shift'],
  words: resourcesWords,
})
