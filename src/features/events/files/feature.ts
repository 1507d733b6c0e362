import { users } from '#features/accounts/users/feature.ts'
import { events } from '#features/events/events/feature.ts'
import { eligibility } from '#features/staffing/eligibility/feature.ts'
import { participations } from '#features/staffing/participations/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { filesPersonalData } from './personal-data.ts'
import { filesWords } from './words.ts'

export const files = defineFeature({
  name: 'files',
  uses: [users, events, eligibility, participations],
  tables: ['attachment', 'event_attachment'],
  reads: ['event', 'user_profile'],
  words: filesWords,
  personalData: filesPersonalData,
})
