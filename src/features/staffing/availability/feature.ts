import { users } from '#features/accounts/users/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { availabilityPersonalData } from './personal-data.ts'
import { availabilityWords } from './words.ts'

export const availability = defineFeature({
  name: 'availability',
  uses: [users],
  tables: ['weekly_time', 'day_period', 'private_calendar', 'busy_time'],
  reads: ['user_profile'],
  words: availabilityWords,
  personalData: availabilityPersonalData,
})
