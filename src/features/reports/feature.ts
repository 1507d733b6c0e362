import { checkIn } from '#features/check-in/feature.ts'
import { events } from '#features/events/feature.ts'
import { hours } from '#features/hours/feature.ts'
import { instance } from '#features/instance/feature.ts'
import { shortages } from '#features/shortages/feature.ts'
import { users } from '#features/users/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { reportsWords } from './words.ts'

export const reports = defineFeature({
  name: 'reports',
  uses: [users, instance, events, checkIn, shortages, hours],
  reads: ['audience', 'event', 'event_type', 'journal', 'participation', 'shift', 'user_group', 'user_profile'],
  words: reportsWords,
})
